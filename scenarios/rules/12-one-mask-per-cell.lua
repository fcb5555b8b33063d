-- Listeners of a cell hear what any of them waits for (spec 07 section 22.12).
function log() end

scenario("a triggerable complains of what it did not ask for", function(t)
  t.marker(10, 10, message_at_spot("m", nil, true))
  local other = TriggerableFunction:new { func = "log", repeated = true }
  other:add_triggerer(DgnTriggerer:new { type = "feat_change" })
  t.marker(10, 10, other)
  t.activate()
  t.move(10, 10)
  local said = t.messages()
  t.equal(#said, 2)
  t.equal(said[1], "m")
  t.expect(said[2]:find("^notify_dgn_event: Lua error: "), said[2])
  t.expect(said[2]:find("Triggerable type TriggerableFunction at (10, 10) has no triggerers for dgn_event",
    1, true), said[2])
end)
