-- Global functions that can be saved by name (spec 07 section 12.16).
util.defclass("FunctionWrapper")

function FunctionWrapper.__call(wrapper, ...) return wrapper.resolved(...) end

function global_function(name, what)
  if getmetatable(name) == FunctionWrapper then return name end
  if type(name) ~= "string" then
    local whose = what and " for " .. what or ""
    error("Expected global function name" .. whose .. ", got " .. type(name), 2)
  end
  local resolved = _G
  for part in name:gmatch("[^.]+") do
    resolved = type(resolved) == "table" and resolved[part] or nil
  end
  if not util.callable(resolved) then error("Could not resolve '" .. name .. "' to a function", 2) end
  local wrapper = util.newinstance(FunctionWrapper)
  wrapper.name, wrapper.resolved = name, resolved
  return wrapper
end
