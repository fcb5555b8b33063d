-- Caves as rooms of a layout: shapes whose edge is frayed by noise (spec 06 section 15.13).
hyper = hyper or {}
hyper.caves = {}

crawl_require("dlua/layout/procedural.lua")
crawl_require("dlua/layout/procedural_primitives.lua")

-- A paint list with one cave between two corners.
--
-- params: feature ("floor"), padding (depth of the frayed edge in cells; an eighth of the shorter side),
-- noise_scale (1), outer_break (1: how much noise takes off the edge), wall_break (0.8: how much of it is
-- wall rather than left as it was).
function hyper.caves.cave_paint(corner1, corner2, params)
  params = params or {}
  local width, height = corner2.x - corner1.x + 1, corner2.y - corner1.y + 1
  local padding = params.padding or crawl.div_rand_round(math.min(width, height) - 1, 8)
  local noise = procedural.simplex3d { scale = params.noise_scale or 1 }
  local phase, exits = util.random_range_real(0, 1), util.random_range_real(0.2, 0.4)
  local feature, frayed = params.feature or "floor", params.outer_break or 1
  local cx, cy = (corner1.x + corner2.x) / 2, (corner1.y + corner2.y) / 2
  local function callback(x, y)
    local edge = math.min(x - corner1.x, corner2.x - x, y - corner1.y, corner2.y - y)
    local depth = padding > 0 and math.min(1, (edge + 0.5) / padding) or 1
    -- Where the angle falls into an exit the edge is thinner.
    local angle = (math.atan2(y - cy, x - cx) / (2 * math.pi) + phase) % 1
    local limit = (angle % 0.25 < exits * 0.25) and frayed / 2 or frayed
    if noise(x, y) * limit > depth then return nil end
    return feature
  end
  return { { type = "proc", corner1 = corner1, corner2 = corner2, callback = callback } }
end

local function whole(room) return { x = 0, y = 0 }, { x = room.size.x - 1, y = room.size.y - 1 } end

-- A `paint_callback`: a cave that fills the room.
function hyper.caves.cave_room(room)
  local corner1, corner2 = whole(room)
  return hyper.caves.cave_paint(corner1, corner2)
end
hyper.caves.cave_walls = hyper.caves.cave_room
hyper.caves.cave_room_walled = hyper.caves.cave_room

-- A cavern: cracks between the cells of Worley noise stand, the rest is open.
function hyper.caves.cavern_room(room)
  local corner1, corner2 = whole(room)
  local cracks = procedural.worley_diff { scale = 1 }
  local function callback(x, y)
    local edge = math.min(x - corner1.x, corner2.x - x, y - corner1.y, corner2.y - y)
    if edge >= 1 and cracks(x, y) > 0.15 then return "floor" end
  end
  return { { type = "proc", corner1 = corner1, corner2 = corner2, callback = callback } }
end
hyper.caves.cavern_walls = hyper.caves.cavern_room

-- A `paint_callback` for small caves; those of one layout look alike. Also the parameters it uses.
function hyper.caves.random_cave_room()
  local params = { feature = "floor", outer_break = 1, padding = 1, noise_scale = 1 }
  if not crawl.one_chance_in(4) then
    params.noise_scale = util.random_range_real(3, 5)
    params.padding = util.random_range_real(0.5, 2)
  end
  return function(room)
    local corner1, corner2 = whole(room)
    return hyper.caves.cave_paint(corner1, corner2, params)
  end, params
end
