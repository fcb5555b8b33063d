function map_cares_insert() return true end
function map_cares_insert_3() return false end
