-- A cave: noise, smoothed over three passes by looking at the neighbours as they were when the pass began.
dofile("/usr/share/lair/lua/map/common.lua")
dofile("/usr/share/lair/lua/map/basicwall_cares_insert.lua")

function map_cares_insert()
  if thinwall_cares_insert("false") == "true" then return "true" end
  return percent_chance(42)
end

function map_image_decide() return "wall rock" end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end

-- A cell becomes rock with five rocks around it, and free with three or fewer.
local function rocks() return particles_around(where_in_floor_get_x(), where_in_floor_get_y(), 1) end
local function at_edge() return thinwall_cares_insert("false") == "true" end

for pass = 2, 4 do
  _G["map_cares_remove_" .. pass] = function() return not at_edge() and rocks() <= 3 end
  _G["map_cares_insert_" .. pass] = function()
    return is_blocked_particle_here() == "false" and rocks() >= 5
  end
end

-- Moss grows where rock is thick.
function map_cares_insert_5()
  return is_blocked_particle_here() ~= "false" and rocks() == 8 and percent_chance(20)
end
function map_image_decide_5() return "+ mossy" end

function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" then return "false" end
  return percent_chance(2)
end
function mob_image_decide() return { "bat", "small" } end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default()" end
