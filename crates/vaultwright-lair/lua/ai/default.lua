-- What mobiles do if a project has no AI of its own: they wander.
dofile("/usr/share/lair/lua/ai/common.lua")

function default()
  local d = math.random(100)
  if d < 25 then return step_up() end
  if d < 50 then return step_left() end
  if d < 75 then return step_down() end
  if d < 100 then return step_right() end
  return stand_still()
end
