-- How functions of a library and native ones stand for each other. Errors of the Lua pass as they
-- are, since nothing but Lua lies between.
local native = {}

-- What the native function does; it answers nil for what it leaves to the Lua, and true for no
-- result.
function native.join(native, interpreted)
  return function(...)
    local answer = native(...)
    if answer == nil then return interpreted(...) end
    if answer == true then return end
    return answer
  end
end

-- The Lua that draws a map, with what `prepare` makes of the function of a cell. While it draws
-- there are native functions where that one and the function of results hold some of the library's.
-- Where `prepare` returns a function that draws, that one draws all cells up to one for which there
-- is no glyph.
function native.drawing(prepare, put_back, interpreted)
  -- Goes on with this cell, whose answer may be known: the Lua goes through all cells again, but
  -- nobody is asked about those that are drawn.
  local function go_on(map, value, result, from_x, from_y, answer)
    local is_drawn = true
    local function value_from(x, y)
      if x == from_x and y == from_y then is_drawn = false end
      if not is_drawn and (answer == nil or x ~= from_x or y ~= from_y) then return value(x, y) end
    end
    local function result_from(value, x, y)
      if is_drawn then return nil end
      if answer ~= nil and x == from_x and y == from_y then return answer end
      return result(value, x, y)
    end
    return interpreted(map, value_from, result_from)
  end
  return function(map, value, result, ...)
    local prepared, draw = prepare(map, value, result)
    if draw then
      local width, height = dgn.builder_bounds()
      map.extend_map { width = width, height = height, fill = "x" }
      local x, y, answer = draw(result)
      if x then go_on(map, prepared, result, x, y, answer) end
    else
      interpreted(map, prepared, result, ...)
    end
    put_back()
  end
end

-- The Lua that places a room of the Vaults, of whose tries those are made natively that fail. The
-- native function is told how many there were, and answers nil for what it leaves to the Lua, false
-- if the room fits nowhere, or how many it has made now and where the room fits.
function native.placing(find, interpreted)
  return function(environment, plan, room, options, ...)
    local tried = 0
    while true do
      local failed, at, cell, x, y = find(tried, environment, plan, room, options)
      if failed == nil then return interpreted(environment, plan, room, options, ...) end
      if not failed then return { placed = false, coords_list = false } end
      at = at or dgn.point(x, y)
      local cells = vaults_maybe_place_vault(environment, at, plan, cell, room, options)
      if cells then return { placed = true, coords_list = cells } end
      tried = failed + 1
    end
  end
end

-- The Lua that builds a room at a place if it fits there. The native function draws how it would
-- stand, and writes it into the plan and on the level; it answers nil for what it leaves to the Lua,
-- and false if the room cannot stand so. Vaults and doors are left.
function native.building(build, interpreted)
  local smaller = math.min
  return function(environment, pos, plan, usage, room, options, ...)
    local cells, outer, inner, others, turns, door, x, y =
      build(environment, pos, plan, usage, room, options)
    if cells == nil then return interpreted(environment, pos, plan, usage, room, options, ...) end
    if not cells then return false end
    local state = {
      usage = usage, pos = pos, usage_grid = plan, wall = door, dir = turns, room = room,
      base = { x = x, y = y },
    }
    local width, height = room.size.x - 1, room.size.y - 1
    if turns == 1 then width, height = height, -width
    elseif turns == 2 then width, height = -width, -height
    elseif turns == 3 then width, height = -height, width end
    room.origin = { x = smaller(x, x + width), y = smaller(y, y + height) }
    room.wall_type = options.layout_wall_type
    if room.type == "vault" then
      local turned = turns == 1 and -1 or turns == 3 and 1 or 0
      local over = turns == 2
      dgn.reuse_map(room.vplace, room.origin.x, room.origin.y, over, over, turned, true, true)
    end
    local decorate = options.decorate_walls_callback or hypervaults.rooms.decorate_walls
    if #outer > 0 then decorate(state, outer, true, true) end
    if #inner > 0 then decorate(state, inner, true, true) end
    for side = 0, 3 do
      if others[side] then decorate(state, others[side], false, true) end
    end
    return cells
  end
end

