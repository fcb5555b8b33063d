-- Lists of shapes, and the grids they are painted on.
hyper = hyper or {}
hyper.paint = {}

-- What is known of a feature by its name alone.
function hyper.paint.feature_flags(feature)
  if feature == "space" then return { feature = feature, solid = true, space = true } end
  if feature == "wall" then return { feature = feature, solid = true } end
  if feature == "floor" then return { feature = feature, solid = false } end
  if dgn.fnum(feature) == 0 then error("unknown feature '" .. tostring(feature) .. "'.", 0) end
  return { feature = feature, solid = feat.is_solid(feature) }
end

local function inside_ellipse(item, x, y)
  local cx, cy = (item.corner1.x + item.corner2.x) / 2, (item.corner1.y + item.corner2.y) / 2
  local rx, ry = (item.corner2.x - item.corner1.x + 1) / 2, (item.corner2.y - item.corner1.y + 1) / 2
  return ((x - cx) / rx) ^ 2 + ((y - cy) / ry) ^ 2 <= 1
end

-- Calls put(x, y, feature) for every cell of the list, later items over earlier ones. An item is a
-- rectangle from corner1 to corner2:
-- * type: "floor", "wall", "space", or "proc": callback(x, y, across, down) names the feature or leaves
--   the cell alone (across and down run from 0 to 1); or `feature`, any other one;
-- * shape: "quad" (if none), "ellipse" or "plot": the cell x, y, or the list `points`.
function hyper.paint.each_cell(paint, put)
  for _, item in ipairs(paint) do
    local feature = item.feature or item.type
    if item.shape == "plot" then
      for _, point in ipairs(item.points or { item }) do put(point.x, point.y, feature) end
    else
      local c1, c2 = item.corner1, item.corner2
      for y = c1.y, c2.y do
        for x = c1.x, c2.x do
          if item.type == "proc" then
            local across = c2.x > c1.x and (x - c1.x) / (c2.x - c1.x) or 0
            local down = c2.y > c1.y and (y - c1.y) / (c2.y - c1.y) or 0
            local answer = item.callback(x, y, across, down)
            if answer then put(x, y, answer) end
          elseif item.shape ~= "ellipse" or inside_ellipse(item, x, y) then
            put(x, y, feature)
          end
        end
      end
    end
  end
end

-- Paints onto a grid of cells; what lies outside of it is left out.
function hyper.paint.paint_grid(paint, grid)
  hyper.paint.each_cell(paint, function(x, y, feature)
    if grid[y] and grid[y][x] then grid[y][x] = hyper.paint.feature_flags(feature) end
  end)
end
