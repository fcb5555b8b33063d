-- Rooms: painted by code, or vaults chosen by tag.
--
-- A room has `size`, a `grid` of cells (`hyper_paint.lua`), its `generator_used`, for a vault the `map` and
-- its `placement`, and, once analysed, `walls`: for each side (0 north, 1 west, 2 south, 3 east) the cells
-- through which one can go out, with `eligible` telling whether there are any.
hyper = hyper or {}
hyper.rooms = {}

-- Sizes.

local function extent(low, high) return low + crawl.random2(crawl.random2(high - low + 1)) end

function hyper.rooms.size_default(generator)
  local x = extent(generator.min_size_x or generator.min_size, generator.max_size_x or generator.max_size)
  local y = extent(generator.min_size_y or generator.min_size, generator.max_size_y or generator.max_size)
  return { x = x, y = y }
end

function hyper.rooms.size_square(generator)
  local size = crawl.random_range(generator.min_size, generator.max_size)
  return { x = size, y = size }
end

function hyper.rooms.size_square_lower(generator)
  local size = extent(generator.min_size, generator.max_size)
  return { x = size, y = size }
end

-- Choosing and making.

-- A generator by its weight; those that have placed all their rooms weigh nothing.
function hyper.rooms.pick_room(generators)
  return util.random_weighted_from(function(generator)
    if generator.max_rooms and (generator.placed_count or 0) >= generator.max_rooms then return 0 end
    return generator.weight or 10
  end, generators)
end

local function blank(size)
  local grid = {}
  for y = 0, size.y - 1 do
    grid[y] = {}
    for x = 0, size.x - 1 do grid[y][x] = hyper.paint.feature_flags("space") end
  end
  return grid
end

-- generator: size_callback(generator, options) or sizes from min_size to max_size (also _x, _y);
-- paint_callback(room, options, generator), which returns a paint list.
function hyper.rooms.make_code_room(generator, options)
  local size = (generator.size_callback or hyper.rooms.size_default)(generator, options)
  local room = { type = "grid", size = size, grid = blank(size), generator_used = generator }
  local paint = generator.paint_callback or rooms.primitive.floor
  hyper.paint.paint_grid(paint(room, options, generator), room.grid)
  return room
end

-- generator.tag names the maps. They lie as they were drawn until the room is placed, and stay `passable`
-- afterwards. Nil if there is none, or it does not fit generator.max_size.
function hyper.rooms.make_tagged_room(generator)
  local map = dgn.map_by_tag(generator.tag, true)
  if not map then return nil end
  local before = " " .. dgn.tags(map) .. " "
  dgn.tags(map, "no_vmirror no_hmirror no_rotate passable")
  local resolved, placement = dgn.resolve_map(map, false)
  for _, tag in ipairs { "no_vmirror", "no_hmirror", "no_rotate" } do
    if not before:find(" " .. tag .. " ", 1, true) then dgn.tags_remove(map, tag) end
  end
  if not resolved then return nil end
  local width, height = dgn.mapsize(resolved)
  local room = {
    type = "vault", size = { x = width, y = height }, map = resolved, placement = placement,
    generator_used = generator, no_windows = dgn.has_tag(resolved, "no_windows"),
    wall_fixup = not dgn.has_tag(resolved, "no_wall_fixup"),
  }
  if generator.max_size and (width > generator.max_size or height > generator.max_size) then return nil end
  room.grid = blank(room.size)
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local feature, exit, outside = dgn.inspect_map(placement, x, y)
      local name = dgn.feature_name(feature)
      room.has_exits = room.has_exits or exit
      room.grid[y][x] = {
        feature = name, solid = outside or feat.is_solid(name), space = outside, vault = true,
        exit = exit,
      }
    end
  end
  for _, side in ipairs(vector.normals) do
    if dgn.has_tag(resolved, "vaults_orient_" .. side.name) then room.only_side = side.dir end
  end
  return room
end

-- Fills room.walls. Seen from each side, line by line, the first cell that is not space is a way in if it
-- is floor, or a wall with floor behind it.
function hyper.rooms.analyse_room(room)
  local inner = room.inner_room or room
  room.walls = {}
  for dir, direction in ipairs(vector.normals) do
    local wall = { eligible = false, cells = {} }
    room.walls[dir - 1] = wall
    if not inner.only_side or inner.only_side == dir - 1 then
      local length = direction.x == 0 and room.size.x or room.size.y
      for i = 0, length - 1 do
        local x = direction.x == 0 and i or (direction.x < 0 and 0 or room.size.x - 1)
        local y = direction.y == 0 and i or (direction.y < 0 and 0 or room.size.y - 1)
        local at = hyper.rooms.way_in(room, x, y, -direction.x, -direction.y, inner.has_exits)
        if at then table.insert(wall.cells, at) end
      end
      wall.eligible = #wall.cells > 0
    end
  end
end

function hyper.rooms.way_in(room, x, y, dx, dy, only_exits)
  local function cell_at(cx, cy) return room.grid[cy] and room.grid[cy][cx] end
  local cell = cell_at(x, y)
  while cell and cell.space do
    x, y = x + dx, y + dy
    cell = cell_at(x, y)
  end
  if not cell then return nil end
  local inside = cell.solid and cell_at(x + dx, y + dy) or cell
  if not inside or inside.solid or (only_exits and not inside.exit) then return nil end
  return { x = x, y = y }
end

function hyper.rooms.make_room(generator, options)
  local make = generator.generator == "tagged" and hyper.rooms.make_tagged_room or hyper.rooms.make_code_room
  local room = make(generator, options)
  if not room then return nil end
  local transform = generator.room_transform or options.room_transform
  if transform then room = transform(room, options) end
  if room and generator.analyse ~= false then hyper.rooms.analyse_room(room) end
  return room
end

-- Transforms: a room around a room.

local function around(room, name, feature)
  local size = { x = room.size.x + 2, y = room.size.y + 2 }
  local outer = {
    type = "transform", transform = name, size = size, grid = blank(size), inner_room = room,
    inner_room_pos = { x = 1, y = 1 }, generator_used = room.generator_used, no_windows = room.no_windows,
  }
  local function inside(x, y)
    local cell = room.grid[y - 1] and room.grid[y - 1][x - 1]
    return cell and not cell.space and cell or nil
  end
  for y = 0, size.y - 1 do
    for x = 0, size.x - 1 do
      if inside(x, y) then
        outer.grid[y][x] = inside(x, y)
      else
        for _, direction in ipairs(vector.directions) do
          if inside(x + direction.x, y + direction.y) then
            outer.grid[y][x] = hyper.paint.feature_flags(feature)
            break
          end
        end
      end
    end
  end
  return outer
end

-- Walls that follow the shape of the room; the same as floor; both.
function hyper.rooms.add_walls(room) return around(room, "add_walls", "wall") end
function hyper.rooms.add_buffer(room) return around(room, "add_buffer", "floor") end
function hyper.rooms.add_buffer_walls(room)
  return hyper.rooms.add_walls(hyper.rooms.add_buffer(room))
end
