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
