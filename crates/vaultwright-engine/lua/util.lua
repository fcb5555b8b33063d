-- Lists, choices and classes (spec 06 section 15.1).
util = util or {}

-- Choices. All draws are the game's, in the order of the list.

function util.random_from(list) return list[crawl.random2(#list) + 1] end

function util.random_choose_weighted_i(list)
  local total = 0
  for _, entry in ipairs(list) do total = total + entry[2] end
  local roll = crawl.random2(total)
  for index, entry in ipairs(list) do
    roll = roll - entry[2]
    if roll < 0 then return index end
  end
end

function util.random_choose_weighted(list)
  return list[util.random_choose_weighted_i(list)][1]
end

local function weight_of(w, element)
  local weight
  if type(w) == "function" then weight = w(element) else weight = element[w] end
  return weight or 10
end

function util.random_weighted_from(w, list)
  local total, chosen = 0, nil
  for _, element in ipairs(list) do
    local weight = weight_of(w, element)
    total = total + weight
    if crawl.random2(total) < weight then chosen = element end
  end
  return chosen
end

function util.random_weighted_keys(w, t, order)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, order)
  local total, chosen = 0, nil
  for _, key in ipairs(keys) do
    local weight
    if type(w) == "function" then weight = w(key, t[key]) else weight = key[w] end
    total = total + weight
    if crawl.random2(total) < weight then chosen = t[key] end
  end
  return chosen
end

function util.random_subset(list, n)
  local rest, subset = {}, {}
  for _, element in ipairs(list) do rest[#rest + 1] = element end
  while #subset < n and #rest > 0 do
    subset[#subset + 1] = table.remove(rest, crawl.random2(#rest) + 1)
  end
  return subset
end

function util.random_branch_weighted(list)
  return util.random_weighted_from(function(e)
    if e.branch and e.branch ~= you.branch() then return 0 end
    return e[you.branch()] or e.weight or 10
  end, list)
end

function util.random_range_real(low, high) return low + crawl.random_real() * (high - low) end

function util.sorted_weight_table(t, less)
  local list = {}
  for key, weight in pairs(t) do list[#list + 1] = { key, weight } end
  table.sort(list, less or function(a, b) return a[1] < b[1] end)
  return list
end

-- Lists.

function util.map(f, ...)
  local lists, result, index = { ... }, {}, 1
  while true do
    local values = {}
    for i, list in ipairs(lists) do
      if not list[index] then return result end
      values[i] = list[index]
    end
    if #values == 0 then return result end
    local mapped = f(unpack(values))
    if mapped ~= nil then result[#result + 1] = mapped end
    index = index + 1
  end
end

function util.foreach(list, f) for _, element in ipairs(list) do f(element) end end

function util.filter(f, list)
  local result = {}
  for _, element in ipairs(list) do
    if f(element) then result[#result + 1] = element end
  end
  return result
end

function util.forall(list, pred)
  for _, element in ipairs(list) do if not pred(element) then return false end end
  return true
end

function util.exists(list, pred)
  for _, element in ipairs(list) do if pred(element) then return true end end
  return false
end

function util.append(first, ...)
  for _, list in ipairs { ... } do
    for _, element in ipairs(list) do first[#first + 1] = element end
  end
  return first
end

function util.catlist(...) return util.append({}, ...) end

function util.cathash(t, ...)
  local others = { ... }
  if #others == 0 then return t end
  local result = {}
  for _, hash in ipairs { t, ... } do for key, value in pairs(hash) do result[key] = value end end
  return result
end

function util.keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  return keys
end

function util.values(t)
  local values = {}
  for _, value in pairs(t) do values[#values + 1] = value end
  return values
end

function util.pairs(t)
  local list = {}
  for key, value in pairs(t) do list[#list + 1] = { key, value } end
  return list
end

function util.set(list)
  local set = {}
  for _, element in ipairs(list) do set[element] = true end
  return set
end

function util.indexof(list, x)
  for index, element in ipairs(list) do if element == x then return index end end
  return -1
end

function util.contains(list, x) return util.indexof(list, x) ~= -1 end

function util.remove(list, x)
  local index = util.indexof(list, x)
  if index ~= -1 then table.remove(list, index) end
end

function util.slice(list, first, last)
  local result = {}
  for index = first, (last or #list + 1) - 1 do result[#result + 1] = list[index] end
  return result
end

function util.partition(list, size, step)
  local slices, by = {}, step or size
  for n = 0, (#list - 1) / by do
    slices[#slices + 1] = util.slice(list, 1 + n * by, math.min(1 + n * by + size, #list + 1))
  end
  return slices
end

function util.stable_lessthan(a, b)
  if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
  return tostring(a) < tostring(b)
end

function util.sort(list, less)
  table.sort(list, less or util.stable_lessthan)
  return list
end

function util.join(separator, list)
  local words = {}
  for _, element in ipairs(list) do words[#words + 1] = tostring(element) end
  return table.concat(words, separator)
end

function util.trim(s) return (s:gsub("^%s+", ""):gsub("%s+$", "")) end

function util.copy_table(t)
  local copies = {}
  local function copy(value)
    if type(value) ~= "table" then return value end
    if copies[value] then return copies[value] end
    local result = {}
    copies[value] = result
    for key, inner in pairs(value) do result[copy(key)] = copy(inner) end
    return setmetatable(result, getmetatable(value))
  end
  return copy(t)
end

-- Functions and classes.

function util.identity(x) return x end

function util.callable(x)
  if type(x) == "function" then return true end
  local metatable = getmetatable(x)
  return metatable ~= nil and metatable.__call ~= nil
end

function util.curry(f, ...)
  local bound = { ... }
  if #bound == 1 then
    return function(...) return f(bound[1], ...) end
  end
  return function(...) return f(unpack(util.catlist(bound, ...))) end
end

function util.namespace(name)
  _G[name] = _G[name] or {}
  return _G[name]
end

function util.defclass(name)
  local class = { CLASS = name }
  class.__index = class
  _G[name] = class
  return class
end

function util.subclass(parent, name)
  local class = setmetatable({ super = parent, CLASS = name }, { __index = parent })
  class.__index = class
  if name then _G[name] = class end
  return class
end

function util.newinstance(class) return setmetatable({}, class) end

function util.expand_entity(entity, message)
  if not entity or not message then return message end
  return message:gsub("%$F{(%w+)}", function(how)
    return crawl.grammar(entity, how)
  end):gsub("%$F", function() return crawl.grammar(entity, "a") end)
end

function table_to_string(t, depth)
  depth = depth or 0
  local indent, lines = string.rep("    ", depth), {}
  for _, key in ipairs(util.sort(util.keys(t))) do
    local value = t[key]
    if type(value) == "table" then
      lines[#lines + 1] = indent .. tostring(key) .. ":\n" .. table_to_string(value, depth + 1)
    else
      lines[#lines + 1] = indent .. tostring(key) .. ": " .. tostring(value) .. "\n"
    end
  end
  return table.concat(lines)
end

function echoall(...)
  for _, value in ipairs { ... } do crawl.mpr(tostring(value)) end
end
