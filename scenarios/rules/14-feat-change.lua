-- Terrain that becomes what is waited for (spec 07 section 22.14).
calls = 0
function log() calls = calls + 1 end

scenario("by a pattern of the new name, not for the same again", function(t)
  calls = 0
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "feat_change", target = "wall" })
  t.marker(10, 10, marker)
  t.activate()
  for _, feature in ipairs { "shallow_water", "rock_wall", "rock_wall", "floor" } do
    dgn.terrain_changed(10, 10, feature, false)
  end
  t.equal(calls, 1)
end)
