-- mapgrd[x][y]: a table of columns, each made when it is first used.
return function(get, set, glyphs)
local setmetatable, rawset = setmetatable, rawset

local function column_of(map, x)
  return setmetatable({}, {
    __index = function(_, y) return glyphs[get(map, x, y)] end,
    __newindex = function(_, y, glyph) set(map, x, y, glyph) end,
  })
end

return function(map)
  return setmetatable({}, {
    __index = function(grid, x)
      local column = column_of(map, x)
      rawset(grid, x, column)
      return column
    end,
    __newindex = function() error("Cannot assign to read-only table.", 2) end,
  })
end
end
