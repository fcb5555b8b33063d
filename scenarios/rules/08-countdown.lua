-- A countdown triggers at every turn, and says what it does (spec 07 section 22.8).
calls = {}
function log(data, triggerable, triggerer)
  calls[#calls + 1] = { triggerer.sub_type, triggerer.countdown }
end

scenario("ticks and countdowns", function(t)
  calls = {}
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "turn", delay = 30 })
  t.marker(10, 10, marker)
  t.activate()
  local draws = t.draws()
  t.turn(10, 6)
  t.equal(calls, {
    { "tick", 20 }, { "tick", 10 }, { "countdown", 0 },
    { "tick", 20 }, { "tick", 10 }, { "countdown", 0 },
  })
  t.equal(t.draws(), draws, "a fixed delay draws nothing")
end)
