-- A gallery: rooms with decorated walls, and treasure in niches that the second pass hides behind them.
dofile("/usr/share/lair/lua/map/common.lua")
dofile("/usr/share/lair/lua/map/basicwall_cares_insert.lua")
dofile("/usr/share/lair/lua/map/cut_hallways.lua")

-- Every room has a wall of its own, two cells thick, with ways in the middle of each side.
function map_cares_insert()
  local x, y = where_in_room_gen_x(), where_in_room_gen_y()
  local w, h = how_long_room_gen_w(), how_long_room_gen_h()
  local wall = x < 2 or y < 2 or x >= w - 2 or y >= h - 2
  return thinwall_cares_insert(cut_hallways(wall and "true" or "false"))
end

function map_image_decide() return "wall marble" end
function map_sound_decide() return "echo" end
function map_fonts_decide() return "none" end

local function here() return where_in_floor_get_x(), where_in_floor_get_y() end

-- A wall cell with walls on all sides may hide a treasure; a wall cell that faces a room may be painted.
function map_cares_insert_2()
  if is_blocked_particle_here() == "false" then return false end
  local x, y = here()
  local around = particles_around(x, y, 1)
  if around == 8 then return percent_chance(4) end
  return around < 8 and (x + y) % 4 == 0
end

function map_image_decide_2()
  local x, y = here()
  if particles_around(x, y, 1) == 8 then return "chest hidden" end
  return "+ painting"
end

function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" or is_blocked_mobile_here() ~= "false" then return "false" end
  return percent_chance(1)
end
function mob_image_decide() return "guard" end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default" end
