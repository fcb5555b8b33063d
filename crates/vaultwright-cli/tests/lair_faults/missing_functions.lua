function map_cares_insert() return true end
function mob_cares_insert() return true end
