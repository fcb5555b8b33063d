-- The host's side of the rooms' environments. `new_environment` gives each room, and each mobile, globals of its own;
-- `publisher` makes the functions that the host calls for one room, and `rooms` calls them by the room's number. The
-- host holds no reference on a room of its own: there may be any number of them.
local base = _G
local standard = {"string", "table", "math", "coroutine"}
local plain = {"assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawset",
               "select", "setmetatable", "tonumber", "tostring", "type", "unpack", "xpcall", "rawlen", "print",
               "_VERSION", "collectgarbage"}

-- A home that is the same for everybody, and no files: what a script does may depend on its seed alone.
local os_library = {
  date = function() return "" end, difftime = function(a, b) return a - (b or 0) end,
  getenv = function(name) if name == "HOME" then return "/home/lair" end end,
  rename = function() return nil, "no files here" end, remove = function() return nil, "no files here" end,
}
-- A clock that goes on by a hundredth of a second whenever it is looked at, so that who waits for it does not wait
-- for ever.
local TICK = 0.01
local floor, rawset, type = base.math.floor, base.rawset, base.type
local function add_clock(os)
  local ticks = 0
  local function tick()
    ticks = ticks + 1
    return ticks * TICK
  end
  os.clock = tick
  os.time = function() return floor(tick()) end
end
local io_library = { open = function() return nil, "no files here" end, write = function(...) print(...) end }

local function copied(library)
  local copy = {}
  for key, value in base.pairs(library) do copy[key] = value end
  return copy
end

-- All strings of the interpreter have one metatable. A room finds its own `string` behind it while its script runs,
-- and nobody gets hold of it.
local strings = base.getmetatable("")
strings.__metatable = false

-- Returns the number that a level of `getfenv` or `setfenv` is.
local function level_of(value, name)
  local level = base.tonumber(value)
  if not level then
    base.error("bad argument #1 to '" .. name .. "' (number expected, got " .. type(value) .. ")", 3)
  end
  if level < 0 then base.error("bad argument #1 to '" .. name .. "' (level must be non-negative)", 3) end
  return floor(level)
end

-- What reaches the globals of the whole interpreter in plain Lua reaches those of one environment here: of text that is
-- compiled, of level 0, and of the host's functions, whose own globals nobody sees or changes. Returns a function that
-- gives a chunk these globals.
local function add_environment_functions(env)
  local globals = env
  local function placed(chunk) return base.setfenv(chunk, globals) end
  env.loadstring = function(text, name)
    local kind = type(text)
    if kind ~= "string" and kind ~= "number" then
      base.error("bad argument #1 to 'loadstring' (string expected, got " .. kind .. ")", 2)
    end
    local chunk, failure = base.loadstring(text, name)
    if not chunk then return nil, failure end
    return placed(chunk)
  end
  env.getfenv = function(of)
    local found, known = of, true
    if type(of) == "function" then
      found = base.getfenv(of)
    else
      local level = of == nil and 1 or level_of(of, "getfenv")
      if level == 0 then return globals end
      -- Beside the caller there are this function and `pcall`.
      known, found = base.pcall(base.getfenv, level + 2)
      if not known then
        -- Of who has called by `return getfenv(1)` there is no trace.
        if base.string.find(found, "tail call", 1, true) then return globals end
        base.error("bad argument #1 to 'getfenv' (invalid level)", 2)
      end
    end
    if found == base then return globals end
    return found
  end
  -- With a level this returns nothing: a chunk that is running is shared by all rooms.
  env.setfenv = function(of, to)
    if type(to) ~= "table" then
      base.error("bad argument #2 to 'setfenv' (table expected, got " .. type(to) .. ")", 2)
    end
    local level, known, found = nil, true, nil
    if type(of) == "function" then
      found = base.getfenv(of)
    else
      level = level_of(of, "setfenv")
      if level == 0 then
        globals = to
        return
      end
      known, found = base.pcall(base.getfenv, level + 2)
      if not known then base.error("bad argument #1 to 'setfenv' (invalid level)", 2) end
    end
    if found == base then base.error("'setfenv' cannot change environment of given object", 2) end
    if not level then return base.setfenv(of, to) end
    base.setfenv(level + 1, to)
  end
  return placed
end

local function new_environment(random, load_file)
  local env = {}
  for _, name in base.ipairs(plain) do env[name] = base[name] end
  for _, name in base.ipairs(standard) do env[name] = copied(base[name]) end
  env.os, env.io = copied(os_library), copied(io_library)
  add_clock(env.os)
  strings.__index = env.string
  local placed = add_environment_functions(env)
  env._G = env
  env.math.random = random
  env.math.randomseed = function() end
  env.dofile = function(path)
    local chunk, failure = load_file(path)
    if not chunk then base.error(failure, 2) end
    return placed(chunk)()
  end
  env.require = function(name)
    if env[name] then return env[name] end
    return env.dofile(name .. ".lua")
  end
  return env
