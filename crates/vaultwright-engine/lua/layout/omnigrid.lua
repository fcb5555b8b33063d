-- Rectangles divided again and again, and what is made of the cells (spec 06 section 15.13).
omnigrid = {}

crawl_require("dlua/layout/vector.lua")

omnigrid.grid_defaults = {
  subdivide_initial_chance = 100, subdivide_level_multiplier = 0.8, guaranteed_divides = 1,
  minimum_size_x = 15, minimum_size_y = 15,
  choose_axis = function() return crawl.coinflip() and "y" or "x" end,
}

omnigrid.paint_defaults = {
  fill_chance = 64, corridor_width = 4, outer_corridor = true, jitter = false, jitter_min = -3,
  jitter_max = 1, feature_type = "floor",
}

local function with_defaults(options, defaults)
  local merged = {}
  for key, value in pairs(defaults) do merged[key] = value end
  for key, value in pairs(options or {}) do merged[key] = value end
  return merged
end

-- The level, or `bounds`, with each side moved inwards.
function omnigrid.padded_bounds(min, max, bounds)
  local width, height = dgn.max_bounds()
  bounds = bounds or { x1 = 1, y1 = 1, x2 = width - 2, y2 = height - 2 }
  local padded = {}
  padded.x1 = bounds.x1 + crawl.random_range(min, max)
  padded.y1 = bounds.y1 + crawl.random_range(min, max)
  padded.x2 = bounds.x2 - crawl.random_range(min, max)
  padded.y2 = bounds.y2 - crawl.random_range(min, max)
  return padded
end

-- Dividing. Directions of borders: 0 north, 1 west, 2 south, 3 east; of edges: 1 north, 2 west, 3
-- south, 4 east.

-- Makes two cells neighbours where `a` lies west (or north) of `b`.
local function join(a, b, along_y)
  local low, high
  if along_y then
    low, high = math.max(a.x1, b.x1), math.min(a.x2, b.x2)
  else
    low, high = math.max(a.y1, b.y1), math.min(a.y2, b.y2)
  end
  if low > high then return end
  local from = { of = a, with = b, len = high - low + 1 }
  local back = { of = b, with = a, len = high - low + 1, inverse = from }
  from.inverse = back
  if along_y then
    from.dir, from.x1, from.x2, from.y1, from.y2 = 2, low, high, a.y2, a.y2
    back.dir, back.x1, back.x2, back.y1, back.y2 = 0, low, high, b.y1, b.y1
  else
    from.dir, from.x1, from.x2, from.y1, from.y2 = 3, a.x2, a.x2, low, high
    back.dir, back.x1, back.x2, back.y1, back.y2 = 1, b.x1, b.x1, low, high
  end
  table.insert(a.borders, from)
  table.insert(b.borders, back)
end

-- Notes that the corners of two cells touch.
local function join_corners(a, b, along_y)
  local dir_a, dir_b, corner_a, corner_b
  if along_y and a.x2 + 1 == b.x1 then
    dir_a, dir_b, corner_a, corner_b = 2.5, 0.5, { a.x2, a.y2 }, { b.x1, b.y1 }
  elseif along_y and b.x2 + 1 == a.x1 then
    dir_a, dir_b, corner_a, corner_b = 1.5, 3.5, { a.x1, a.y2 }, { b.x2, b.y1 }
  elseif not along_y and a.y2 + 1 == b.y1 then
    dir_a, dir_b, corner_a, corner_b = 2.5, 0.5, { a.x2, a.y2 }, { b.x1, b.y1 }
  elseif not along_y and b.y2 + 1 == a.y1 then
    dir_a, dir_b, corner_a, corner_b = 3.5, 1.5, { a.x2, a.y1 }, { b.x1, b.y2 }
  else
    return
  end
  local from = { of = a, with = b, dir = dir_a, x = corner_a[1], y = corner_a[2] }
  local back = { of = b, with = a, dir = dir_b, x = corner_b[1], y = corner_b[2], inverse = from }
  from.inverse = back
  table.insert(a.diagonals, from)
  table.insert(b.diagonals, back)
end

