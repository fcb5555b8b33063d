-- Helpers for vaults (spec 06 section 15.4).

local function decorate(feature)
  return function(e, glyph, kind)
    e.kfeat(glyph .. " = " .. feature)
    e.set_feature_name(feature, kind)
  end
end

decorative_floor = decorate("decorative_floor")
vault_metal_statue_setup = decorate("metal_statue")
vault_granite_statue_setup = decorate("granite_statue")

function single_cloud(e, glyph, cloud, fade)
  e.lua_marker(glyph, function()
    return fog_machine {
      cloud_type = cloud, size = 1, walk_dist = 0, start_clouds = 1, spread_rate = 0,
      pow_min = fade and 5 or 90, pow_max = fade and 7 or 100,
      delay = fade and nil or 10, delay_min = fade and 55 or nil, delay_max = fade and 75 or nil,
      excl_rad = fade and 0 or -1,
    }
  end)
end

function init_hm_decor_walldepth(e, glyphs)
  local a = you.absdepth() * 5
  local replacements = " : x:50 c:" .. a
  if a > 75 then replacements = replacements .. " b:" .. (a - 75) end
  e.subst(glyphs .. replacements)
end
