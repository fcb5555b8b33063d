function map_care_insert() return true end
