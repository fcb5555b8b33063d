-- The demo dungeon: thick walls around the floor, hallways cut through the rooms, a thin wall at the very edge.
-- It uses nothing but the old protocol, and the library under the path where LAIR was installed.
dofile("/usr/share/lair/lua/map/common.lua")
dofile("/usr/share/lair/lua/map/basicwall_cares_insert.lua")
dofile("/usr/share/lair/lua/map/cut_hallways.lua")

function map_cares_insert()
  reload_map()
  return thinwall_cares_insert(cut_hallways(thickwall_cares_insert("false")))
end

function map_image_decide() return { "wall", "stone" } end
function map_sound_decide() return { "footsteps" } end
function map_fonts_decide() return { "font" } end

-- A mobile on four free cells of a hundred.
function mob_cares_insert()
  reload_mobs()
  if is_blocked_particle_here() ~= "false" or is_blocked_mobile_here() ~= "false" then return "false" end
  return percent_chance(4)
end

function mob_image_decide() return "med human" end
function mob_sound_decide() return "footsteps" end
function mob_fonts_decide() return "font" end
function mob_ai_decide() return "default" end
