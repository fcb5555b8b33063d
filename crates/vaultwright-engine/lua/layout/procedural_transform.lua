-- Other coordinates, with more to them (spec 06 section 15.12).
crawl_require("dlua/layout/procedural.lua")
procedural.transform = {}

function procedural.transform.wrapped_cylinder(f, period, radius, zscale, zoffset)
  zscale, zoffset = zscale or 1, zoffset or 0
  return function(x, y)
    local angle = x / period * 2 * math.pi
    return f(math.sin(angle) * radius, math.cos(angle) * radius, y * zscale + zoffset)
  end
end

function procedural.transform.polar(f, radius, sx, sy)
  return function(x, y)
    local angle, distance = math.atan2(y, x) / (2 * math.pi) + 0.5, math.sqrt(x * x + y * y) / radius
    return f(angle * sx, distance * sy)
  end
end

function procedural.transform.polar_inverse(f, radius, sx, sy)
  return function(x, y)
    local angle, distance = x / sx * 2 * math.pi, y / sy * radius
    return f(math.cos(angle) * distance, math.sin(angle) * distance)
  end
end

function procedural.transform.damped_distortion(f)
  local sx = util.random_range_real(0.1, 1)
  local fx = procedural.simplex3d { scale = sx, unit = false }
  local sy = util.random_range_real(0.1, 1)
  local fy = procedural.simplex3d { scale = sy, unit = false }
  local strength = crawl.random_range(4, 8)
  local edge = procedural.border { padding = strength }
  local function damped(offset)
    return function(x, y) return offset(x, y) * (1 - edge(x, y)) end
  end
  return procedural.distort {
    source = f, scale = strength, offsetx = damped(fx), offsety = damped(fy),
  }
end
