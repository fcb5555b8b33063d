-- mapgrd[x][y]: a table of columns, each made when it is first used.
return function(get, set, glyphs, columns)
local setmetatable, rawset, type = setmetatable, rawset, type

local function read_else(map, x, y) return glyphs[get(map, x, y)] end
local function write_else(map, x, y, glyph) set(map, x, y, glyph) end
local function refuse() error("Cannot assign to read-only table.", 2) end

return function(map)
  if type(map) ~= "userdata" then
    local got = map == nil and "no value" or type(map)
    error("bad argument #1 to 'mapgrd_table' (dgn.mtmap expected, got " .. got .. ")", 2)
  end
  local function column_else(grid, x)
    local function read(_, y) return read_else(map, x, y) end
    local function write(_, y, glyph) write_else(map, x, y, glyph) end
    local column = setmetatable({}, { __index = read, __newindex = write })
    rawset(grid, x, column)
    return column
  end
  local metatable = { __newindex = refuse }
  -- Most maps never use theirs.
  function metatable.__index(grid, x)
    metatable.__index = columns(map, read_else, write_else, column_else)
    return grid[x]
  end
  return setmetatable({}, metatable)
end
end
