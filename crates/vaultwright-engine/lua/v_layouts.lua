-- Layouts of the Vaults (spec 06 section 15.9): a floor plan of a few large shapes, rooms in its walls and on
-- its open floor.
crawl_require("dlua/layout/hyper.lua")

-- The material of the walls by depth.
local function wall_weights()
  local depth = you.depth()
  return {
    { feature = "stone_wall", weight = math.max(0, (4 - depth) * 10) },
    { feature = "metal_wall", weight = math.max(0, (depth - 2) * 20) },
    { feature = "crystal_wall", weight = math.max(0, depth - 2) },
  }
end

-- A room of floor within walls, with a place for a stair most of the time.
local function floor_room(room, options)
  local paint = rooms.primitive.floor(room)
  if crawl.x_chance_in_y(options.stair_chance, 100) then
    local x = crawl.random2(math.floor(room.size.x / 2)) + crawl.div_rand_round(room.size.x, 4)
    local y = crawl.random2(math.floor(room.size.y / 2)) + crawl.div_rand_round(room.size.y, 4)
    paint[#paint + 1] = { shape = "plot", feature = "stone_stairs_down_i", x = x, y = y }
  end
  return paint
end

local function tagged(tag, weight, max_rooms)
  return { generator = "tagged", tag = tag, weight = weight, max_rooms = max_rooms }
end

function vaults_default_options()
  local crypt_here = dgn.level_name(dgn.br_entrance("Crypt")) == you.where()
  return {
    max_rooms = 27, max_room_tries = 20, max_place_tries = 50, min_distance_from_wall = 2,
    stair_chance = 80, layout_floor_type = "floor", layout_wall_weights = wall_weights(),
    room_transform = hyper.rooms.add_walls,
    room_type_weights = {
      { generator = "code", weight = 80, min_size = 6, max_size = 15, paint_callback = floor_room },
      tagged("vaults_room", 50, 6), tagged("vaults_empty", 40), tagged("vaults_hard", 10, 1),
      tagged("vaults_entry_crypt", crypt_here and 25 or 0, 1), tagged("vaults_necropolis", 0, 1),
      tagged("vaults_gulch", 0, 1), tagged("vaults_wizlab", 0, 1), tagged("vaults_desolation", 0, 1),
    },
    -- Chances in a hundred that the first room is one of these; a later one takes the place of an earlier.
    rare_rooms = {
      { "vaults_necropolis", 3 }, { "vaults_gulch", 6 }, { "vaults_wizlab", 5 }, { "vaults_desolation", 5 },
    },
  }
end

hypervaults = {
  default_options = vaults_default_options,
  merge_options = hyper.merge_options,
  normals = vector.normals,
  rooms = { decorate_walls = hyper.rooms.decorate_walls, decorate_walls_open = hyper.rooms.decorate_walls_open },
}

-- Open cells beside others that are not, near a cell.
local function edge_of_open_floor(usage, spot)
  local found = {}
  for x = spot.x - 2, spot.x + 2 do
    for y = spot.y - 2, spot.y + 2 do
      local cell = hyper.usage.get_usage(usage, x, y)
      if cell and cell.usage == "open" then
        for _, direction in ipairs(vector.normals) do
          if usage[y + direction.y][x + direction.x].usage ~= "open" then
            found[#found + 1] = { x = x, y = y }
            break
          end
        end
      end
    end
  end
  return found
end

-- Rooms stand beside the floor plan, cut into its walls, or on its open floor.
local vaults_strategy = {
  pick_place = function(usage, room, _, options)
    local spots = hyper.usage.spots(usage, "eligible", "open")
    if #spots == 0 then return nil end
    local spot = spots[crawl.random_range(1, #spots)]
    local cell = usage[spot.y][spot.x]
    if cell.usage == "open" then
      local edge = edge_of_open_floor(usage, spot)
      if #edge > 0 then spot = edge[crawl.random2(#edge) + 1] end
    end
    local side, door = hyper.place.random_door(room)
    if not side then return nil end
    local dir = cell.normal and cell.normal.dir or crawl.random_range(1, 4) - 1
    if options.veto_direction and options.veto_direction(dir, cell.depth or 0) then return nil end
    local place = hyper.place.place_at(spot, room, side, door, dir)
    place.normal = cell.normal
    return place
  end,
  veto_cell = function(cell, place)
    if not place.normal then return cell.usage ~= "open" end
    return hyper.place.strategy_carve.veto_cell(cell, place)
  end,
}

-- The first room may be a rare one.
local function pick_room(generators, options)
  local picked
  if not options.picked_before then
    options.picked_before = true
    for _, rare in ipairs(options.rare_rooms) do
      if crawl.x_chance_in_y(rare[2], 100) then picked = rare[1] end
    end
  end
  for _, generator in ipairs(generators) do
    if picked and generator.tag == picked then return generator end
  end
  return hyper.rooms.pick_room(generators)
end

local STAIRS = {
  "stone_stairs_down_i", "stone_stairs_down_ii", "stone_stairs_down_iii",
  "stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii",
}

-- Builds a level of the Vaults on a floor plan, a list of shapes (`layout/hyper_paint.lua`). Nothing happens
-- while a map is being validated.
function build_vaults_layout(e, name, paint, options)
  if e.is_validating() then return end
  options = hyper.merge_options(vaults_default_options(), options)
  options.rooms_placed, options.rooms_join = 0, true
  options.wall_feature = util.random_weighted_from("weight", options.layout_wall_weights).feature
  if options.wall_feature == "crystal_wall" then e.lfloortile("floor_crystal") end

  local width, height = dgn.max_bounds()
  local usage = hyper.usage.new_usage(width, height, hyper.usage.grid_initialiser)
  hyper.paint.each_cell(paint, function(x, y, feature)
    local cell = hyper.usage.get_usage(usage, x, y)
    if cell and not cell.vault then
      for key, value in pairs(hyper.paint.feature_flags(feature)) do cell[key] = value end
    end
  end)
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local cell = usage[y][x]
      local plain = cell.feature == "space" or cell.feature == "wall"
      if not dgn.in_vault(x, y) then dgn.grid(x, y, plain and options.wall_feature or cell.feature) end
    end
  end
  hyper.usage.analyse_grid_usage(usage, options)

  -- Stairs are dealt once all rooms stand; vaults take the material of the level.
  local places = {}
  options.room_placed_callback = function(room, cell, x, y)
    if feat.is_stone_stair(x, y) then
      dgn.grid(x, y, "floor")
      places[#places + 1] = { x = x, y = y }
    elseif cell.vault and room.inner_room.wall_fixup and dgn.grid(x, y) == dgn.fnum("rock_wall") then
      dgn.grid(x, y, options.wall_feature)
    end
  end
  local pass = {
    generators = options.room_type_weights, strategy = vaults_strategy, pick_room = pick_room,
  }
  local results = {}
  hyper.place.build_rooms(pass, usage, options, results)
  for _, stair in ipairs(STAIRS) do
    if #places == 0 then break end
    local place = table.remove(places, crawl.random_range(1, #places))
    dgn.grid(place.x, place.y, stair)
  end
  for y = 1, height - 2 do
    for x = 1, width - 2 do
      if usage[y][x].usage == "restricted" then dgn.set_map_mask(x, y) end
    end
  end
  return { usage_grid = usage, results = results }
end

-- Floor plans.

-- The last column and row of a level.
local RIGHT, BOTTOM = dgn.GXM - 1, dgn.GYM - 1

local function quad(kind, x1, y1, x2, y2)
  return { type = kind, corner1 = { x = x1, y = y1 }, corner2 = { x = x2, y = y2 } }
end

-- A corridor around a block.
function build_vaults_ring_layout(e, width, padding)
  local p, inner = padding, padding + width
  return build_vaults_layout(e, "Ring", {
    quad("floor", p, p, RIGHT - p, BOTTOM - p), quad("wall", inner, inner, RIGHT - inner, BOTTOM - inner),
  })
end

-- Two corridors that cross in the middle.
function build_vaults_cross_layout(e)
  local width = 3 + crawl.random2avg(3, 2)
  local half = math.floor(width / 2)
  local x, y = math.floor(dgn.GXM / 2), math.floor(dgn.GYM / 2)
  return build_vaults_layout(e, "Cross", {
    quad("floor", x - half, 1, x - half + width - 1, BOTTOM - 1),
    quad("floor", 1, y - half, RIGHT - 1, y - half + width - 1),
  })
end

-- One hall.
function build_vaults_big_room_layout(e, min, max)
  local pad_x, pad_y = crawl.random_range(min, max), crawl.random_range(min, max)
  local options = { max_rooms = 23, max_room_tries = 12, max_place_tries = 30 }
  return build_vaults_layout(e, "Big Room", { quad("floor", pad_x, pad_y, RIGHT - pad_x, BOTTOM - pad_y) }, options)
end

-- Nothing but floor, and rooms on it.
function build_vaults_chaotic_city_layout(e)
  local options = { max_rooms = 25, max_room_tries = 10, max_place_tries = 20 }
  return build_vaults_layout(e, "Chaotic City", { quad("floor", 1, 1, RIGHT - 1, BOTTOM - 1) }, options)
end

-- A small room that others grow from; veto(direction, rooms in between) forbids directions.
function build_vaults_maze_layout(e, veto, name)
  local x, y = math.min(30, math.floor(dgn.GXM * 3 / 8)), math.min(30, math.floor(dgn.GYM * 3 / 7))
  local x2, y2 = x + crawl.random_range(4, 10), y + crawl.random_range(4, 10)
  return build_vaults_layout(e, name or "Maze", { quad("floor", x, y, x2, y2) }, { veto_direction = veto })
end

-- The axis along which rooms follow each other changes every few rooms.
function build_vaults_maze_snakey_layout(e)
  local axis = crawl.coinflip() and 1 or 0
  local distance = crawl.random_range(1, 2)
  local offset = crawl.random_range(0, distance - 1)
  return build_vaults_maze_layout(e, function(dir, depth)
    return (math.floor((depth + offset) / distance) + axis) % 2 == dir % 2
  end, "Snakey Maze")
end

-- One axis first, then both.
function build_vaults_maze_bifur_layout(e)
  local axis = crawl.coinflip() and 1 or 0
  local straight = crawl.random_range(2, 3)
  return build_vaults_maze_layout(e, function(dir, depth)
    return depth < straight and dir % 2 == axis
  end, "Bifurcating Maze")
end

-- The level divided into areas, and walls in most of them.
function layout_primitive_omnigrid()
  local areas = omnigrid_subdivide_area(1, 1, RIGHT - 1, BOTTOM - 1, { minimum_size = 15, fill_chance = 64 })
  local jitter = crawl.coinflip()
  local function inset(at, by) return at + by + (jitter and crawl.random_range(-1, 2) or 0) end
  local paint = {}
  for _, area in ipairs(areas) do
    paint[#paint + 1] = quad("floor", area.x1, area.y1, area.x2, area.y2)
    if crawl.random2(100) < 64 then
      paint[#paint + 1] = quad("wall", inset(area.x1, 2), inset(area.y1, 2), inset(area.x2, -2), inset(area.y2, -2))
    end
  end
  return paint
end

-- The areas of a rectangle, divided until chance stops it.
function omnigrid_subdivide_area(x1, y1, x2, y2, options, chance)
  local least = options.minimum_size or 15
  chance = chance or 100
  local width, height = x2 - x1 + 1, y2 - y1 + 1
  local can_x, can_y = width >= 2 * least, height >= 2 * least
  if crawl.random2(100) >= chance or not (can_x or can_y) then
    return { { x1 = x1, y1 = y1, x2 = x2, y2 = y2 } }
  end
  local along_y = can_y and (not can_x or crawl.coinflip())
  local at = crawl.random_range(least, (along_y and height or width) - least)
  local first, second
  if along_y then
    first = omnigrid_subdivide_area(x1, y1, x2, y1 + at - 1, options, chance * 0.8)
    second = omnigrid_subdivide_area(x1, y1 + at, x2, y2, options, chance * 0.8)
  else
    first = omnigrid_subdivide_area(x1, y1, x1 + at - 1, y2, options, chance * 0.8)
    second = omnigrid_subdivide_area(x1 + at, y1, x2, y2, options, chance * 0.8)
  end
  return util.append(first, second)
end
