-- Functions of a cell combined into others (spec 06 section 15.12). A value is a function of (x, y) or
-- a number.
procedural = procedural or {}

local function at(value, x, y)
  if type(value) == "function" then return (value(x, y)) end
  return value
end

local function fold(combine)
  return function(first, ...)
    local others = { ... }
    return function(x, y)
      local result = at(first, x, y)
      for i = 1, #others do result = combine(result, at(others[i], x, y)) end
      return result
    end
  end
end

procedural.add = fold(function(a, b) return a + b end)
procedural.sub = fold(function(a, b) return a - b end)
procedural.mul = fold(function(a, b) return a * b end)
procedural.div = fold(function(a, b) return a / b end)
procedural.min = fold(math.min)
procedural.max = fold(math.max)

function procedural.abs(f) return function(x, y) return math.abs(f(x, y)) end end
function procedural.neg(f) return function(x, y) return -f(x, y) end end
function procedural.phase(f, repeats, offset)
  return function(x, y) return (f(x, y) * repeats + offset) % 1 end
end

-- Other coordinates.

-- Up in the first half of the period, down (to below 0) in the second, as in the reference.
local function bounce(c, period)
  c = c % period
  return c <= period / 2 and 2 * c or period - 2 * c
end

function procedural.loop_x(f, period)
  return function(x, y) return f(x % (period or 1), y) end
end
function procedural.loop_y(f, period)
  return function(x, y) return f(x, y % (period or 1)) end
end
function procedural.bounce_x(f, period)
  return function(x, y) return f(bounce(x, period or 1), y) end
end
function procedural.bounce_y(f, period)
  return function(x, y) return f(x, bounce(y, period or 1)) end
end
function procedural.flip_x(f) return function(x, y) return f(-x, y) end end
function procedural.flip_y(f) return function(x, y) return f(x, -y) end end
-- At the x axis, and at the y axis.
function procedural.mirror_x(f) return function(x, y) return f(x, math.abs(y)) end end
function procedural.mirror_y(f) return function(x, y) return f(math.abs(x), y) end end

local function pair(first, second)
  if type(first) == "table" then return first.x, first.y end
  return first, second or first
end

function procedural.translate(f, x, y)
  local dx, dy = pair(x, y)
  return function(cx, cy) return f(cx - dx, cy - dy) end
end

function procedural.scale(f, x, y)
  local sx, sy = pair(x, y)
  return function(cx, cy) return f(cx / sx, cy / sy) end
end

function procedural.distort(p)
  local scale = p.scale or 1
  return function(x, y)
    return p.source(x + at(p.offsetx, x, y) * scale, y + at(p.offsety, x, y) * scale)
  end
end

-- Shapes.

local function bounds(p)
  local width, height = dgn.builder_bounds()
  return p.x1 or 0, p.y1 or 0, p.x2 or width - 1, p.y2 or height - 1
end

function procedural.border(p)
  local x1, y1, x2, y2 = bounds(p)
  local padding, margin = p.padding or 10, p.margin or 0
  local function edge(distance)
    distance = distance - margin
    if distance <= 0 then return 1 end
    if distance > padding then return 0 end
    return 1 - distance / (padding + 1)
  end
  return function(x, y)
    local dx, dy = edge(math.min(x - x1, x2 - x)), edge(math.min(y - y1, y2 - y))
    if p.additive then return math.min(dx + dy, 1) end
    return math.max(dx, dy)
  end
end

function procedural.box(p)
  local x1, y1, x2, y2 = bounds(p)
  local half = math.min(x2 - x1, y2 - y1) / 2
  return function(x, y)
    return 1 - math.min(x - x1, x2 - x, y - y1, y2 - y) / half
  end
end

local function origin(p)
  if p.origin then return p.origin.x, p.origin.y end
  return 0, 0
end

function procedural.distance(p)
  local ox, oy = origin(p)
  local radius = p.radius or 1
  return function(x, y) return math.sqrt((x - ox) ^ 2 + (y - oy) ^ 2) / radius end
end

-- The angle from south, against the clock, as a part of the whole.
function procedural.radial(p)
  local ox, oy = origin(p)
  local phase = p.phase or 0
  return function(x, y)
    local dx, dy = x - ox, y - oy
    local angle = dx == 0 and dy == 0 and 0.25 or math.atan2(dx, dy) / (2 * math.pi)
    return (angle + phase) % 1
  end
end

