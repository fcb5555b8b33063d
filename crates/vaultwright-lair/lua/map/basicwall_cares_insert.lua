-- Walls along the edge of the floor (spec 09 §10.1). Each helper takes the answer so far and hands it on.

local function wall(depth)
  return function(answer)
    local x, y = where_in_floor_get_x(), where_in_floor_get_y()
    local width, height = where_is_floor_farcorner_x(), where_is_floor_farcorner_y()
    if x < depth or y < depth or x > width - depth - 1 or y > height - depth - 1 then return "true" end
    return type(answer) == "string" and answer or "false"
  end
end

thinwall_cares_insert = wall(1)
medwall_cares_insert = wall(2)
thickwall_cares_insert = wall(3)
