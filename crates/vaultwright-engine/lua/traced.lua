-- Wraps the functions of the API so that they tell what they draw (src/api/traced.rs). Returns what puts them back.
local enter, leave, random, placing, signs = ...
local dgn, crawl, type, pairs = dgn, crawl, type, pairs
local before = { {}, {} }

local function traced(name, f)
  return function(...)
    return leave(enter(name, ...), f(...))
  end
end

for name, f in pairs(dgn) do
  if type(f) == "function" and not placing[name] then before[1][name] = f end
end
for name, f in pairs(before[1]) do dgn[name] = traced(name, f) end
for name, sign in pairs(signs) do
  local f = crawl[name]
  before[2][name] = f
  crawl[name] = function(...)
    local drawn = f(...)
    random(sign, drawn, ...)
    return drawn
  end
end

return function()
  for name, f in pairs(before[1]) do dgn[name] = f end
  for name, f in pairs(before[2]) do crawl[name] = f end
end
