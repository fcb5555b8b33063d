-- A portal in sight, and one that is taken (spec 07 section 22.21).
calls = {}
function log(object, marker, event)
  local x, y = event:pos()
  calls[#calls + 1] = dgn.feature_name(dgn.grid(x, y))
end

local function messenger()
  return timed_msg { initmsg = "I", finalmsg = "F", verb = "hiss", noisemaker = "bell" }
end

scenario("being seen shortens its life", function(t)
  dgn.grid(20, 20, "enter_bazaar")
  t.marker(20, 20, timed_marker { turns = 100, floor = "stone_arch", msg = messenger() })
  t.enter(22, 20)
  t.look()
  t.expect_messages("I")
  t.turn()
  t.expect_messages("F")
  t.turn(10, 8)
  t.expect_messages {}
  t.turn()
  t.expect_messages("the gateway to a bazaar disappears!")
  t.equal(t.terrain(20, 20), "stone_arch")
end)

scenario("in words of its own", function(t)
  t.marker(20, 20, timed_marker {
    turns = 10, single_timed = true, floor = "stone_arch", msg = messenger(), entity = "gate",
    disappear = "Gone: $F{the}",
  })
  t.enter(22, 20)
  t.look()
  t.messages()
  t.turn(10, 10)
  t.expect_message("Gone: the gate")
end)

scenario("with articles, and on the plain channel", function(t)
  t.marker(20, 20, timed_marker {
    turns = 10, single_timed = true, floor = "stone_arch", msg = messenger(), entity = "the gate",
    disappear = "Gone: $F",
  })
  t.enter(22, 20)
  t.look()
  t.turn(10, 9)
  t.messages()
  t.turn()
  t.expect_messages({ { "Gone: the gate", "plain" } })
end)

scenario("taking it is the end of it", function(t)
  t.marker(20, 20, timed_marker { turns = 100, floor = "stone_arch", msg = messenger() })
  t.enter(20, 20)
  t.messages()
  t.raise("player_climb", { x = 20, y = 20 })
  t.equal(t.terrain(20, 20), "stone_arch")
  t.equal(t.markers(), 0)
  t.turn(10, 20)
  t.expect_messages {}
end)

scenario("a one-way stair calls its function first", function(t)
  calls = {}
  t.marker(20, 20, one_way_stair { onclimb = "log", floor = "stone_arch" })
  t.activate()
  t.raise("player_climb", { x = 20, y = 20 })
  t.equal(calls, { "floor" })
  t.equal(t.terrain(20, 20), "stone_arch")
end)
