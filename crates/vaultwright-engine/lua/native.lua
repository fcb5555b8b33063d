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

-- The Lua that builds a room at a place if it fits there. The native functions draw how it would
-- stand, and list its cells there; they answer nil for what they leave to the Lua, and false if it
-- cannot.
function native.building(stand, cells_of, interpreted)
  local smaller = math.min
  return function(environment, pos, plan, usage, room, options, ...)
    local turns, door, x, y = stand(environment, pos, plan, usage, room, options)
    if turns == nil then return interpreted(environment, pos, plan, usage, room, options, ...) end
    if not turns then return false end
    local state = {
      usage = usage, pos = pos, usage_grid = plan, wall = door, dir = turns, room = room,
      base = { x = x, y = y },
    }
    local cells = cells_of(environment, pos, plan, usage, room, options, turns, x, y)
    if cells == nil then return interpreted(environment, pos, plan, usage, room, options, ...) end
    if not cells then return false end

    local width, height = room.size.x - 1, room.size.y - 1
    if turns == 1 then width, height = height, -width
    elseif turns == 2 then width, height = -width, -height
    elseif turns == 3 then width, height = -height, width end
    room.origin = { x = smaller(x, x + width), y = smaller(y, y + height) }
    room.wall_type = options.layout_wall_type
    local from, depth = usage.usage, (usage.depth or 1) + 1
    local walls, is_grid = room.wall_type, room.type == "grid"
    local grid, set_usage, normals = dgn.grid, vaults_set_usage, hypervaults.normals
    -- Cells that doors can be in: to the open, to what the room is built on, to others by sides.
    local outer, inner, others = {}, {}, {}
    for i = 1, #cells do
      local at = cells[i]
      local x, y = at.grid_pos.x, at.grid_pos.y
      local mask, cell, before = at.room_mask, at.room_cell, at.grid_usage
      local wall, connected = mask.wall, mask.connected
      if wall then grid(x, y, walls)
      elseif is_grid and not cell.space and cell.feature ~= nil then grid(x, y, cell.feature) end
      if mask.vault then
        if cell.empty then set_usage(plan, x, y, { usage = "empty" })
        else set_usage(plan, x, y, { usage = "restricted", room = room, reason = "vault" }) end
      elseif wall then
        local was, exits = before.usage, nil
        if was == "open" then
          exits = outer
        elseif was == from and (was == "eligible" or was == "eligible_open") then
          if before.room == usage.room then
            set_usage(plan, x, y, { usage = "restricted", room = room, reason = "door" })
            exits = inner
          else
            set_usage(plan, x, y, { usage = "restricted", room = room, reason = "cell" })
            if connected then
              exits = others[mask.dir] or {}
              others[mask.dir] = exits
            end
          end
        end
        if connected and exits then
          exits[#exits + 1] = {
            room_coord = at.room_pos, grid_pos = at.grid_pos, usage = before, mask = mask,
          }
        end
        if connected and (was == "open" or was == "none") then
          set_usage(plan, x, y, {
            usage = from == "eligible" and "eligible" or "eligible_open", room = room,
            normal = normals[(mask.dir + turns) % 4 + 1], depth = depth, cell = cell, mask = mask,
          })
        elseif was == "open" and not connected then
          set_usage(plan, x, y, {
            usage = "restricted", reason = "wall", room = room, cell = cell, mask = mask,
            depth = depth,
          })
        end
      end
    end
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
