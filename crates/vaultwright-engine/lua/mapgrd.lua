-- mapgrd[x][y]: a table of columns, each made when it is first used.
return function(get, set, glyphs, columns)
local setmetatable, rawset = setmetatable, rawset

local function read_else(map, x, y) return glyphs[get(map, x, y)] end
local function write_else(map, x, y, glyph) set(map, x, y, glyph) end
local function refuse() error("Cannot assign to read-only table.", 2) end

return function(map)
  return setmetatable({}, {
    __index = function(grid, x)
      local read, write = columns(map, x, read_else, write_else)
      if not read then
        read = function(_, y) return read_else(map, x, y) end
        write = function(_, y, glyph) write_else(map, x, y, glyph) end
      end
      local column = setmetatable({}, { __index = read, __newindex = write })
      rawset(grid, x, column)
      return column
    end,
    __newindex = refuse,
  })
end
end
