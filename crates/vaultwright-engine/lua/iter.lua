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
