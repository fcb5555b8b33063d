-- Machines that are announced (spec 07 section 22.19).
vaults [[
NAME: behind_a_wall
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxx
x...x
xxxxx
ENDMAP
]]

local function machine(t, listener)
  t.place("behind_a_wall", 20, 20)
  t.marker(20, 20, fog_machine { size = 1, pow_max = 4, delay = 40, start_clouds = 0, listener = listener })
  t.activate()
end

scenario("unseen: a warning, then the thing itself, again and again", function(t)
  machine(t, tw_machine(2, "W", "T", "sound", "Tsee", "Wsee"))
  t.stand(40, 40)
  for _ = 1, 2 do
    t.turn()
    t.expect_messages {}
    t.turn()
    t.expect_messages({ { "W", "warning" } })
    t.turn()
    t.expect_messages {}
    t.turn()
    t.expect_messages({ { "T", "sound" } })
  end
end)

scenario("seen", function(t)
  machine(t, tw_machine(2, "W", "T", "sound", "Tsee", "Wsee"))
  t.stand(21, 20)
  t.turn(10, 4)
  t.expect_messages("Wsee", "Tsee")
end)

scenario("a warning machine warns once in its life", function(t)
  machine(t, warning_machine(2, "W"))
  t.stand(40, 40)
  t.turn(10, 12)
  t.expect_messages("W")
end)