local function divide(x1, y1, x2, y2, options, chance, depth)
  local width, height = x2 - x1 + 1, y2 - y1 + 1
  local can_x, can_y = width >= 2 * options.minimum_size_x, height >= 2 * options.minimum_size_y
  -- Only the width forces a division: so does the reference.
  local forced = options.maximum_size_x and width > options.maximum_size_x
  local stop = not (can_x or can_y)
  if not forced and depth >= options.guaranteed_divides then
    stop = crawl.random2(100) >= chance or stop
  end
  if stop then
    return {
      { x1 = x1, y1 = y1, x2 = x2, y2 = y2, depth = depth, borders = {}, diagonals = {}, edges = {} },
    }
  end
  local axis = can_x and "x" or "y"
  if can_x and can_y then axis = options.choose_axis(width, height, depth) end
  if not forced then chance = chance * options.subdivide_level_multiplier end
  local first, second
  if axis == "x" then
    local at = crawl.random_range(options.minimum_size_x, width - options.minimum_size_x)
    first = divide(x1, y1, x1 + at - 1, y2, options, chance, depth + 1)
    second = divide(x1 + at, y1, x2, y2, options, chance, depth + 1)
  else
    local at = crawl.random_range(options.minimum_size_y, height - options.minimum_size_y)
    first = divide(x1, y1, x2, y1 + at - 1, options, chance, depth + 1)
    second = divide(x1, y1 + at, x2, y2, options, chance, depth + 1)
  end
  local along_y = axis == "y"
  local count = #first
  for _, b in ipairs(second) do
    for i = 1, count do
      local a = first[i]
      if (along_y and a.y2 + 1 == b.y1) or (not along_y and a.x2 + 1 == b.x1) then
        join(a, b, along_y)
        join_corners(a, b, along_y)
      end
    end
  end
  for _, cell in ipairs(second) do first[#first + 1] = cell end
  return first
end

-- The cells of a rectangle, each with its borders to others and the edges of the rectangle it touches.
function omnigrid.subdivide(x1, y1, x2, y2, options)
  options = with_defaults(options, omnigrid.grid_defaults)
  for _, axis in ipairs { "_x", "_y" } do
    if options.minimum_size then options["minimum_size" .. axis] = options.minimum_size end
    if options.maximum_size then options["maximum_size" .. axis] = options.maximum_size end
  end
  local cells = divide(x1, y1, x2, y2, options, options.subdivide_initial_chance, 0)
  for _, cell in ipairs(cells) do
    if cell.y1 == y1 then table.insert(cell.edges, { dir = 1 }) end
    if cell.x1 == x1 then table.insert(cell.edges, { dir = 2 }) end
    if cell.y2 == y2 then table.insert(cell.edges, { dir = 3 }) end
    if cell.x2 == x2 then table.insert(cell.edges, { dir = 4 }) end
  end
  return cells
end

-- Painting: a block of solid space in most cells, corridors between them. `options.size` is the size
-- of the room that is painted: at its edges the corridor is whole, or left out.
function omnigrid.paint(cells, options, paint)
  options = with_defaults(options, omnigrid.paint_defaults)
  paint = paint or {}
  local width = options.corridor_width
  local near, far = math.floor(width / 2), math.ceil(width / 2)
  local outer = options.outer_corridor and width or 0
  local right, bottom = options.size and options.size.x - 1, options.size and options.size.y - 1
  local function jitter()
    return options.jitter and crawl.random_range(options.jitter_min, options.jitter_max) or 0
  end
  for _, cell in ipairs(cells) do
    if crawl.random2(100) < options.fill_chance then
      local x1 = cell.x1 + (cell.x1 == 0 and outer or near) - jitter()
      local y1 = cell.y1 + (cell.y1 == 0 and outer or near) - jitter()
      local x2 = cell.x2 - (cell.x2 == right and outer or far) + jitter()
      local y2 = cell.y2 - (cell.y2 == bottom and outer or far) + jitter()
      if x1 <= x2 and y1 <= y2 then
        table.insert(paint, { type = "space", corner1 = { x = x1, y = y1 }, corner2 = { x = x2, y = y2 } })
      end
    end
  end
  return paint
end

-- Groups: each cell has a list of the cells joined with it, itself included.

-- Puts every cell into a group of its own; returns the groups.
function omnigrid.groups(cells)
  local groups = {}
  for i, cell in ipairs(cells) do
    cell.group = { cell }
    cell.borders_left = #cell.borders
    groups[i] = cell.group
  end
  return groups
end

local function merge(groups, into, other)
  if into == other then return end
  for _, cell in ipairs(other) do
    cell.group = into
    into[#into + 1] = cell
  end
  for i, group in ipairs(groups) do
    if group == other then
      table.remove(groups, i)
      return
    end
  end
end

local function weighted_group(groups, weight)
  return util.random_weighted_keys(function(_, group) return weight(group) end, groups)
end

-- Gives borders a style, from cell to cell, until few enough groups are left.
--
-- options: grid; style_func(border, cell, groups, count of groups), whose answer becomes the border's
-- `style`; group_weight(group), cell_weight(cell), border_weight(border); min_border_length (2),
-- min_groups (1), max_iterations (500).
function omnigrid.connect(options)
  local shortest = options.min_border_length or 2
  local groups = omnigrid.groups(options.grid)
  local group_weight = options.group_weight or function(group) return math.ceil(1000 / #group) end
  local cell_weight = options.cell_weight or function(cell) return cell.borders_left end
  local border_weight = options.border_weight or function() return 10 end
  for _ = 1, options.max_iterations or 500 do
    if #groups <= (options.min_groups or 1) then break end
    local group = weighted_group(groups, group_weight)
    local cell = group and util.random_weighted_from(cell_weight, group)
    local border = cell and util.random_weighted_from(function(border)
      if border.style or border.len < shortest or border.with.group == border.of.group then return 0 end
      return border_weight(border)
    end, cell.borders)
    -- Borders of no weight can be all there is.
    if border and not border.style and border.with.group ~= border.of.group and border.len >= shortest then
      local style = options.style_func(border, cell, groups, #groups)
      border.style, border.inverse.style = style, style
      border.of.borders_left = border.of.borders_left - 1
      border.with.borders_left = border.with.borders_left - 1
      merge(groups, border.of.group, border.with.group)
    end
  end
  return groups
end

-- Gives cells tiles: a tile by its weight, then a cell that is joined with no other; neighbours of one
-- tile become one group.
--
-- options: grid; tiles (names, or tables with a weight); cell_weight(cell, tile), 0 for cells that are to
-- stay as they are; min_groups (1), max_iterations (500).
function omnigrid.tilepick(options)
  local groups = omnigrid.groups(options.grid)
  local cell_weight = options.cell_weight or function() return 10 end
  for _ = 1, options.max_iterations or 500 do
    if #groups <= (options.min_groups or 1) then break end
    local tile = util.random_weighted_from("weight", options.tiles)
    local group = weighted_group(groups, function(group)
      return #group == 1 and cell_weight(group[1], tile) or 0
    end)
    if not group then break end
    local cell = group[1]
    cell.tile = tile
    for _, border in ipairs(cell.borders) do
      if border.with.tile == tile then merge(groups, border.with.group, cell.group) end
    end
  end
end
