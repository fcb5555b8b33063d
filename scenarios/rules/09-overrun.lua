-- A long turn lets a countdown run out several times (spec 07 section 22.9).
calls = {}
function log(data, triggerable, triggerer)
  calls[#calls + 1] = { triggerer.sub_type, triggerer.countdown }
end

local function run(t, limit)
  calls = {}
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  local triggerer = DgnTriggerer:new { type = "turn", delay = 30, countdown_limit = limit }
  marker:add_triggerer(triggerer)
  t.marker(10, 10, marker)
  t.activate()
  t.turn(100)
  return triggerer.countdown
end

scenario("as often as it fits", function(t)
  local left = run(t)
  t.equal(calls, { { "countdown", -70 }, { "countdown", -40 }, { "countdown", -10 } })
  t.equal(left, 20)
end)

scenario("no more often than the limit", function(t)
  local left = run(t, 2)
  t.equal(#calls, 2)
  t.equal(left, 30, "what is below nothing is drawn anew")
end)
