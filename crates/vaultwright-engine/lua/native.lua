-- A function of a library and its native counterpart, which answers nil for what it leaves to the Lua, and true
-- for no result. Errors of the Lua pass as they are, since nothing but Lua lies between.
return function(native, interpreted)
  return function(...)
    local answer = native(...)
    if answer == nil then return interpreted(...) end
    if answer == true then return end
    return answer
  end
end
