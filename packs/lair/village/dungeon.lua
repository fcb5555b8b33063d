-- A village in a clearing: each room is a plot with a house, a garden, a pond or the market; people and their animals
-- are about.
dofile("/usr/share/lair/lua/map/common.lua")

-- Chosen once for each room, since a room has globals of its own.
local kinds = { "house", "house", "house", "house", "garden", "pond", "market" }
local plot = kinds[math.random(#kinds)]
local margin = 1 + math.random(2)
local door = math.random(4)
local has_chest = math.random(3) == 1

local function place()
  return where_in_room_gen_x(), where_in_room_gen_y(), how_long_room_gen_w(), how_long_room_gen_h()
end

-- How far inside its plot the cell is; 0 or less is outside.
local function depth()
  local x, y, w, h = place()
  return math.min(x, y, w - 1 - x, h - 1 - y) - margin + 1
end

local function is_middle(side)
  local x, y, w, h = place()
  local middle_x, middle_y = math.floor(w / 2), math.floor(h / 2)
  if side == 1 then return x == middle_x and y > middle_y end
  if side == 2 then return y == middle_y and x > middle_x end
  if side == 3 then return x == middle_x and y < middle_y end
  return y == middle_y and x < middle_x
end

-- The trees that the clearing was cut out of stand around the floor.
local function forest()
  local x, y = where_in_floor_get_x(), where_in_floor_get_y()
  local edge = math.min(x, y, floor_coarse_w.w - 1 - x, floor_coarse_h.h - 1 - y)
  return edge == 0 or (edge == 1 and math.random(100) <= 50) or math.random(100) <= 2
end

local tags = {}
function tags.house()
  local x, y, w, h = place()
  if depth() == 1 then return is_middle(door) and "door wood" or "wall wood" end
  if has_chest and x == margin + 1 and y == margin + 1 then return "chest" end
  -- A wall between two chambers, with a way at one end.
  local wide = w - 2 * margin >= 9 and y == math.floor(h / 2) and not is_middle(2) and not is_middle(4)
  if wide and math.abs(x - math.floor(w / 2)) > 1 then return "wall wood" end
end
function tags.garden()
  local x, y = place()
  if depth() == 1 then return not is_middle(door) and "fence wood" or nil end
  if y % 2 == 0 and x % 5 ~= 0 and depth() > 1 then return math.random(100) <= 80 and "flowers" or nil end
end
function tags.pond()
  local x, y, w, h = place()
  local across, down = (w - 1) / 2 - margin, (h - 1) / 2 - margin
  local distance = ((x - (w - 1) / 2) / across) ^ 2 + ((y - (h - 1) / 2) / down) ^ 2
  if distance < 0.55 + 0.25 * math.random() then return "water pond" end
  return distance < 1 and math.random(100) <= 15 and "bush reeds" or nil
end
function tags.market()
  local x, y, w, h = place()
  if x == math.floor(w / 2) and y == math.floor(h / 2) then return "fountain well" end
  if depth() > 1 and x % 4 == 1 and y % 4 == 1 then return "pillar stall" end
end

local chosen
function map_cares_insert()
  if depth() > 0 then chosen = tags[plot]() else chosen = forest() and "tree" or nil end
  return chosen ~= nil
end
function map_image_decide() return chosen end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end

-- Who is about, and how many of a hundred cells have one.
local people = {
  house = { "human villager", 4 }, garden = { "hound dog", 3 }, market = { "human villager", 7 },
  pond = { "bullfrog", 3 },
}
local somebody
function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" then return "false" end
  local who, chance = "human villager", 1
  if depth() > 0 then who, chance = people[plot][1], people[plot][2] end
  somebody = who
  return percent_chance(chance)
end
function mob_image_decide() return somebody end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default" end
