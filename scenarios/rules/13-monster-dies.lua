-- Whose death triggers what (spec 07 section 22.13).
calls = {}
function log(data, triggerable, triggerer, marker, event)
  calls[#calls + 1] = { triggerer.target, event:ticks(), event:arg1(), event:arg2() }
end

scenario("any, by name, by property", function(t)
  calls = {}
  for i, target in ipairs { "any", "rat", "boss" } do
    local marker = TriggerableFunction:new { func = "log", repeated = true }
    marker:add_triggerer(DgnTriggerer:new { type = "monster_dies", target = target })
    t.marker(10, 10 + i, marker)
  end
  t.activate()
  local rat, orc = t.monster(20, 20, "rat"), t.monster(22, 20, "orc")
  dgn.mons_at(22, 20).set_prop("boss", "boss")
  t.kill(rat, "you")
  t.equal(calls, { { "any", 0, rat, 1 }, { "rat", 0, rat, 1 } })
  calls = {}
  t.kill(orc, "mon")
  t.equal(calls, { { "any", 0, orc, 2 }, { "boss", 0, orc, 2 } })
end)