-- The Lua that paints a list of things into a plan. `corners` answers for a rectangle a function that
-- fills it, and its corners. A list with anything else is left to the Lua, whose callbacks see where
-- they are called from.
function native.painting(corners, interpreted)
  local ipairs, type, metatable = ipairs, type, getmetatable
  return function(paint, options, plan, ...)
    local rectangles = {}
    if type(paint) == "table" and metatable(paint) == nil then
      for number, item in ipairs(paint) do
        local fill, left, top, right, bottom = corners(item)
        if not fill then return interpreted(paint, options, plan, ...) end
        rectangles[number] = { fill, left, top, right, bottom }
      end
    end
    if #rectangles == 0 then return interpreted(paint, options, plan, ...) end
    for number, sides in ipairs(rectangles) do
      local item = paint[number]
      local feature, space, solid, wall = hyper.paint.feature_flags(item.type, options)
      if type(feature) == "string" then
        sides[1](plan, sides[2], sides[3], sides[4], sides[5], feature, space, solid, wall)
      else
        interpreted({ item }, options, plan)
      end
    end
  end
end

-- The Lua that looks whether a room of `hyper` can stand at a place. The native function answers nil
-- for what it leaves to the Lua, false if it cannot, or the list of its cells and where it begins.
function native.standing(find, interpreted)
  return function(anchor, place, room, strategy, build, plan, options, ...)
    local coords, x, y = find(anchor, place, room, strategy, build, plan, options)
    if coords == nil then
      return interpreted(anchor, place, room, strategy, build, plan, options, ...)
    end
    if not coords then return false end
    local normals, turns = vector.normals, anchor.dir
    local state = {
      pos = place.pos, wall = nil, room = room, dir = turns, usage = place.usage,
      base = { x = x, y = y }, build = build, anchor = anchor,
      normals = { x = normals[(turns + 3) % 4 + 1], y = normals[(turns + 2) % 4 + 1] },
      options = options,
    }
    state.coords = coords
    return state
  end
end

-- The Lua that builds such a room at its place. The native function writes it on the level, and
-- answers nil for what it leaves to the Lua, or what writes it into the plan.
function native.settling(settle, interpreted)
  return function(state, room, build, plan, options, ...)
    local write, decorate, normals, x, y, right_x, right_y, down_x, down_y, turns, depth =
      settle(state, room, build, plan, options)
    if write == nil then return interpreted(state, room, build, plan, options, ...) end
    local coords = state.coords
    local entrances = write(plan, coords, room, normals, state.usage, x, y, right_x, right_y,
      down_x, down_y, turns, depth)
    decorate(state, entrances, true)
    return coords
  end
end

-- A room that has been made is given its walls natively, and the Lua that would do it one of no size
-- instead: `maker` is around the functions that make a room, `picker` around the one that calls
-- them.
function native.picking(prepare)
  local nowhere = { x = -2, y = -2 }
  local made, size, walls, masks
  local function maker(make)
    return function(...)
      local room = make(...)
      local own_walls, own_masks = prepare(room, ...)
      if own_walls then
        made, size, walls, masks = room, room.size, own_walls, own_masks
        room.size = nowhere
      end
      return room
    end
  end
  local function picker(pick)
    return function(...)
      local room = pick(...)
      if room and room == made then
        room.size, room.walls, room.mask_grid = size, walls, masks
        made, size, walls, masks = nil, nil, nil, nil
      end
      return room
    end
  end
  return maker, picker
end

-- The Lua that tells how a plan is used. The native function answers its width, its height and a
-- letter for each cell, column by column; the functions of the library write the cells.
function native.using(letters, new_usage, set_usage, interpreted)
  local sub = string.sub
  return function(layout, options, ...)
    local width, height, cells = letters(layout, options)
    if width == nil then return interpreted(layout, options, ...) end
    local away = {
      l = { x = -1, y = 0 }, g = { x = 1, y = 0 }, u = { x = 0, y = -1 }, d = { x = 0, y = 1 },
    }
    local usage, at = new_usage(width, height), 0
    for x = 0, width - 1 do
      for y = 0, height - 1 do
        at = at + 1
        local letter = sub(cells, at, at)
        local normal = away[letter]
        if normal then
          set_usage(usage, x, y, { usage = "eligible", normal = normal, depth = 1 })
        elseif letter == "b" then set_usage(usage, x, y, { usage = "restricted", reason = "border" })
        elseif letter == "r" then set_usage(usage, x, y, { usage = "restricted" })
        elseif letter == "o" then set_usage(usage, x, y, { usage = "open" })
        elseif letter == "n" then set_usage(usage, x, y, { usage = "none" })
        end
      end
    end
    return usage
  end
end

-- The Lua that draws a room of the Elven Halls. The native function begins, and is done unless the
-- room is decorated: then it answers the library's function that lays it out, and what that is
-- called with. The other one draws what it returns, and answers false for what it leaves to the Lua.
function native.elf_rooms(begin, finish, interpreted)
  return function(...)
    local lay_out, radius, more, decorated = begin(...)
    if lay_out == nil then return interpreted(...) end
    if lay_out and not finish(lay_out(radius, more, decorated)) then return interpreted(...) end
  end
end

return native
