-- Gates that stay, and portals that do not. Needs --data.
local function through(t, gate, way_out)
  t.level("D:5", 3)
  t.terrain(30, 30, gate)
  t.stand(30, 30)
  t.equal((t.take_stairs()), true)
  t.terrain(you.x_pos(), you.y_pos(), way_out)
  t.equal((t.take_stairs()), true)
  t.equal(you.where(), "D:5")
  return t.terrain(30, 30)
end

scenario("the gate of the Abyss stays", function(t)
  t.equal(through(t, "enter_abyss", "exit_abyss"), "enter_abyss")
end)

scenario("a sewer is gone", function(t)
  t.equal(through(t, "enter_sewer", "exit_sewer"), "expired_portal")
end)
