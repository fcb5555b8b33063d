-- Map environments and hooks (spec 01 sections 11 and 12). Loaded last, over what the data root's
-- own library defines, so that wrapping is lazy: a name is bound when a chunk first uses it.
local lookup, is_bound, table_for = ...
local dgn, rawget, rawset, setfenv, setmetatable = dgn, rawget, rawset, setfenv, setmetatable
local type, error, pairs, ipairs, next, unpack = type, error, pairs, ipairs, next, unpack
local globals = _G
local HOOKS = { "pre_main", "post_main", "post_place", "pre_epilogue", "post_epilogue" }
local ALIASES = { main = "post_main", place = "post_place", epilogue = "post_epilogue" }
local HOOK_KEYS = {}
for _, name in ipairs(HOOKS) do HOOK_KEYS[name] = "HOOK_" .. name end

local environments = {}
local global_hooks = {}
-- For each environment, what names of dgn have become in it, and its grid.
local bound_keys = setmetatable({}, { __mode = "k" })
local GRID = {}

-- A function of dgn becomes one with the map put in front; any other name is a global.
local function bind(member, map)
  return function(...) return member(map, ...) end
end
local function otherwise(env, key)
  local member = dgn[key]
  if member == nil then return globals[key] end
  local bound
  if type(member) == "function" then
    bound = bind(member, rawget(env, "wrapped_instance"))
  else
    bound = function() error("attempt to call a " .. type(member) .. " value (dgn." .. key .. ")", 2) end
  end
  bound_keys[env][key] = bound
  rawset(env, key, bound)
  return bound
end
local binding = { bind = bind, object = "wrapped_instance", bound = bound_keys }
local metatable = { __index = lookup(dgn, globals, binding, otherwise) }

local function new_environment(map, name)
  local grid = dgn.mapgrd_table(map)
  -- Most maps use no more names than there is room for.
  local env, keys = table_for(16), table_for(8)
  env.HOOK_pre_main, env.HOOK_post_main, env.HOOK_post_place = {}, {}, {}
  env.HOOK_pre_epilogue, env.HOOK_post_epilogue = {}, {}
  env.wrapped_instance, env.mapgrd, env._G = map, grid, env
  keys[GRID] = grid
  bound_keys[env] = keys
  environments[name] = setmetatable(env, metatable)
  return env
end

-- Before every run the bound names of an environment are those of dgn again, and of this map.
local function environment(map, name)
  local env = environments[name]
  if not env then return new_environment(map, name) end
  local keys = bound_keys[env]
  if rawget(env, "wrapped_instance") ~= map then
    for key in next, keys do env[key] = nil end
    keys = { [GRID] = dgn.mapgrd_table(map) }
    bound_keys[env] = keys
    env.wrapped_instance = map
  end
  env.mapgrd = keys[GRID]
  env._G = env
  if is_bound(env, keys, dgn) then return env end
  for key, value in next, env do
    local bound = keys[key]
    if bound ~= nil then
      if value ~= bound then rawset(env, key, bound) end
    elseif dgn[key] ~= nil and key ~= "mapgrd" and key ~= "wrapped_instance" then
      env[key] = nil
    end
  end
  return env
end

local function run(map, name, chunk)
  return setfenv(chunk, environment(map, name))()
end

local function fire_list(env, list)
  if list == nil then return end
  if type(list) == "function" then list = { list } end
  if type(list) ~= "table" then
    error("Bad hook value: expected table or function, got " .. type(list))
  end
  for _, hook in ipairs(list) do setfenv(hook, env)() end
end

local function fire(map, name, hook)
  local env = environment(map, name)
  fire_list(env, rawget(env, HOOK_KEYS[hook]))
  fire_list(env, global_hooks[hook])
end

local function hook_name(name)
  name = ALIASES[name] or name
  if not HOOK_KEYS[name] then error("Bad hook table for hook " .. tostring(name), 3) end
  return name
end

local function append_hook(env, name, f)
  local key = HOOK_KEYS[hook_name(name)]
  local list = rawget(env, key)
  if type(list) == "function" then list = { list } end
  list = list or {}
  list[#list + 1] = f
  env[key] = list
end

function dgn.hook(map, name, f) append_hook(environment(map, dgn.name(map)), name, f) end
function dgn.hook_environment(env, name, f) append_hook(env, name, f) end
function dgn.global_hook(name, f)
  name = hook_name(name)
  global_hooks[name] = global_hooks[name] or {}
  table.insert(global_hooks[name], f)
end
function dgn.map_environment(map)
  map = map or dgn._current_map()
  if not map then error("Can't get map_environment: No active map", 2) end
  return environment(map, dgn.name(map))
end
function dgn.map_environment_by_name(name) return environments[name] or {} end
function dgn_set_map() return nil end
function dgn_flush_map_environments()
  for name in next, environments do environments[name] = nil end
end
function dgn_flush_map_environment_for(name) environments[name] = nil end
function dgn_run_map(f, ...)
  local map = dgn._current_map()
  if not f then return end
  if not map then error("No current map?", 2) end
  local result = run(map, dgn.name(map), f)
  for _, g in ipairs { ... } do result = run(map, dgn.name(map), g) end
  return result
end

return {
  run = run,
  fire = fire,
  environments = environments,
  global_hooks = global_hooks,
  copy_hooks = function(from, map, name)
    local source = environments[from]
    local list = source and rawget(source, "HOOK_post_place")
    if list == nil or (type(list) == "table" and next(list) == nil) then return end
    if type(list) == "function" then list = { list } end
    local env = environment(map, name)
    for _, f in ipairs(list) do append_hook(env, "post_place", f) end
  end,
  -- The map of an environment whose grid and size are still those of dgn; nil for any other value.
  plain_map = function(env)
    local keys = bound_keys[env]
    if not keys or rawget(env, "mapgrd") ~= keys[GRID] then return nil end
    local size = rawget(env, "mapsize")
    if size ~= nil and size ~= keys.mapsize then return nil end
    return rawget(env, "wrapped_instance")
  end,
}
