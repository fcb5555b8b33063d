-- Rooms of geometric shapes on a graph of corridors (spec 06 section 15.13).
--
-- Rooms and corridors are numbered from 0; their lists have a `count`. The rooms decide on their shape by
-- the directions in which corridors leave them.
geoelf = {}
geoelf.corridors = { INACTIVE = 0, ACTIVE = 1, BLOCKED = 2 }
geoelf.directions = { S = 0, N = 1, E = 2, W = 3, SE = 4, NW = 5, SW = 6, NE = 7, COUNT = 8 }

local S, N, E, W, SE, NW, SW, NE = 0, 1, 2, 3, 4, 5, 6, 7
local REVERSE = { [S] = N, [N] = S, [E] = W, [W] = E, [SE] = NW, [NW] = SE, [SW] = NE, [NE] = SW }

-- The graph.

local function add(rooms, x, y, radius, is_dummy)
  local index = rooms.count
  rooms[index] = {
    center_x = x, center_y = y, radius = radius, is_dummy = is_dummy, corridor = {}, zone = index,
  }
  rooms.count = index + 1
  return index
end

function geoelf.add_room(rooms, x, y, radius) return add(rooms, x, y, radius, false) end

-- A place where corridors meet without a room.
function geoelf.add_room_dummy(rooms, x, y) return add(rooms, x, y, 0, true) end
function geoelf.is_room_dummy(rooms, index) return rooms[index].is_dummy end

-- A corridor that leaves room1 in a direction; `blocks` is the one it crosses, of which only one is built.
function geoelf.add_corridor(rooms, corridors, room1, room2, direction, blocks)
  for _, room in ipairs { room1, room2 } do
    if not rooms[room] then error("there is no room " .. tostring(room) .. ".", 0) end
  end
  local index = corridors.count
  corridors[index] = {
    room1 = room1, room2 = room2, direction = direction, block = blocks,
    status = geoelf.corridors.INACTIVE,
  }
  if blocks and corridors[blocks] then corridors[blocks].block = index end
  corridors.count = index + 1
  rooms[room1].corridor[direction] = index
  rooms[room2].corridor[REVERSE[direction]] = index
  return index
end

-- Which corridors are built.

local function shuffled(count)
  local list = {}
  for i = 0, count - 1 do
    local at = crawl.random2(i + 1)
    list[i] = list[at]
    list[at] = i
  end
  return list
end

local function activate(corridors, index)
  local corridor = corridors[index]
  corridor.status = geoelf.corridors.ACTIVE
  if corridor.block and corridors[corridor.block] then
    corridors[corridor.block].status = geoelf.corridors.BLOCKED
  end
end

-- As many as join all rooms.
local function activate_tree(rooms, corridors)
  local order = shuffled(corridors.count)
  for i = 0, corridors.count - 1 do
    local corridor = corridors[order[i]]
    local zone1, zone2 = rooms[corridor.room1].zone, rooms[corridor.room2].zone
    if corridor.status == geoelf.corridors.INACTIVE and zone1 ~= zone2 then
      activate(corridors, order[i])
      for r = 0, rooms.count - 1 do
        if rooms[r].zone == zone2 then rooms[r].zone = zone1 end
      end
    end
  end
end

