-- Filling all but the largest zones (spec 06 section 15.10). A zone is an 8-connected set of cells of
-- one kind; zones are found in a fixed order, which decides between equals.
zonify = {}

local NEIGHBOURS = { { 0, -1 }, { -1, 0 }, { 0, 1 }, { 1, 0 }, { -1, -1 }, { -1, 1 }, { 1, 1 }, { 1, -1 } }

-- The zones of an area: lists of { group, cells } in the order found. Walks without recursion, in
-- the order that a recursive walk would take.
function zonify.map(bounds, cell, group)
  local zones, seen = {}, {}
  local function key(x, y) return y * 1000 + x end
  local function inside(x, y)
    return x >= bounds.x1 and x <= bounds.x2 and y >= bounds.y1 and y <= bounds.y2
  end
  local function walk(x, y, border)
    local kind = group(cell(x, y))
    local zone = { group = kind, cells = {} }
    local stack = { { x = x, y = y, step = 0 } }
    seen[key(x, y)] = true
    zone.cells[1] = { x = x, y = y }
    while #stack > 0 do
      local at = stack[#stack]
      at.step = at.step + 1
      local step = NEIGHBOURS[at.step]
      if not step then
        stack[#stack] = nil
      else
        local nx, ny = at.x + step[1], at.y + step[2]
        if inside(nx, ny) and not seen[key(nx, ny)] then
          if group(cell(nx, ny)) == kind then
            seen[key(nx, ny)] = true
            zone.cells[#zone.cells + 1] = { x = nx, y = ny }
            stack[#stack + 1] = { x = nx, y = ny, step = 0 }
          else
            border[#border + 1] = { x = nx, y = ny }
          end
        end
      end
    end
    return zone
  end
  -- What borders on a zone starts further ones, each with all that follow from it before the next.
  local starts = { { x = bounds.x1, y = bounds.y1 } }
  while #starts > 0 do
    local start = table.remove(starts)
    if not seen[key(start.x, start.y)] then
      local border = {}
      zones[#zones + 1] = walk(start.x, start.y, border)
      for i = #border, 1, -1 do starts[#starts + 1] = border[i] end
    end
  end
  return zones
end

-- Calls fill on the cells of all zones of a group except the largest `keep` that are larger than
-- min_size; of equal ones the first found stays. Nothing is filled where none is to be kept.
function zonify.fill_smallest_zones(zones, keep, group, fill, min_size)
  if (keep or 1) < 1 then return end
  local kept = {}
  for _ = 1, keep or 1 do
    local largest
    for _, zone in ipairs(zones) do
      if zone.group == group and not kept[zone] and #zone.cells > (min_size or 1)
        and (not largest or #zone.cells > #largest.cells) then
        largest = zone
      end
    end
    if largest then kept[largest] = true end
  end
  for _, zone in ipairs(zones) do
    if zone.group == group and not kept[zone] then
      for _, at in ipairs(zone.cells) do fill(at.x, at.y) end
    end
  end
end

local function glyph_groups(open)
  return function(glyph)
    if glyph ~= open and ("wlxcvbtg"):find(glyph, 1, true) then return "wall" end
    return "floor"
  end
end

function zonify.map_map(e, group)
  local width, height = e.mapsize()
  local bounds = { x1 = 1, y1 = 1, x2 = width - 2, y2 = height - 2 }
  return zonify.map(bounds, function(x, y) return e.mapgrd[x][y] end, group)
end

local function fill_map(e, keep, glyph, min_size, open)
  local zones = zonify.map_map(e, glyph_groups(open))
  zonify.fill_smallest_zones(zones, keep, "floor", function(x, y)
    e.mapgrd[x][y] = glyph or "x"
  end, min_size)
end

function zonify.map_fill_zones(e, keep, glyph, min_size) fill_map(e, keep, glyph, min_size) end
function zonify.map_fill_lava_zones(e, keep, glyph, min_size) fill_map(e, keep, glyph, min_size, "l") end

function zonify.grid_map(group)
  local bounds = { x1 = 1, y1 = 1, x2 = dgn.GXM - 2, y2 = dgn.GYM - 2 }
  return zonify.map(bounds, function(x, y) return dgn.point(x, y) end, group)
end

local function fill_grid(keep, feature, min_size, water)
  local deep = dgn.feature_number("deep_water")
  local zones = zonify.grid_map(function(p)
    if dgn.in_vault(p.x, p.y) then return "vault" end
    if dgn.is_passable(p.x, p.y) or (water and dgn.grid(p.x, p.y) == deep) then return "floor" end
    return "wall"
  end)
  zonify.fill_smallest_zones(zones, keep, "floor", function(x, y)
    dgn.grid(x, y, feature or "rock_wall")
  end, min_size)
end

function zonify.grid_fill_zones(keep, feature, min_size) fill_grid(keep, feature, min_size) end
function zonify.grid_fill_water_zones(keep, feature, min_size) fill_grid(keep, feature, min_size, true) end
