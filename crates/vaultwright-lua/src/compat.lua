-- Names of both Lua generations that scripts expect, and errors as plain text.
table.unpack = table.unpack or unpack
unpack = unpack or table.unpack
rawlen = rawlen or function(value) return #value end
math.pow = math.pow or function(x, y) return x ^ y end
table.getn = table.getn or function(list) return #list end

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
  state = math.floor(tonumber(seed) or 1) % 2147483646 + 1
end
function math.random(low, high)
  local r = step()
  if not low then return r end
  if not high then low, high = 1, low end
  return math.min(high, low + math.floor(r * (high - low + 1)))
end

-- Errors of host functions reach scripts as text, as in the reference.
local raw_pcall, raw_xpcall, is_text = pcall, xpcall, { string = true, table = true, ["nil"] = true }
local find = string.find
local function as_text(ok, message, ...)
  -- A script that has used up its budget may not go on by catching the error.
  if not ok and find(tostring(message), "instruction budget used up", 1, true) then
    error(message, 0)
  end
  if not ok and not is_text[type(message)] then message = tostring(message) end
  return ok, message, ...
end
function pcall(f, ...) return as_text(raw_pcall(f, ...)) end
function xpcall(f, handler, ...)
  local n, args = select("#", ...), { ... }
  return as_text(raw_xpcall(function() return f(unpack(args, 1, n)) end, function(message)
    if not is_text[type(message)] then message = tostring(message) end
    if find(tostring(message), "instruction budget used up", 1, true) then return message end
    return handler(message)
  end))
end

local raw_resume = coroutine.resume
function coroutine.resume(...) return as_text(raw_resume(...)) end

local collect = collectgarbage
function collectgarbage(what)
  if what == nil or what == "count" then return what and collect("count") or 0 end
  return 0
end
