-- Other coordinates, with more to them (spec 06 section 15.12).
crawl_require("dlua/layout/procedural.lua")
procedural.transform = {}

-- Around a cylinder of a function of three coordinates.
function procedural.transform.wrapped_cylinder(f, period, radius, zscale, zoffset)
  zscale, zoffset = zscale or 1, zoffset or 0
  return function(x, y)
    local angle = x / period * 2 * math.pi
    return f(math.sin(angle) * radius, y, math.cos(angle) * radius * zscale + zoffset * x)
  end
end

-- The angle and the distance as coordinates, and back.
function procedural.transform.polar(f, radius, sx, sy)
  local angle, distance = procedural.radial {}, procedural.distance { radius = radius }
  return function(x, y) return f(angle(x, y) * sx, distance(x, y) * sy) end
end

function procedural.transform.polar_inverse(f, radius, sx, sy)
  return function(x, y)
    local angle, distance = x / sx * 2 * math.pi, y / sy * radius
    return f(math.sin(angle) * distance, math.cos(angle) * distance)
  end
end

function procedural.transform.damped_distortion(f)
  local sx = util.random_range_real(0.1, 1)
  local fx = procedural.simplex3d { scale = sx, unit = false }
  local sy = util.random_range_real(0.1, 1)
  local fy = procedural.simplex3d { scale = sy, unit = false }
  local strength = crawl.random_range(4, 8)
  local to_edge = procedural.box {}
  local function damped(offset)
    return function(x, y) return offset(x, y) * (1 - to_edge(x, y)) end
  end
  return procedural.distort {
    source = f, scale = strength, offsetx = damped(fx), offsety = damped(fy),
  }
end
