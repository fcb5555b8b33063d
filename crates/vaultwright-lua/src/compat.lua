-- Names of both Lua generations that scripts expect.
local floor, min, number = math.floor, math.min, tonumber
rawlen = rawlen or function(value) return #value end
math.pow = math.pow or function(x, y) return x ^ y end

-- Trunk calls math.atan with two arguments, 0.28 math.atan2.
local atan, atan2 = math.atan, math.atan2
math.atan = function(y, x)
  if x ~= nil then return atan2(y, x) end
  return atan(y)
end

-- A fixed generator of its own: scripts may not depend on the machine.
local state = 1
local function step()
  state = (state * 16807) % 2147483647
  return (state - 1) / 2147483646
end
function math.randomseed(seed)
  state = floor(number(seed) or 1) % 2147483646 + 1
end
function math.random(low, high)
  local r = step()
  if not low then return r end
  if not high then low, high = 1, low end
  return min(high, low + floor(r * (high - low + 1)))
end

local collect = collectgarbage
function collectgarbage(what)
  if what == nil or what == "count" then return what and collect("count") or 0 end
  return 0
end
