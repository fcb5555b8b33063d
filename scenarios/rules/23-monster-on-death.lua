-- A monster that comes when another dies (spec 07 section 22.23).
local function armed(t, more)
  local parameters = { target = "rat", new_monster = "bat", message = "M", message_seen = "S" }
  for name, value in pairs(more or {}) do parameters[name] = value end
  t.marker(20, 20, monster_on_death(parameters))
  t.activate()
end

vaults [[
NAME: wall_between
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxx
x...x
xxxxx
ENDMAP
]]

scenario("not on top of the player", function(t)
  armed(t)
  t.stand(20, 20)
  t.kill(t.monster(24, 20, "rat"))
  t.equal(t.markers(), 1)
  t.stand(22, 20)
  t.kill(t.monster(24, 20, "rat"))
  t.expect_messages("S")
  t.equal(dgn.mons_at(20, 20).name, "bat")
  t.equal(t.markers(), 0)
end)

scenario("unseen", function(t)
  t.place("wall_between", 20, 20)
  armed(t)
  t.stand(40, 40)
  t.kill(t.monster(30, 30, "rat"))
  t.expect_messages("M")
end)

scenario("only on its terrain", function(t)
  armed(t, { monster_place_feature = dgn.fnum("metal_statue") })
  t.stand(22, 20)
  t.kill(t.monster(24, 20, "rat"))
  t.expect_messages {}
  t.equal(t.markers(), 1)
end)
