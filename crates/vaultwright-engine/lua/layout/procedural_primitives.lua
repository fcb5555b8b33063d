-- Shapes whose edge is where they are 1 (spec 06 section 15.12).
crawl_require("dlua/layout/procedural.lua")
primitive = {}

function primitive.box(x, y) return math.max(math.abs(x), math.abs(y)) end
function primitive.distance(x, y) return math.sqrt(x * x + y * y) end
-- From north, against the clock.
function primitive.radial(x, y)
  if x == 0 and y == 0 then return 0.25 end
  return math.atan2(x, y) / (2 * math.pi) + 0.5
end
function primitive.linear_x(x) return x end
function primitive.linear_y(_, y) return y end
function primitive.linear_xy(x, y) return x + y end
function primitive.linear_yx(x, y) return x - y end

function primitive.cross()
  return function(x, y) return math.min(math.abs(x), math.abs(y)) end
end
function primitive.ringify(f, radius)
  return function(x, y) return math.abs(f(x, y) - radius) end
end
function primitive.ring(radius) return primitive.ringify(primitive.distance, radius or 0) end
function primitive.ex()
  return function(x, y) return math.abs(math.abs(x) - math.abs(y)) end
end
function primitive.diamond()
  return function(x, y) return math.abs(x) + math.abs(y) end
end
-- `edge` is the length of the straight sides, of those along the y axis for the hexagon.
function primitive.octagon(edge)
  return function(x, y)
    x, y = math.abs(x), math.abs(y)
    return math.max(x, y, x + y - (edge or 0))
  end
end
function primitive.hexagon(edge)
  return function(x, y)
    x, y = math.abs(x), math.abs(y)
    return math.max(x + y, y + (edge or 0))
  end
end
function primitive.triangle()
  local up = crawl.coinflip() and 1 or -1
  return function(x, y)
    y = y * up
    return math.max(-y, math.abs(x) + y)
  end
end
