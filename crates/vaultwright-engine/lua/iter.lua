-- Iterators over cells (spec 06 section 15.2).
crawl_require("dlua/point.lua")
iter = iter or {}

-- Walks a list of points; a filter decides which count, rvi yields its result instead.
local function over(points, filter, rvi)
  local index = 0
  return function()
    while index < #points do
      index = index + 1
      local p = points[index]
      if not filter then
        return p
      end
      local result = filter(p)
      if result then
        if rvi then return result end
        return p
      end
    end
  end
end

function iter.rect_iterator(tl, br, filter, rvi)
  if not tl or not br then error("need two corners to a rectangle", 2) end
  if br.x < tl.x then error("corner2's x less than corner1's; did you swap them?", 2) end
  if br.y < tl.y then error("corner2's y less than corner1's; did you swap them?", 2) end
  local points = {}
  for y = tl.y, br.y do
    for x = tl.x, br.x do points[#points + 1] = dgn.point(x, y) end
  end
  return over(points, filter, rvi)
end

function iter.rect_size_iterator(tl, size, filter, rvi)
  return iter.rect_iterator(tl, tl + size - 1, filter, rvi)
end

function iter.border_iterator(tl, br)
  return iter.rect_iterator(tl, br, function(p)
    return p.x == tl.x or p.x == br.x or p.y == tl.y or p.y == br.y
  end)
end

function iter.adjacent_iterator(ic, filter, center, rvi)
  center = center or dgn.point(you.pos())
  return iter.rect_iterator(center - 1, center + 1, function(p)
    if not ic and p == center then return false end
    if not filter then return true end
    return filter(p)
  end, rvi)
end

function iter.adjacent_iterator_to(center, ic, filter)
  return iter.adjacent_iterator(ic, filter, center, filter ~= nil)
end

function iter.circle_iterator(radius, ic, filter, center, rvi)
  if not radius then error("circle_iterator needs a radius", 2) end
  center = center or dgn.point(you.pos())
  return iter.rect_iterator(center - radius, center + radius, function(p)
    if not ic and p == center then return false end
    if dgn.distance(center.x, center.y, p.x, p.y) > radius * radius then return false end
    if not filter then return true end
    return filter(p)
  end, rvi)
end

function iter.subvault_iterator(e, filter)
  if e == nil then error("subvault_iterator requires the env to be passed, e.g. _G", 2) end
  local width, height = e.subvault_size()
  local points = {}
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      if e.subvault_cell_valid(x, y) then points[#points + 1] = dgn.point(x, y) end
    end
  end
  return over(points, filter)
end

function iter.replica_iterator(property, value)
  return over(dgn.find_marker_positions_by_prop(property, value))
end
iter.slave_iterator = iter.replica_iterator

-- What the player sees, and who stands and what lies there: of a level in play.

local SIGHT = 8

function iter.los_iterator(ic, filter, center, rvi)
  center = center or dgn.point(you.pos())
  return iter.rect_iterator(center - SIGHT, center + SIGHT, function(p)
    if not ic and p == center then return false end
    if not you.see_cell(p.x, p.y) then return false end
    if not filter then return true end
    return filter(p)
  end, rvi)
end

-- A filter that gives the monster of a cell, or of the cell that `at` makes of it.
function iter.monster_filter(at)
  return function(p)
    if at then p = at(p) end
    if not p or not dgn.in_bounds(p.x, p.y) then return false end
    return dgn.mons_at(p.x, p.y) or false
  end
end

function iter.mons_rect_iterator(tl, br, at)
  return iter.rect_iterator(tl, br, iter.monster_filter(at), true)
end

function iter.mons_adjacent_iterator(ic, at, center)
  return iter.adjacent_iterator(ic, iter.monster_filter(at), center, true)
end

function iter.mons_circle_iterator(radius, ic, at, center)
  return iter.circle_iterator(radius, ic, iter.monster_filter(at), center, true)
end

function iter.mons_los_iterator(ic, at, center)
  return iter.los_iterator(ic, iter.monster_filter(at), center, true)
end

local function items_on(p, y)
  if type(p) == "table" then return dgn.items_at(p.x, p.y) end
  return dgn.items_at(p, y)
end

function iter.stash_iterator(p, y) return over(items_on(p, y)) end

function iter.stack_search(p, y, pattern)
  if type(p) == "table" then pattern = y end
  for _, item in ipairs(items_on(p, y)) do
    if item.name():find(pattern) then return item end
  end
end

function iter.stack_destroy(p, y)
  for _, item in ipairs(items_on(p, y)) do item.dec_quantity(item.quantity) end
end
