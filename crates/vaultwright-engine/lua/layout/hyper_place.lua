-- Finding places for rooms, and putting them there.
--
-- A strategy has pick_place(usage, room, pass, options), which returns a place or nil, and
-- veto_cell(cell, place), which forbids a cell of the level to the room. A place has x, y, the top left
-- corner, and `turns`, quarter turns of the room against the clock; if the room is to be entered at a
-- certain cell, that cell as `door` and the side it is on, before turning, as `side`.
hyper = hyper or {}
hyper.place = {}

-- Turning: directions go 0 north, 1 west, 2 south, 3 east.

local function turned_size(size, turns)
  if turns % 2 == 1 then return { x = size.y, y = size.x } end
  return size
end

local function turned_point(x, y, size, turns)
  local width, height = size.x, size.y
  for _ = 1, turns do
    x, y = y, width - 1 - x
    width, height = height, width
  end
  return x, y
end

-- The place at which a cell of the room's side comes to lie on `spot`, with the side facing `dir`.
function hyper.place.place_at(spot, room, side, cell, dir)
  local turns = (dir - side) % 4
  local x, y = turned_point(cell.x, cell.y, room.size, turns)
  return { x = spot.x - x, y = spot.y - y, turns = turns, door = spot, side = side }
end

local function eligible_sides(room)
  local sides = {}
  for dir = 0, 3 do
    if room.walls and room.walls[dir].eligible then sides[#sides + 1] = dir end
  end
  return sides
end

-- A side by which the room can be entered, and one of the cells there; nil if there is none.
function hyper.place.random_door(room)
  local sides = eligible_sides(room)
  if #sides == 0 then return nil end
  local side = sides[crawl.random2(#sides) + 1]
  local cells = room.walls[side].cells
  return side, cells[crawl.random2(#cells) + 1]
end

-- Strategies.

local function pick_corner(usage, room)
  local pad = room.generator_used.place_padding or 0
  local x = crawl.random_range(pad, usage.width - room.size.x - pad - 1)
  local y = crawl.random_range(pad, usage.height - room.size.y - pad - 1)
  return { x = x, y = y, turns = 0 }
end

-- A floor plan: anywhere, as it is; later rooms may stand in it.
hyper.place.strategy_primary = {
  pick_place = pick_corner,
  veto_cell = function() return false end,
  floor_plan = true,
}

-- Anywhere no other room stands, turned at random.
hyper.place.strategy_random = {
  pick_place = function(usage, room)
    local place = pick_corner(usage, room)
    place.turns = crawl.random2(4)
    return place
  end,
  veto_cell = function(cell) return cell.room end,
}

-- Free-standing, on open floor.
hyper.place.strategy_open = {
  pick_place = function(usage, room)
    local spots = hyper.usage.spots(usage, "open")
    local side, cell = hyper.place.random_door(room)
    if #spots == 0 or not side then return nil end
    return hyper.place.place_at(spots[crawl.random2(#spots) + 1], room, side, cell, crawl.random2(4))
  end,
  veto_cell = function(cell) return cell.usage ~= "open" end,
}

-- Standing on floor, against walls as well.
hyper.place.strategy_inner = {
  pick_place = hyper.place.strategy_open.pick_place,
  veto_cell = function(cell) return cell.solid or cell.room end,
}

-- Cut into the rock beside floor.
hyper.place.strategy_carve = {
  pick_place = function(usage, room)
    local spots = hyper.usage.spots(usage, "eligible")
    local side, cell = hyper.place.random_door(room)
    if #spots == 0 or not side then return nil end
    local spot = spots[crawl.random2(#spots) + 1]
    local place = hyper.place.place_at(spot, room, side, cell, usage[spot.y][spot.x].normal.dir)
    place.normal = usage[spot.y][spot.x].normal
    return place
  end,
  -- Beside the wall it starts from nothing but rock may give way.
  veto_cell = function(cell, place)
    return cell.usage ~= "none" and not (cell.usage == "eligible" and cell.normal == place.normal)
  end,
}

hyper.place.strategy_inner_or_carve = {
  pick_place = function(...)
    local strategy = crawl.coinflip() and hyper.place.strategy_inner or hyper.place.strategy_carve
    local place = strategy.pick_place(...)
    if place then place.strategy = strategy end
    return place
  end,
  veto_cell = function(cell, place) return place.strategy.veto_cell(cell, place) end,
}

-- Placing.

-- Calls visit(cell of the room, x, y on the level) for all cells that are more than space.
local function each_cell(room, place, visit)
  for y = 0, room.size.y - 1 do
    for x = 0, room.size.x - 1 do
      local cell = room.grid[y][x]
      if not cell.space then
        local dx, dy = turned_point(x, y, room.size, place.turns)
        if visit(cell, place.x + dx, place.y + dy) == false then return false end
      end
    end
  end
  return true
end

function hyper.place.fits(room, place, usage, strategy)
  return each_cell(room, place, function(_, x, y)
    local cell = hyper.usage.get_usage(usage, x, y)
    if not cell or cell.vault or strategy.veto_cell(cell, place) then return false end
  end)
end

-- The vault inside a room, and where its corner comes to lie.
local function vault_of(room, place)
  local inner, at = room, { x = 0, y = 0 }
  while inner.inner_room do
    at = { x = at.x + inner.inner_room_pos.x, y = at.y + inner.inner_room_pos.y }
    inner = inner.inner_room
  end
  if inner.type ~= "vault" then return nil end
  local x1, y1 = turned_point(at.x, at.y, room.size, place.turns)
  local x2, y2 = turned_point(
    at.x + inner.size.x - 1, at.y + inner.size.y - 1, room.size, place.turns)
  return inner, place.x + math.min(x1, x2), place.y + math.min(y1, y2)
end

local TURNS = { [0] = { false, 0 }, { false, -1 }, { true, 0 }, { false, 1 } }

local function write_cell(cell, x, y, options)
  local feature = cell.feature
  if feature == "wall" then feature = options.wall_feature end
  if feature == "floor" then feature = options.layout_floor_type end
  dgn.grid(x, y, feature)
end

-- Writes a room to the level and to the grid of usage. Nothing else is built in it or from its walls, if it
-- is not a floor plan and options.rooms_join does not let rooms of code grow out of each other.
function hyper.place.apply_room(room, place, usage, options, floor_plan)
  local vault, vault_x, vault_y = vault_of(room, place)
  local depth = place.door and (usage[place.door.y][place.door.x].depth or 0) + 1
  local taken = not floor_plan and not (options.rooms_join and not vault)
  each_cell(room, place, function(cell, x, y)
    usage[y][x] = {
      feature = cell.feature, solid = cell.solid, usage = cell.solid and "none" or "restricted",
      room = not floor_plan and room or nil, taken = taken, depth = depth,
    }
    if not cell.vault then write_cell(cell, x, y, options) end
  end)
  if vault then
    local flip, rotation = TURNS[place.turns][1], TURNS[place.turns][2]
    dgn.reuse_map(vault.placement, vault_x, vault_y, flip, flip, rotation, true, true)
  end
  if options.room_placed_callback then
    each_cell(room, place, function(cell, x, y) options.room_placed_callback(room, cell, x, y) end)
  end
  local size, around = turned_size(room.size, place.turns), options.min_distance_from_wall
  hyper.usage.analyse_grid_usage(usage, options, place.x - around, place.y - around,
    place.x + size.x - 1 + around, place.y + size.y - 1 + around)
end

-- The cells of a side through which the room touches floor outside.
local function connections(room, place, usage, side)
  local found = {}
  local out = vector.normals[(side + place.turns) % 4 + 1]
  for _, cell in ipairs(room.walls[side].cells) do
    local dx, dy = turned_point(cell.x, cell.y, room.size, place.turns)
    local x, y = place.x + dx, place.y + dy
    local outside = hyper.usage.get_usage(usage, x + out.x, y + out.y)
    if outside and not outside.solid and outside.room ~= room then found[#found + 1] = { x = x, y = y } end
  end
  return found
end

-- Doors and windows of the walls through which a room can be entered. At least the side that it was placed
-- by gets a door; others most of the time.
function hyper.rooms.decorate_walls(room, place, usage, options)
  if not room.walls then return end
  for turn = 0, 3 do
    local side = ((place.side or 0) + turn) % 4
    local cells = connections(room, place, usage, side)
    if #cells > 0 and (turn == 0 or crawl.x_chance_in_y(4, 5)) then
      local doors = 1
      if crawl.one_chance_in(3) then doors = math.abs(crawl.random2avg(9, 4) - 4) + 1 end
      local is_door = {}
      local function put(feature, solid)
        local at = cells[crawl.random2(#cells) + 1]
        if is_door[at] then return end
        is_door[at] = not solid
        dgn.grid(at.x, at.y, feature)
        usage[at.y][at.x].feature, usage[at.y][at.x].solid = feature, solid
      end
      for _ = 1, doors do put("closed_door", false) end
      if not (options.no_windows or room.no_windows) and crawl.one_chance_in(14) then
        for _ = 1, math.abs(crawl.random2avg(5, 3) - 2) + 2 do put("clear_stone_wall", true) end
      end
    end
  end
end

-- The same without doors and walls: whole sides stand open.
function hyper.rooms.decorate_walls_open(room, place, usage)
  if not room.walls then return end
  for side = 0, 3 do
    for _, at in ipairs(connections(room, place, usage, side)) do
      dgn.grid(at.x, at.y, "floor")
      usage[at.y][at.x].feature, usage[at.y][at.x].solid = "floor", false
    end
  end
end

-- Tries a few places for a room; true if one was good.
function hyper.place.place_room(room, pass, usage, options)
  local strategy = room.generator_used.strategy or pass.strategy or hyper.place.strategy_random
  for _ = 1, room.generator_used.max_place_tries or options.max_place_tries do
    local place = strategy.pick_place(usage, room, pass, options)
    if place and hyper.place.fits(room, place, usage, strategy) then
      hyper.place.apply_room(room, place, usage, options, strategy.floor_plan)
      -- Only walls need doors.
      if room.transform == "add_walls" then
        local decorate = room.generator_used.decorate_walls_callback or hyper.rooms.decorate_walls
        decorate(room, place, usage, options)
      end
      return true, place
    end
  end
  return false
end

-- Places the rooms of a pass and appends what became of them to `results`.
function hyper.place.build_rooms(pass, usage, options, results)
  if not pass.generators then error("a pass of type build needs generators.", 0) end
  local placed, failed = 0, 0
  local most = pass.max_rooms or options.max_rooms
  local tries = pass.max_room_tries or options.max_room_tries
  while placed < most and failed < tries do
    local generator = (pass.pick_room or hyper.rooms.pick_room)(pass.generators, options)
    local room = generator and hyper.rooms.make_room(generator, options)
    local done, place
    if room then done, place = hyper.place.place_room(room, pass, usage, options) end
    if done then
      placed = placed + 1
      generator.placed_count = (generator.placed_count or 0) + 1
      options.rooms_placed = options.rooms_placed + 1
      results[#results + 1] = { placed = true, room = room, pos = place }
    else
      failed = failed + 1
    end
  end
end
