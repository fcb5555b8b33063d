-- What a level makes up for when the player comes back (spec 07 section 22.25). 0.28 does it in one event.
events = {}
function log(data, triggerable, triggerer, marker, event)
  local x, y = you.pos()
  events[#events + 1] = { triggerer.type, event:ticks(), x, y, event:arg1() }
end
function note_epilogue() events[#events + 1] = { "epilogue" } end

vaults [[
NAME: with_an_epilogue
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MAP
...
ENDMAP
epilogue {{ note_epilogue() }}
]]

local function start(t)
  t.place("with_an_epilogue", 30, 30)
  for i, event in ipairs { "turn", "entered_level" } do
    local marker = TriggerableFunction:new { func = "log", repeated = true }
    marker:add_triggerer(DgnTriggerer:new { type = event })
    t.marker(10, 10 + i, marker)
  end
  events = {}
  t.enter(40, 40)
end

local function come_back_after(t, ticks)
  t.turn(10)
  t.leave()
  t.pass_away(ticks)
  events = {}
  t.come_back(40, 40)
end

scenario("the epilogue comes before the level is entered", function(t)
  start(t)
  t.equal(events, { { "epilogue" }, { "entered_level", 0, 40, 40, 0 } })
end)

scenario("a short absence", function(t)
  start(t)
  come_back_after(t, 110)
  local wanted = {}
  if t.rules == "0.28" then
    wanted[1] = { "turn", 110, 0, 0, 0 }
  else
    for _ = 1, 11 do wanted[#wanted + 1] = { "turn", 10, 0, 0, 0 } end
  end
  wanted[#wanted + 1] = { "entered_level", 15, 40, 40, 0 }
  t.equal(events, wanted, "and no epilogue")
end)

scenario("a shorter one", function(t)
  start(t)
  come_back_after(t, 50)
  local wanted = {}
  if t.rules == "0.28" then
    wanted[1] = { "turn", 50, 0, 0, 0 }
  else
    for _ = 1, 5 do wanted[#wanted + 1] = { "turn", 10, 0, 0, 0 } end
    wanted[#wanted + 1] = { "turn", 0, 0, 0, 0 }
  end
  wanted[#wanted + 1] = { "entered_level", 15, 40, 40, 0 }
  t.equal(events, wanted)
end)

scenario("ticks that a sleeping marker has not heard of go along when the level is left", function(t)
  t.marker(20, 20, timed_marker {
    turns = 100, single_timed = true, floor = "stone_arch",
    msg = timed_msg { initmsg = "I", finalmsg = "F", verb = "hiss", noisemaker = "bell" },
  })
  t.enter(40, 40)
  t.turn(10, 60)
  t.leave()
  t.come_back(40, 40)
  t.messages()
  t.turn(10, 29)
  t.expect_messages("You hear the frantic hiss of a bell nearby.")
  t.turn()
  t.expect_messages("F")
end)

function say_tick() crawl.mpr("tick") end

scenario("what goes on while nobody is there is not heard", function(t)
  local marker = TriggerableFunction:new { func = "say_tick", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "turn" })
  t.marker(10, 10, marker)
  t.enter(40, 40)
  t.turn(10)
  t.leave()
  t.pass_away(1000)
  t.messages()
  t.come_back(40, 40)
  -- Of the ticks that are made up for at once one hears.
  t.expect_messages("tick")
end)
