-- mapgrd[x][y]: a table of columns, each made when it is first used.
return function(get, set, glyphs, columns)
local setmetatable, rawset = setmetatable, rawset

local function refuse() error("Cannot assign to read-only table.", 2) end

return function(map)
  return setmetatable({}, {
    __index = function(grid, x)
      local read, write = columns(map, x,
        function(_, y) return glyphs[get(map, x, y)] end,
        function(_, y, glyph) set(map, x, y, glyph) end)
      local column = setmetatable({}, { __index = read, __newindex = write })
      rawset(grid, x, column)
      return column
    end,
    __newindex = refuse,
  })
end
end
