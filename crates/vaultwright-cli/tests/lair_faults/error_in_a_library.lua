dofile("/usr/share/lair/lua/map/common.lua")
function map_cares_insert() return particles_around(1) > 3 end
function mob_cares_insert() return false end
