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
    local chunk, failure = load_file(path)
    if not chunk then base.error(failure, 2) end
    base.setfenv(chunk, env)
    return chunk()
  end
  env.require = function(name)
    if env[name] then return env[name] end
    return env.dofile(name .. ".lua")
  end
  return env
end

-- Published values are tables that are replaced before each cell. Most of them nobody looks at, so a table is made
-- when its global is first read, and forgotten before the next cell.
local function publisher(env, names, warn)
  local known, warned = {}, {}
  -- Calls the function whose name has this number; whether there is one, and what it answers.
  local function ask(number)
    local asked = env[names[number]]
    if base.type(asked) ~= "function" then return false end
    return true, asked()
  end
  local particles, mobiles = { order = {}, count = {} }, { order = {}, count = {} }
  local fields = {
    generator_x = "x", generator_y = "y", generator_coarse_x = "x", generator_coarse_y = "y",
    generator_particle_count = "c", generator_mobile_count = "c", generator_pass = "p",
  }
  local values = {}
  local function protect()
    for name in base.pairs(env) do known[name] = true end
    for name in base.pairs(fields) do known[name] = true end
  end
  local function forget(counts)
    for _, tag in base.ipairs(counts.order) do
      if not known[tag] then env[tag] = nil end
    end
  end
  local function publish(x, y, cx, cy, particle_count, mobile_count, pass)
    values.generator_x, values.generator_y = x, y
    values.generator_coarse_x, values.generator_coarse_y = cx, cy
    values.generator_particle_count, values.generator_mobile_count = particle_count, mobile_count
    values.generator_pass = pass
    for name in base.pairs(fields) do env[name] = nil end
    forget(particles)
    forget(mobiles)
  end
  local function made(_, name)
    local field, value = fields[name], nil
    if field then
      if values[name] then value = { [field] = values[name] } end
    else
      -- The count of mobiles is published after that of particles, and takes its place.
      local count = mobiles.count[name] or particles.count[name]
      if count then value = { c = count } end
    end
    if value then base.rawset(env, name, value) end
    return value
  end
  base.setmetatable(env, { __index = made })
  local function change(of_mobiles, tag, by)
    local counts = of_mobiles and mobiles or particles
    if not counts.count[tag] then
      counts.count[tag] = 0
      counts.order[#counts.order + 1] = tag
      if known[tag] and not warned[tag] then
        warned[tag] = true
        warn(tag)
      end
    end
    counts.count[tag] = counts.count[tag] + by
  end
  env.tag_counts = { particles = particles.count, mobiles = mobiles.count, floor = {} }
  return protect, publish, change, ask
end

return new_environment, publisher
