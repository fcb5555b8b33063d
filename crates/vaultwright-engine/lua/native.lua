-- How functions of a library and native ones stand for each other. Errors of the Lua pass as they
-- are, since nothing but Lua lies between.
local native = {}

-- What the native function does; it answers nil for what it leaves to the Lua, and true for no
-- result.
function native.join(native, interpreted)
  return function(...)
    local answer = native(...)
    if answer == nil then return interpreted(...) end
    if answer == true then return end
    return answer
  end
end

-- The Lua, with another second argument.
function native.prepare(other, interpreted)
  return function(first, second, ...) return interpreted(first, other(second), ...) end
end

return native
