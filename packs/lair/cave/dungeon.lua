-- A cave: noise that is thinner in the chambers, smoothed over three passes by looking at the neighbours as they were
-- when the pass began. Then pools fill where the cave is wide, and moss grows where rock is thick.
dofile("/usr/share/lair/lua/map/common.lua")
dofile("/usr/share/lair/lua/map/basicwall_cares_insert.lua")

-- Each room has a chamber of its own: an ellipse somewhere in it.
local width, height = 3 + math.random(3), 2 + math.random(3)
local middle_x, middle_y = math.random(), math.random()
local function is_in_chamber()
  local w, h = how_long_room_gen_w(), how_long_room_gen_h()
  local x = where_in_room_gen_x() - width - middle_x * math.max(0, w - 2 * width)
  local y = where_in_room_gen_y() - height - middle_y * math.max(0, h - 2 * height)
  return (x / width) ^ 2 + (y / height) ^ 2 <= 1
end

local function at_edge() return thinwall_cares_insert("false") == "true" end

function map_cares_insert()
  if at_edge() then return "true" end
  return percent_chance(is_in_chamber() and 22 or 50)
end

function map_image_decide() return "wall rock" end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end

-- A cell becomes rock with five rocks around it, and free with three or fewer.
local function rocks(distance) return particles_around(where_in_floor_get_x(), where_in_floor_get_y(), distance or 1) end

for pass = 2, 4 do
  _G["map_cares_remove_" .. pass] = function() return not at_edge() and rocks() <= 3 end
  _G["map_cares_insert_" .. pass] = function()
    return is_blocked_particle_here() == "false" and rocks() >= 5
  end
end

-- Rock that stands alone crumbles, and water gathers where nothing is near.
function map_cares_remove_5() return not at_edge() and rocks() == 0 end
function map_cares_insert_5()
  return is_blocked_particle_here() == "false" and rocks(2) == 0
end
function map_image_decide_5() return "water pool" end

function map_cares_insert_6()
  return is_blocked_particle_here() ~= "false" and rocks() == 8 and percent_chance(20)
end
function map_image_decide_6() return "+ mossy" end

function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" then return "false" end
  return percent_chance(2)
end
function mob_image_decide() return { "bat", "small" } end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default()" end
