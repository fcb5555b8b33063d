-- Stairs, portals and hatches of the starter pack's game.

local function stand_on(t, feature)
  local cells = t.features(feature)
  t.expect(cells[1], "there is no " .. feature)
  t.teleport(cells[1].x, cells[1].y)
  t.stand(cells[1].x, cells[1].y)
end

scenario("stairs lead to their other end and back", function(t)
  t.level("D:1", 5)
  stand_on(t, "stone_stairs_down_ii")
  local x, y = you.pos()
  t.equal((t.take_stairs()), true)
  t.equal(you.where(), "D:2")
  t.equal(t.terrain(you.pos()), "stone_stairs_up_ii")
  t.equal((t.take_stairs()), true)
  t.equal(you.where(), "D:1")
  t.equal({ you.pos() }, { x, y })
end)

scenario("a hatch always drops you on the same cell", function(t)
  t.level("D:1", 5)
  t.terrain(30, 30, "escape_hatch_down")
  t.stand(30, 30)
  t.take_stairs()
  t.equal(you.where(), "D:2")
  local x, y = you.pos()
  t.travel("D:1")
  t.stand(30, 30)
  t.take_stairs()
  t.equal({ you.pos() }, { x, y })
end)

scenario("a portal that closes, and one that is taken: there is no coming back to it", function(t)
  t.level("D:3", 5)
  t.stand(30, 30)
  local function portal(x)
    dgn.gridmark(x, 30, "enter_cellar", timed_marker {
      turns = 30, single_timed = true, floor = "expired_portal",
      msg = timed_msg { noisemaker = "lantern", verb = "hum", finalmsg = "It is going out." },
    })
  end
  for x = 29, 34 do t.terrain(x, 30, "floor") end
  portal(32)
  portal(34)
  t.enter(30, 30)
  t.messages()
  t.stand(32, 30)
  t.equal((t.take_stairs()), true)
  t.equal(you.where(), "Cellar")
  t.terrain(you.x_pos(), you.y_pos(), "exit_cellar")
  t.equal((t.take_stairs()), true)
  t.equal(you.where(), "D:3")
  t.equal(t.terrain(32, 30), "expired_portal", "it went when it was taken")
  t.turn(10, 40)
  t.equal(t.terrain(34, 30), "expired_portal", "it went when its time was over")
  t.equal((t.take_stairs()), false)
end)
