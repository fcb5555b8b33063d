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

-- The Lua, with another second argument.
function native.prepare(other, interpreted)
  return function(first, second, ...) return interpreted(first, other(second), ...) end
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

return native
