-- Figures made of simpler ones (spec 06 section 15.12).
crawl_require("dlua/layout/procedural_primitives.lua")
complex = {}

-- A wheel: its edge is at `inner`, or at 1 where one of the teeth is, which take `gap` of the way around.
function complex.cog(teeth, inner, gap, offset)
  return function(x, y)
    local distance = primitive.distance(x, y)
    local around = (primitive.radial(x, y) * teeth + (offset or 0)) % 1
    local value = distance / inner
    if value >= 1 and distance <= 1 and around < gap then return 0.99 end
    return value
  end
end

-- Rays that widen with the distance.
function complex.rays(count, offset, converge)
  return function(x, y)
    local around = (primitive.radial(x, y) * count + (offset or 0)) % 1
    return around * primitive.distance(x, y) / (converge or 1)
  end
end
