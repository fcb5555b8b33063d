-- What the cells of a level are used for while rooms are being placed.
--
-- A cell has its feature and
-- * solid: nobody walks here; space: nothing has been put here yet;
-- * vault: it belongs to a vault, or lies on the edge of the level, and stays as it is;
-- * room: the room it belongs to; taken: nothing else is built there; depth: how many rooms lie between
--   it and the floor plan;
-- * usage: "open" (floor with no wall near), "eligible" (wall with floor on one side, in direction
--   `normal`), "restricted" or "none" (anything else solid), as analysed.
hyper = hyper or {}
hyper.usage = {}

-- A grid whose cells are made by initialiser(x, y, grid).
function hyper.usage.new_usage(width, height, initialiser)
  local grid = { width = width, height = height }
  for y = 0, height - 1 do
    grid[y] = {}
    for x = 0, width - 1 do grid[y][x] = initialiser(x, y, grid) end
  end
  return grid
end

-- The cell, or nil outside.
function hyper.usage.get_usage(grid, x, y) return grid[y] and grid[y][x] end
function hyper.usage.set_usage(grid, x, y, cell) grid[y][x] = cell end

-- Space everywhere, but where vaults stand and on the edge of the level.
function hyper.usage.grid_initialiser(x, y, grid)
  local edge = x == 0 or y == 0 or x == grid.width - 1 or y == grid.height - 1
  return {
    feature = "space", solid = true, space = true, usage = "none", vault = edge or dgn.in_vault(x, y),
  }
end

local function is_floor(grid, x, y)
  local cell = hyper.usage.get_usage(grid, x, y)
  return cell ~= nil and not cell.solid
end

local function far_from_walls(grid, x, y, distance)
  for dy = -distance, distance do
    for dx = -distance, distance do
      if not is_floor(grid, x + dx, y + dy) then return false end
    end
  end
  return true
end

local function analyse_cell(grid, x, y, distance)
  local cell = grid[y][x]
  cell.normal = nil
  if cell.vault then
    cell.usage = "restricted"
  elseif not cell.solid then
    cell.usage = far_from_walls(grid, x, y, distance) and "open" or "restricted"
  else
    local sides, corners, normal = 0, 0, nil
    for _, direction in ipairs(vector.normals) do
      if is_floor(grid, x + direction.x, y + direction.y) then sides, normal = sides + 1, direction end
    end
    for _, direction in ipairs(vector.diagonals) do
      if is_floor(grid, x + direction.x, y + direction.y) then corners = corners + 1 end
    end
    if sides == 1 then
      cell.usage, cell.normal = "eligible", normal
    else
      cell.usage = (sides == 0 and corners <= 1) and "none" or "restricted"
    end
  end
end

-- Decides the usage of the cells of a rectangle (the whole grid without one). Taken cells
-- stay as they are.
function hyper.usage.analyse_grid_usage(grid, options, x1, y1, x2, y2)
  grid.spots = {}
  for x = math.max(0, x1 or 0), math.min(grid.width - 1, x2 or grid.width - 1) do
    for y = math.max(0, y1 or 0), math.min(grid.height - 1, y2 or grid.height - 1) do
      local cell = grid[y][x]
      if not cell.taken then analyse_cell(grid, x, y, options.min_distance_from_wall) end
    end
  end
end

-- The cells of one usage, or two, column by column.
function hyper.usage.spots(grid, kind, other)
  local key = kind .. (other or "")
  if not grid.spots[key] then
    local spots = {}
    for x = 0, grid.width - 1 do
      for y = 0, grid.height - 1 do
        local cell = grid[y][x]
        if not cell.taken and (cell.usage == kind or cell.usage == other) then
          spots[#spots + 1] = { x = x, y = y }
        end
      end
    end
    grid.spots[key] = spots
  end
  return grid.spots[key]
end

function hyper.usage.filter_usage(grid, filter, transform)
  for y = 0, grid.height - 1 do
    for x = 0, grid.width - 1 do
      if filter(grid[y][x], x, y) then grid[y][x] = transform(grid[y][x], x, y) end
    end
  end
end
