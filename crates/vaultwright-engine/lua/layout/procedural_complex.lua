-- Figures made of simpler ones (spec 06 section 15.12).
crawl_require("dlua/layout/procedural_primitives.lua")
complex = {}

-- A wheel: outer radius 1, `inner` between the teeth, which take `gap` of the way around.
function complex.cog(teeth, inner, gap, offset)
  return function(x, y)
    local distance = primitive.distance(x, y)
    local around = (primitive.radial(x, y) * teeth + (offset or 0)) % 1
    return around < gap and distance / inner or distance
  end
end

function complex.rays(count, offset, converge)
  return function(x, y)
    local around = (primitive.radial(x, y) * count + (offset or 0)) % 1
    local off_centre = math.abs(around - 0.5) * 2
    return converge and off_centre * primitive.distance(x, y) or off_centre
  end
end
