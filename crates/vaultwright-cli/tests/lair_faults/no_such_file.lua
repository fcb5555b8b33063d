dofile("/usr/share/lair/lua/map/comon.lua")
function map_cares_insert() return true end
