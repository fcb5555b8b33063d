-- Points: a table with x and y (spec 06 section 4.5).
local point = {}
point.__index = point

local function sign(n) return n > 0 and 1 or n < 0 and -1 or 0 end
local function both(q)
  if type(q) == "number" then return q, q end
  if type(q) ~= "table" then error("Expected a point or a number, got " .. type(q), 3) end
  return q.x, q.y
end

function dgn.point(x, y) return setmetatable({ x = x, y = y }, point) end
function point:xy() return self.x, self.y end
function point:str() return "(" .. self.x .. "," .. self.y .. ")" end
function point:sgn() return dgn.point(sign(self.x), sign(self.y)) end
function point.__eq(a, b) return a.x == b.x and a.y == b.y end
function point.__unm(p) return dgn.point(-p.x, -p.y) end
function point.__add(p, q)
  local x, y = both(q)
  local px, py = both(p)
  return dgn.point(px + x, py + y)
end
function point.__sub(p, q)
  local x, y = both(q)
  local px, py = both(p)
  return dgn.point(px - x, py - y)
end
function point.__mul(p, n)
  if type(n) ~= "number" then error("Can only multiply by numbers.", 2) end
  return dgn.point(p.x * n, p.y * n)
end
function point.__div(p, n)
  if type(n) ~= "number" then error("Can only divide by numbers.", 2) end
  return dgn.point(math.floor(p.x / n), math.floor(p.y / n))
end
function point.__concat(a, b)
  if getmetatable(a) == point then a = a:str() end
  if getmetatable(b) == point then b = b:str() end
  return a .. b
end
