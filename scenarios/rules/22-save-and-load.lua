-- What a marker keeps when a game is saved and loaded (spec 07 section 22.22).
events = {}
function log(data, triggerable, triggerer, marker, event)
  events[#events + 1] = { triggerer.type, event:arg1() }
  seen = data
end

local function marker(data)
  local made = TriggerableFunction:new { func = "log", repeated = true, data = data }
  made:add_triggerer(DgnTriggerer:new { type = "turn", delay = 1000 })
  made:add_triggerer(DgnTriggerer:new { type = "entered_level" })
  return made
end

scenario("numbers become whole, texts of digits numbers", function(t)
  events = {}
  t.marker(10, 10, marker { n = 5, s = "7", f = 2.75, b = true, t = { q = "z" } })
  t.marker(20, 20, timed_marker {
    turns = 500, single_timed = true,
    msg = timed_msg { initmsg = "I", finalmsg = "F", verb = "hiss", noisemaker = "bell" },
  })
  t.enter(12, 10)
  t.turn(10, 3)
  t.messages()
  events = {}
  t.reload()
  t.expect_messages("I")
  t.equal(events, { { "entered_level", 1 } })
  t.equal(seen, { n = 5, s = 7, f = 2, b = true, t = { q = "z" } })
  events = {}
  t.turn(960)
  t.turn(10)
  t.equal(#events, 2, "the countdown goes on at 970, and the marker still listens")
end)

scenario("a function inside cannot be saved", function(t)
  t.marker(10, 10, marker { f = function() end })
  t.activate()
  t.equal((pcall(t.reload)), false)
end)