-- 1 at a line, falling to 0 at the edges of a band of so many cells; 1 in the band `inner` as well.
function procedural.bar(p)
  local horizontal = p.horizontal ~= false
  local width, position, inner = p.width or 1, p.position or 1, p.inner or 0
  local before, after = math.floor((width - 1) / 2) + 1, math.floor(width / 2) + 1
  return function(x, y)
    local off = (horizontal and y or x) - position
    local reach = off < 0 and before or after
    off = math.abs(off)
    if off >= reach then return 0 end
    if off <= inner / 2 then return 1 end
    return (reach - off) / (reach - inner / 2)
  end
end

-- A bar across the level that noise bends: width (15), position (the middle), turbulence (10 cells).
function procedural.river(p)
  local horizontal = p.horizontal ~= false
  local width, height = dgn.max_bounds()
  local middle = (horizontal and height or width) / 2
  local bend = procedural.mul(procedural.simplex3d { scale = 1 }, p.turbulence or 10)
  local function straight() return 0 end
  return procedural.distort {
    source = procedural.bar {
      horizontal = horizontal, width = p.width or 15, position = p.position or middle, inner = p.inner,
    },
    offsetx = horizontal and straight or bend, offsety = horizontal and bend or straight,
  }
end

-- Noise: the place in it is drawn when the function is made.

local function worley_at(p)
  local x, y, z = crawl.random2(1000000), crawl.random2(1000000), crawl.random2(1000000)
  local scale = 0.8 * (p.scale or 1)
  return function(cx, cy, cz) return cx * scale + x, cy * scale + y, (cz or 0) * scale + z end
end

-- Also returns the number of the nearest point, as the host function does.
function procedural.worley_diff(p)
  local place = worley_at(p)
  return function(x, y, z) return crawl.worley_diff(place(x, y, z)) end
end

-- The two nearest points: their distances `d`, numbers `id` and places `pos`, from here.
function procedural.worley(p)
  local place = worley_at(p)
  return function(x, y, z)
    local d1, d2, id1, id2, x1, y1, z1, x2, y2, z2 = crawl.worley(place(x, y, z))
    return {
      d = { d1, d2 }, id = { id1, id2 },
      pos = { { x = x1, y = y1, z = z1 }, { x = x2, y = y2, z = z2 } },
    }
  end
end

function procedural.simplex3d(p)
  local x = util.random_range_real(0, 1) + 100
  local y = util.random_range_real(0, 1) + 100
  local z = util.random_range_real(0, 1) + 100
  local scale = (p.scale or 1) / 10
  return function(cx, cy, cz)
    local noise = crawl.simplex(cx * scale + x, cy * scale + y, (cz or 0) * scale + z)
    return p.unit == false and noise or noise / 2 + 0.5
  end
end

function procedural.simplex4d(p)
  local x, y = crawl.random2(1000000), crawl.random2(1000000)
  local z, w = crawl.random2(1000000), crawl.random2(1000000)
  local scale = (p.scale or 1) / 10
  return function(cx, cy) return crawl.simplex(cx * scale + x, cy * scale + y, z, w) / 2 + 0.5 end
end

-- Values.

-- Piecewise linear: rows of { from, to, value, value at `to` }, both ends included, the first that fits
-- counts; no limit where one is nil. Or one stretch, constant before and after it.
function procedural.map(f, rows, high, low_value, high_value)
  if type(rows) ~= "table" then
    local low = rows
    rows = { { nil, low, low_value }, { low, high, low_value, high_value }, { high, nil, high_value } }
  end
  return function(x, y)
    local value = f(x, y)
    for _, row in ipairs(rows) do
      local from, to = row[1], row[2]
      if (not from or value >= from) and (not to or value <= to) then
        if not (from and to and row[4]) then return row[3] end
        return row[3] + (row[4] - row[3]) * (value - from) / (to - from)
      end
    end
    return value
  end
end

function procedural.minmax_map(value, low, high)
  return math.max(0, math.min(1, (value - low) / (high - low)))
end

function procedural.boundary_map(value, b1, b2, b3, b4)
  if value <= b1 or value >= b4 then return 0 end
  if value < b2 then return (value - b1) / (b2 - b1) end
  if value <= b3 then return 1 end
  return (b4 - value) / (b4 - b3)
end

-- Drawing.

function procedural.render_map(e, f, result)
  local width, height = dgn.builder_bounds()
  e.extend_map { width = width, height = height, fill = "x" }
  for x = 1, width - 2 do
    for y = 1, height - 2 do
      local glyph = result(f(x, y), x, y)
      if glyph then e.mapgrd[x][y] = glyph end
    end
  end
end

function procedural.render_map_area(e, x1, y1, x2, y2, f, brush, space)
  for x = x1, x2 do
    for y = y1, y2 do
      if f(x - x1, y - y1) <= 1 then
        e.mapgrd[x][y] = brush
      elseif space then
        e.mapgrd[x][y] = space
      end
    end
  end
end
