-- A village: each room is a plot with a house, a garden or a pond; trees stand between them.
dofile("/usr/share/lair/lua/map/common.lua")

-- Chosen once for each room, since a room has globals of its own.
local kinds = { "house", "house", "garden", "pond" }
local plot = kinds[math.random(#kinds)]
local margin = 2 + math.random(2)
local door = math.random(3)

local function on_edge_of_plot()
  local x, y = where_in_room_gen_x(), where_in_room_gen_y()
  local right, bottom = how_long_room_gen_w() - margin - 1, how_long_room_gen_h() - margin - 1
  if x < margin or y < margin or x > right or y > bottom then return "outside" end
  if x == margin or y == margin or x == right or y == bottom then
    local middle_x, middle_y = math.floor(how_long_room_gen_w() / 2), math.floor(how_long_room_gen_h() / 2)
    if (door == 1 and x == middle_x and y == bottom) or (door == 2 and y == middle_y and x == right)
       or (door == 3 and x == middle_x and y == margin) then return "door" end
    return "edge"
  end
  return "inside"
end

local answer = { outside = {}, edge = {}, inside = {}, door = {} }
answer.edge = { house = "wall wood", garden = "bush", pond = "water" }
answer.inside = { pond = "water" }
answer.door = { house = "door wood", pond = "water" }

local function tags()
  local where = on_edge_of_plot()
  if where == "outside" then return math.random(100) <= 6 and "tree" or nil end
  return answer[where][plot]
end

local chosen
function map_cares_insert()
  chosen = tags()
  return chosen ~= nil
end
function map_image_decide() return chosen end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end

function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" then return "false" end
  return on_edge_of_plot() == "inside" and plot == "house" and percent_chance(3) or "false"
end
function mob_image_decide() return "villager" end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default" end