end

local rooms = {}

-- Published values are tables that are replaced before each cell. Most of them nobody looks at, so a table is made
-- when its global is first read, and forgotten before the next cell.
local function publisher(room, env, names, warn)
  local known, warned = {}, {}
  local particles, mobiles = {}, {}
  local fields = {
    generator_x = "x", generator_y = "y", generator_coarse_x = "x", generator_coarse_y = "y",
    generator_particle_count = "c", generator_mobile_count = "c", generator_pass = "p",
  }
  local values = {}
  -- The index as it is, and as it was when the pass began; none in the first pass. The script has one of them as its
  -- `cell`, and may change that at any time: so what it says of that is kept here, where each word of it comes by.
  local live_cell, snapshot, live = env.cell, nil, nil
  local own_strings = env.string
  local function choose_cell()
    rawset(env, "cell", (live == true or not snapshot) and live_cell or snapshot)
  end
  local function show(cells)
    local own = base.rawget(env, "generator_live_lookup")
    if own ~= nil then live = own end
    snapshot = cells
    choose_cell()
  end
  known.generator_live_lookup = true
  local function protect()
    for name in base.pairs(env) do known[name] = true end
    for name in base.pairs(fields) do known[name] = true end
  end
  -- The globals that belong to the cell.
  local owned, count_owned = {}, 0
  local function own(name, value)
    count_owned = count_owned + 1
    owned[count_owned] = name
    rawset(env, name, value)
  end
  -- Calls the function whose name has this number; whether there is one, and what it answers. With a position the
  -- cell is a new one, and what belonged to the one before is gone.
  local function ask(number, x, y, cx, cy, particle_count, mobile_count, pass)
    if x then
      values.generator_x, values.generator_y = x, y
      values.generator_coarse_x, values.generator_coarse_y = cx, cy
      values.generator_particle_count, values.generator_mobile_count = particle_count, mobile_count
      values.generator_pass = pass
      for index = 1, count_owned do env[owned[index]] = nil end
      count_owned = 0
    end
    local name = names[number]
    if type(env[name]) ~= "function" then return false end
    return true, env[name]()
  end
  local function made(_, name)
    local field, value = fields[name], nil
    if name == "generator_live_lookup" then return live end
    if field then
      if values[name] then value = { [field] = values[name] } end
    else
      -- The count of mobiles is published after that of particles, and takes its place.
      local count = mobiles[name] or particles[name]
      if count then value = { c = count } end
    end
    if value then own(name, value) end
    return value
  end
  -- What a script writes in their place is gone with the cell too.
  local function written(_, name, value)
    if name == "generator_live_lookup" then
      live = value
      if snapshot then choose_cell() end
    elseif fields[name] or particles[name] or mobiles[name] then
      own(name, value)
    else
      known[name] = true
      rawset(env, name, value)
    end
  end
  base.setmetatable(env, { __index = made, __newindex = written })
  -- The tags of a text, which many things share.
  local lists = {}
  local function list_of(text)
    local list = {}
    for tag in base.string.gmatch(text, "[^ ]+") do
      list[#list + 1] = tag
      if known[tag] and not warned[tag] then
        warned[tag] = true
        warn(tag)
      end
    end
    lists[text] = list
    return list
  end
  -- A thing with these tags has come, or gone if `by` is -1.
  local function change(counts, by, text)
    local list = lists[text] or list_of(text)
    for index = 1, #list do
      local tag = list[index]
      local count = (counts[tag] or 0) + by
      -- A tag that nothing has any more is as one that nothing ever had.
      counts[tag] = count ~= 0 and count or nil
    end
  end
  local function change_particles(by, text) change(particles, by, text) end
  local function change_mobiles(by, text) change(mobiles, by, text) end
  env.tag_counts = { particles = particles, mobiles = mobiles, floor = {} }
  rooms[room] = { ask = ask, particles = change_particles, mobiles = change_mobiles, show = show,
                  strings = own_strings }
  return protect
end

local function forget_rooms() rooms = {} end
local function ask(room, ...)
  strings.__index = rooms[room].strings
  return rooms[room].ask(...)
end
local function change_particles(room, by, text) rooms[room].particles(by, text) end
local function change_mobiles(room, by, text) rooms[room].mobiles(by, text) end
local function show_cells(room, cells) rooms[room].show(cells) end

return new_environment, publisher, forget_rooms, ask, change_particles, change_mobiles, show_cells, strings
