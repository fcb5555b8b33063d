-- A gallery: rooms whose walls are hung with paintings, and treasure behind curtains in niches that later passes cut
-- into the walls between the rooms.
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

local function has(x, y, tag)
  for _, own in ipairs(particle_tags_at(x, y) or {}) do
    if own == tag then return true end
  end
  return false
end

-- The step from the outer layer of a room's wall to the inner one; none elsewhere, or at the edge of the floor.
local function inwards()
  local x, y = where_in_room_gen_x(), where_in_room_gen_y()
  local w, h = how_long_room_gen_w(), how_long_room_gen_h()
  local floor_x, floor_y = here()
  if floor_x == 0 or floor_y == 0 or floor_x == floor_coarse_w.w - 1 or floor_y == floor_coarse_h.h - 1 then return end
  if y > 1 and y < h - 2 and (x == 0 or x == w - 1) then return x == 0 and 1 or -1, 0 end
  if x > 1 and x < w - 2 and (y == 0 or y == h - 1) then return 0, y == 0 and 1 or -1 end
end

-- A niche is in the outer layer of a wall that has rock on both sides of it, so that only the room leads there.
function map_cares_insert_2()
  local dx, dy = inwards()
  if not dx or is_blocked_particle_here() == "false" then return false end
  local x, y = here()
  if not (has(x + dy, y + dx, "wall") and has(x - dy, y - dx, "wall") and has(x + dx, y + dy, "wall")) then return false end
  if particle_tags_at(x + 2 * dx, y + 2 * dy) then return false end
  return percent_chance(12)
end
function map_image_decide_2() return "chest treasure" end

-- Whoever stands before a chest is behind a curtain; other walls that face a room may be painted.
local around = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } }
local found
function map_cares_insert_3()
  local x, y = here()
  if not has(x, y, "wall") then return false end
  found = nil
  local chests, free = 0, 0
  for _, step in ipairs(around) do
    if has(x + step[1], y + step[2], "chest") then chests = chests + 1 end
    if is_inside_floor(x + step[1], y + step[2]) and not particle_tags_at(x + step[1], y + step[2]) then free = free + 1 end
  end
  if chests == 1 and free == 1 then found = "door curtain" end
  if chests == 0 and free == 1 and (x + y) % 4 == 0 then found = "+ painting" end
  return found ~= nil
end
function map_image_decide_3() return found end

function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" or is_blocked_mobile_here() ~= "false" then return "false" end
  return percent_chance(1)
end
function mob_image_decide() return "gargoyle guard" end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default" end
