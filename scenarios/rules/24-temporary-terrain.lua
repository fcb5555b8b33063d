-- Changes of terrain that end lie on top of each other (spec 07 section 22.24).
changes = 0
function log() changes = changes + 1 end

scenario("what is below comes back", function(t)
  t.temporary(20, 20, "shallow_water", 100, "flood")
  t.temporary(20, 20, "lava", 50)
  t.equal(t.terrain(20, 20), "lava")
  t.time_out(60)
  t.equal(t.terrain(20, 20), "shallow_water")
  dgn.terrain_changed(20, 20, "deep_water", false)
  t.equal(t.terrain(20, 20), "deep_water")
  t.time_out(60)
  t.equal(t.terrain(20, 20), "floor", "what was there before the first change")
  t.equal(t.markers(), 0)
end)

scenario("the longer time counts", function(t)
  t.temporary(20, 20, "shallow_water", 100, "flood")
  t.temporary(20, 20, "shallow_water", 30, "flood")
  t.time_out(60)
  t.equal(t.terrain(20, 20), "shallow_water")
  t.time_out(40)
  t.equal(t.terrain(20, 20), "floor")
end)

scenario("floor on floor is nothing", function(t)
  t.temporary(20, 20, "floor", 100)
  t.equal(t.markers(), 0)
end)

scenario("each change that shows is told once", function(t)
  changes = 0
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "feat_change" })
  t.marker(20, 20, marker)
  t.activate()
  t.temporary(20, 20, "shallow_water", 100, "flood")
  t.temporary(20, 20, "lava", 50)
  t.time_out(60)
  t.time_out(60)
  t.equal(changes, 4)
end)

scenario("a seal on a door that is open has nothing to end", function(t)
  t.temporary(20, 20, "sealed_door", 100, "door_seal")
  dgn.terrain_changed(20, 20, "open_door", false)
  t.time_out(60)
  t.equal(t.markers(20, 20), 1)
  t.time_out(60)
  t.equal({ t.markers(20, 20), t.terrain(20, 20) }, { 0, "open_door" })
end)

-- A bog of nobody's: in 0.28 all of them end out of sight, later only those of the player.
scenario("bogs out of sight", function(t)
  t.temporary(22, 20, "toxic_bog", 100, "bog", "player")
  t.stand(40, 40)
  t.temporary(20, 20, "toxic_bog", 100, "bog")
  t.temporary(41, 40, "toxic_bog", 100, "bog")
  t.time_out(10)
  t.equal(t.terrain(20, 20), t.rules == "trunk" and "toxic_bog" or "floor")
  t.equal(t.terrain(41, 40), "toxic_bog")
  t.equal(t.terrain(22, 20), "floor")
end)

scenario("a wall that comes for a time where a monster stands", function(t)
  local rat = t.monster(20, 20, "rat")
  t.temporary(20, 20, "rock_wall", 100, "tomb")
  local trunk = t.rules == "trunk"
  t.equal(t.terrain(20, 20), trunk and "rock_wall" or "floor")
  t.equal(dgn.mons_at(20, 20) == nil, trunk)
  t.equal(t.markers(20, 20), trunk and 1 or 0)
end)

-- Spec 07 section 20; 0.28 was asked.
scenario("a wall that stays where a monster stands", function(t)
  t.monster(20, 20, "rat")
  local trunk = t.rules == "trunk"
  dgn.terrain_changed(20, 20, "rock_wall", false)
  t.equal(t.terrain(20, 20), trunk and "rock_wall" or "floor")
  t.equal(dgn.mons_at(20, 20) == nil, trunk)
end)

scenario("the colour of the cell comes back", function(t)
  dgn.colour_at(20, 20, "red")
  for _, x in ipairs { 20, 21 } do
    t.temporary(x, 20, "shallow_water", 100, "flood")
    dgn.colour_at(x, 20, "blue")
  end
  t.time_out(100)
  t.equal({ dgn.colour_at(20, 20), dgn.colour_at(21, 20) }, { "red", "black" })
end)

-- Spec 07 section 14.6, rule 1; 0.28 knows no mortars.
scenario("fire that a monster keeps up", function(t)
  local rat = t.monster(30, 30, "rat")
  t.temporary(20, 20, "lava", 50, "hellfire_mortar", rat)
  t.time_out(100)
  t.equal(t.terrain(20, 20), "lava", "it gets no older")
  t.kill(rat)
  t.kill(t.monster(30, 30, "rat"))
  t.time_out(30)
  t.equal(t.terrain(20, 20), "lava", "it burns to its end")
  t.time_out(20)
  t.equal(t.terrain(20, 20), "floor")
end)

scenario("other terrain goes with the monster whose it is", function(t)
  local rat = t.monster(30, 30, "rat")
  t.temporary(20, 20, "lava", 50, "generic", rat)
  t.temporary(21, 20, "lava", 50, "generic", "player")
  t.time_out(10)
  t.equal({ t.terrain(20, 20), t.terrain(21, 20) }, { "lava", "lava" })
  t.kill(rat)
  t.kill(t.monster(30, 30, "rat"))
  t.time_out(10)
  t.equal({ t.terrain(20, 20), t.terrain(21, 20) }, { "floor", "lava" })
end)