-- A share of the others.
local function activate_some(corridors, share)
  local left = {}
  for i = 0, corridors.count - 1 do
    if corridors[i].status == geoelf.corridors.INACTIVE then left[#left + 1] = i end
  end
  local order, wanted = shuffled(#left), share * #left
  for i = 0, #left - 1 do
    if wanted < 1 then break end
    local index = left[order[i] + 1]
    if corridors[index].status == geoelf.corridors.INACTIVE then
      activate(corridors, index)
      wanted = wanted - 1
    end
  end
end

-- Shapes: how often, the directions corridors may leave in, and what is inside at a distance from the centre.

local STRAIGHT, DIAGONAL = { S, N, E, W }, { SE, NW, SW, NE }
local SHAPES = {
  { name = "square", weight = 8, allowed = STRAIGHT, inside = function(x, y, r)
    return math.max(math.abs(x), math.abs(y)) <= r
  end },
  { name = "diamond", weight = 25, allowed = DIAGONAL, inside = function(x, y, r)
    return math.abs(x) + math.abs(y) <= r
  end },
  { name = "cross", weight = 4, allowed = STRAIGHT, inside = function(x, y, r, room)
    local arm = r - room.indent
    return math.max(math.abs(x), math.abs(y)) <= r and math.min(math.abs(x), math.abs(y)) <= arm
  end },
  { name = "triangle south", weight = 2, allowed = { N, E, W, SE, SW }, inside = function(x, y, r)
    return math.abs(y) <= r and 2 * math.abs(x) <= r - y
  end },
  { name = "triangle north", weight = 2, allowed = { S, E, W, NE, NW }, inside = function(x, y, r)
    return math.abs(y) <= r and 2 * math.abs(x) <= r + y
  end },
  { name = "triangle east", weight = 2, allowed = { W, N, S, NE, SE }, inside = function(x, y, r)
    return math.abs(x) <= r and 2 * math.abs(y) <= r - x
  end },
  { name = "triangle west", weight = 2, allowed = { E, N, S, NW, SW }, inside = function(x, y, r)
    return math.abs(x) <= r and 2 * math.abs(y) <= r + x
  end },
  { name = "hexagon", weight = 5, allowed = { S, N, SE, NW, SW, NE }, inside = function(x, y, r)
    return math.abs(y) <= r - 1 and math.abs(x) + math.abs(y) / 2 <= r
  end },
  { name = "hexagon on its side", weight = 5, allowed = { E, W, SE, NW, SW, NE }, inside = function(x, y, r)
    return math.abs(x) <= r - 1 and math.abs(y) + math.abs(x) / 2 <= r
  end },
  { name = "octagon", weight = 1, allowed = { S, N, E, W, SE, NW, SW, NE }, inside = function(x, y, r, room)
    return math.max(math.abs(x), math.abs(y)) <= r and math.abs(x) + math.abs(y) <= room.oblique
  end },
}

local function choose_shape(room, corridors)
  local total, chosen = 0, nil
  for _, shape in ipairs(SHAPES) do
    local fits = true
    for direction, index in pairs(room.corridor) do
      local active = corridors[index].status == geoelf.corridors.ACTIVE
      if active and not util.contains(shape.allowed, direction) then fits = false end
    end
    if fits then
      total = total + shape.weight
      if crawl.x_chance_in_y(shape.weight, total) then chosen = shape end
    end
  end
  if chosen.name == "cross" then
    room.indent = math.min(crawl.random2(room.radius - 2) + 2, room.radius - 1)
  elseif chosen.name == "octagon" then
    room.oblique = math.floor(1.4 * room.radius + crawl.random_real())
  end
  room.shape = chosen
end

local function is_inside(room, x, y)
  if room.is_dummy then return false end
  return room.shape.inside(x - room.center_x, y - room.center_y, room.radius, room)
end

-- Decorations: what stands at a distance from the centre, if anything. All of them leave a way around.

local DECORATIONS = {
  { weight = 10, glyph = function(x, y) return x == 0 and y == 0 and "feature" end },
  { weight = 10, glyph = function(x, y, r)
    return r > 2 and math.abs(x) == math.abs(y) and math.abs(x) == math.floor(r / 2) and "wall"
  end },
  { weight = 8, glyph = function(x, y, r) return r > 2 and math.abs(x) + math.abs(y) < r - 1 and "liquid" end },
  { weight = 8, glyph = function(x, y, r)
    return r > 2 and math.max(math.abs(x), math.abs(y)) == 1 and math.min(math.abs(x), math.abs(y)) == 1
      and "plant"
  end },
  { weight = 6, glyph = function(x, y, r) return r > 3 and x % 2 == 0 and y % 2 == 0 and "plant" end },
  { weight = 4, glyph = function(x, y, r)
    local distance = math.max(math.abs(x), math.abs(y))
    return r > 3 and distance == r - 2 and x ~= 0 and y ~= 0 and "glass"
  end },
}
local FEATURES = { { "G", 10 }, { "T", 10 }, { "t", 5 } }
local PLANTS = { { "t", 10 }, { "G", 3 } }

local function choose(list)
  local total, chosen = 0, nil
  for _, entry in ipairs(list) do
    total = total + entry[2]
    if crawl.x_chance_in_y(entry[2], total) then chosen = entry[1] end
  end
  return chosen
end

local function choose_decoration(room, only_trees)
  local decoration = util.random_weighted_from("weight", DECORATIONS)
  local glyphs = {
    feature = only_trees and "t" or choose(FEATURES), plant = only_trees and "t" or choose(PLANTS),
    wall = only_trees and "t" or "x", glass = only_trees and "t" or "m", liquid = only_trees and "t" or "w",
  }
  room.decoration = function(x, y) return glyphs[decoration.glyph(x, y, room.radius) or ""] end
end

-- Corridors: the cells between two centres, in order.

local function sign(n) return n > 0 and 1 or (n < 0 and -1 or 0) end

-- A corridor along one axis runs where both rooms have room for it, as far as they do.
local function straight_path(room1, room2, along_x)
  local across = along_x and "center_y" or "center_x"
  local function reach(room) return math.max(0, room.radius - 1) end
  local low = math.max(room1[across] - reach(room1), room2[across] - reach(room2))
  local high = math.min(room1[across] + reach(room1), room2[across] + reach(room2))
  local at = low <= high and crawl.random_range(low, high) or math.floor((low + high) / 2)
  if along_x then
    return { { room1.center_x, at }, { room2.center_x, at } }
  end
  return { { at, room1.center_y }, { at, room2.center_y } }
end

-- A diagonal one has its straight part somewhere in between.
local function diagonal_path(room1, room2)
  local dx, dy = room2.center_x - room1.center_x, room2.center_y - room1.center_y
  local diagonal = math.min(math.abs(dx), math.abs(dy))
  local first = crawl.random_range(0, diagonal)
  local x, y = room1.center_x + sign(dx) * first, room1.center_y + sign(dy) * first
  local rest_x, rest_y = dx - sign(dx) * diagonal, dy - sign(dy) * diagonal
  return {
    { room1.center_x, room1.center_y }, { x, y }, { x + rest_x, y + rest_y },
    { room2.center_x, room2.center_y },
  }
end

local function cells_of(path)
  local cells = { { x = path[1][1], y = path[1][2] } }
  for i = 2, #path do
    local last = cells[#cells]
    local x, y = last.x, last.y
    while x ~= path[i][1] or y ~= path[i][2] do
      x, y = x + sign(path[i][1] - x), y + sign(path[i][2] - y)
      cells[#cells + 1] = { x = x, y = y }
    end
  end
  return cells
end

-- A corridor with doors where it leaves its rooms.
local function draw_corridor(grid, rooms, corridor)
  local room1, room2 = rooms[corridor.room1], rooms[corridor.room2]
  local outside = {}
  for _, cell in ipairs(corridor.cells) do
    if not is_inside(room1, cell.x, cell.y) and not is_inside(room2, cell.x, cell.y) then
      outside[#outside + 1] = cell
    end
  end
  for i, cell in ipairs(outside) do
    local door = (i == 1 and not room1.is_dummy) or (i == #outside and not room2.is_dummy)
    if grid[cell.x][cell.y] ~= "." then grid[cell.x][cell.y] = door and "+" or "." end
  end
end

local function draw_room(grid, room)
  for y = room.center_y - room.radius, room.center_y + room.radius do
    for x = room.center_x - room.radius, room.center_x + room.radius do
      if is_inside(room, x, y) then
        local glyph = room.decoration and room.decoration(x - room.center_x, y - room.center_y)
        grid[x][y] = glyph or "."
      end
    end
  end
end

-- Chooses corridors and shapes and draws them onto the map, which is large enough and solid.
--
-- extra: the share of corridors beyond those needed; fancy: the share of rooms with decorations; only_trees:
-- these are all trees; open_edge: the map's edge is floor.
function geoelf.generate(e, rooms, corridors, extra, fancy, only_trees, open_edge)
  activate_tree(rooms, corridors)
  activate_some(corridors, extra)
  for i = 0, corridors.count - 1 do
    local corridor = corridors[i]
    if corridor.status == geoelf.corridors.ACTIVE then
      local room1, room2 = rooms[corridor.room1], rooms[corridor.room2]
      local direction = corridor.direction
      corridor.cells = cells_of(direction < SE
        and straight_path(room1, room2, direction == E or direction == W)
        or diagonal_path(room1, room2))
    end
  end
  local order = shuffled(rooms.count)
  for i = 0, rooms.count - 1 do
    local room = rooms[order[i]]
    if not room.is_dummy then
      local decorated = crawl.random_real() < fancy
      choose_shape(room, corridors)
      if decorated then choose_decoration(room, only_trees) end
    end
  end

  local grid = e.mapgrd
  for i = 0, corridors.count - 1 do
    if corridors[i].status == geoelf.corridors.ACTIVE then draw_corridor(grid, rooms, corridors[i]) end
  end
  for i = 0, rooms.count - 1 do
    if not rooms[i].is_dummy then draw_room(grid, rooms[i]) end
  end
  if open_edge then
    local width, height = e.width(), e.height()
    for x = 0, width - 1 do grid[x][0], grid[x][height - 1] = ".", "." end
    for y = 0, height - 1 do grid[0][y], grid[width - 1][y] = ".", "." end
  end
  -- Corridors that a room cut short end in its walls or in its decoration.
  for i = 0, corridors.count - 1 do
    local corridor = corridors[i]
    if corridor.status == geoelf.corridors.ACTIVE then
      for _, cell in ipairs(corridor.cells) do
        if not (".+"):find(grid[cell.x][cell.y], 1, true) then grid[cell.x][cell.y] = "." end
      end
    end
  end
  e.remove_disconnected_doors {}
  e.add_windows {}
end
