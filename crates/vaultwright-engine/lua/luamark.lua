-- Markers as tables: saving them, and the files with their classes (spec 07 sections 5, 17).
lmark = lmark or {}
MARKER_UNMARSHALL_TABLE = MARKER_UNMARSHALL_TABLE or {}

-- Markers of a class are read by this function, or by the class's own.
function dlua_register_marker_table(class, reader)
  MARKER_UNMARSHALL_TABLE[class.CLASS] = reader or class.read
end

local NO_TABLE, WRAPPER = -1, -2

-- Keys and plain values first, then the tables inside. Functions are saved by their global name.
function lmark.marshall_table(th, t)
  if t == nil then return file.marshall(th, NO_TABLE) end
  if getmetatable(t) == FunctionWrapper then
    file.marshall(th, WRAPPER)
    return file.marshall_meta(th, t.name)
  end
  local plain, tables = {}, {}
  for key, value in pairs(t) do
    if type(value) == "function" then
      error("Cannot marshall function in key: " .. tostring(key))
    end
    local list = type(value) == "table" and tables or plain
    list[#list + 1] = key
  end
  file.marshall(th, #plain)
  for _, key in ipairs(plain) do
    file.marshall_meta(th, key)
    file.marshall_meta(th, t[key])
  end
  file.marshall(th, #tables)
  for _, key in ipairs(tables) do
    file.marshall_meta(th, key)
    lmark.marshall_table(th, t[key])
  end
end

function lmark.unmarshall_table(th)
  local count = file.unmarshall_number(th)
  if count == NO_TABLE then return nil end
  if count == WRAPPER then return global_function(file.unmarshall_meta(th)) end
  local t = {}
  for _ = 1, count do
    local key = file.unmarshall_meta(th)
    t[key] = file.unmarshall_meta(th)
  end
  for _ = 1, file.unmarshall_number(th) do
    local key = file.unmarshall_meta(th)
    t[key] = lmark.unmarshall_table(th)
  end
  return t
end

function lmark.marshall_marker(th, marker)
  if not marker.CLASS then error("Marker does not have CLASS attribute!") end
  file.marshall_meta(th, marker.CLASS)
  marker:write(th)
end

function lmark.unmarshall_marker(th)
  local class = file.unmarshall_meta(th)
  local reader = MARKER_UNMARSHALL_TABLE[class] or _G[class].read
  return reader({}, nil, th)
end

for _, name in ipairs { "props", "trig", "fog", "timed", "monst", "trove", "items" } do
  crawl_require("dlua/lm_" .. name .. ".lua")
end
