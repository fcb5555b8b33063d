-- The host's side of a room's environment. `new_environment` gives each room globals of its own; `publisher` gives the
-- functions that the host calls for one room.
local base = _G
local standard = {"string", "table", "math", "coroutine"}
local plain = {"assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawset",
               "select", "setmetatable", "tonumber", "tostring", "type", "unpack", "xpcall", "rawlen", "print",
               "_VERSION", "loadstring", "setfenv", "getfenv", "collectgarbage"}

-- A fixed clock, and no files: what a script does may depend on its seed alone.
local os_library = {
  time = function() return 0 end, clock = function() return 0 end, date = function() return "" end,
  getenv = function() return nil end, difftime = function(a, b) return a - (b or 0) end,
  rename = function() return nil, "no files here" end, remove = function() return nil, "no files here" end,
}
local io_library = { open = function() return nil, "no files here" end, write = function(...) print(...) end }

local function copied(library)
  local copy = {}
  for key, value in base.pairs(library) do copy[key] = value end
  return copy
end

local function new_environment(random, load_file)
  local env = {}
  for _, name in base.ipairs(plain) do env[name] = base[name] end
  for _, name in base.ipairs(standard) do env[name] = copied(base[name]) end
  env.os, env.io = copied(os_library), copied(io_library)
  env._G = env
  env.math.random = random
  env.math.randomseed = function() end
  env.dofile = function(path)
    local chunk = load_file(path)
    base.setfenv(chunk, env)
    return chunk()
  end
  env.require = function(name)
    if env[name] then return env[name] end
    return env.dofile(name .. ".lua")
  end
  return env
end

local function publisher(env, warn)
  local known, ours = {}, {}
  local particles, mobiles = { order = {}, count = {} }, { order = {}, count = {} }
  local function protect()
    for name in base.pairs(env) do known[name] = true end
  end
  local function publish_counts(counts)
    for _, tag in base.ipairs(counts.order) do
      if known[tag] and not ours[tag] then
        if ours[tag] == nil then
          ours[tag] = false
          warn(tag)
        end
      else
        ours[tag] = true
        env[tag] = { c = counts.count[tag] }
      end
    end
  end
  local function publish(x, y, cx, cy, particle_count, mobile_count, pass)
    env.generator_x, env.generator_y = { x = x }, { y = y }
    env.generator_coarse_x, env.generator_coarse_y = { x = cx }, { y = cy }
    env.generator_particle_count = { c = particle_count }
    env.generator_mobile_count = { c = mobile_count }
    env.generator_pass = { p = pass }
    publish_counts(particles)
    publish_counts(mobiles)
  end
  local function change(of_mobiles, tag, by)
    local counts = of_mobiles and mobiles or particles
    if not counts.count[tag] then
      counts.count[tag] = 0
      counts.order[#counts.order + 1] = tag
    end
    counts.count[tag] = counts.count[tag] + by
  end
  env.tag_counts = { particles = particles.count, mobiles = mobiles.count, floor = {} }
  return protect, publish, change
end

return new_environment, publisher
