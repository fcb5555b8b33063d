-- Directions and sums of points (spec 05 section 16.3). Directions count in quarter turns from north,
-- against the clock.
vector = {}

vector.normals = {
  { name = "n", dir = 0, x = 0, y = -1 }, { name = "w", dir = 1, x = -1, y = 0 },
  { name = "s", dir = 2, x = 0, y = 1 }, { name = "e", dir = 3, x = 1, y = 0 },
}

vector.diagonals = {
  { name = "nw", dir = 0.5, x = -1, y = -1 }, { name = "sw", dir = 1.5, x = -1, y = 1 },
  { name = "se", dir = 2.5, x = 1, y = 1 }, { name = "ne", dir = 3.5, x = 1, y = -1 },
}

vector.directions = {}
for _, direction in ipairs(vector.normals) do table.insert(vector.directions, direction) end
for _, direction in ipairs(vector.diagonals) do table.insert(vector.directions, direction) end

-- `point` plus `offset`, whose axes lie along two directions.
function vector.add_mapped(point, offset, x_axis, y_axis)
  return {
    x = point.x + offset.x * x_axis.x + offset.y * y_axis.x,
    y = point.y + offset.x * x_axis.y + offset.y * y_axis.y,
  }
end

-- A vector after so many quarter turns.
function vector.rotate(v, turns)
  local x, y = v.x, v.y
  for _ = 1, turns % 4 do x, y = -y, x end
  return { x = x, y = y }
end
