-- A fog machine draws what it must and no more (spec 07 section 22.18).
local function machine(t)
  t.marker(20, 20, fog_machine {
    cloud_type = "thin mist", size = 2, pow_max = 4, delay = 40, start_clouds = 2, walk_dist = 0,
  })
end

scenario("clouds when it is entered, and every forty ticks", function(t)
  machine(t)
  local draws = t.draws()
  t.enter(23, 20)
  -- Of a cloud: power 3 draws, second cell 1, its power 3; the second finds the first cell taken.
  t.equal(t.draws() - draws, 14)
  t.equal(#t.clouds() >= 2, true)
  draws = t.draws()
  t.turn(10, 3)
  t.equal(t.draws(), draws, "nothing until the countdown is over")
  t.turn(10)
  t.equal(t.draws() - draws, 7, "one cloud; the next delay is fixed")
end)

scenario("a game that is loaded gets no new clouds", function(t)
  machine(t)
  t.enter(23, 20)
  t.turn(10, 2)
  local draws, clouds = t.draws(), #t.clouds()
  t.reload()
  t.equal(t.draws(), draws)
  t.equal(#t.clouds(), clouds)
  t.turn(10)
  t.equal(t.draws(), draws, "the countdown is still at 20")
  t.turn(10)
  t.expect(t.draws() > draws)
end)

scenario("ink stays on water", function(t)
  for x = 19, 21 do t.terrain(x, 20, "shallow_water") end
  t.enter(40, 40)
  dgn.place_cloud(20, 20, "ink", 20, "other", 100)
  t.wait()
  for _, cloud in ipairs(t.clouds()) do t.equal(t.terrain(cloud.x, cloud.y), "shallow_water") end
end)

scenario("fire does not spread as smoke does", function(t)
  t.enter(40, 40)
  dgn.place_cloud(20, 20, "spreading flames", 20, "other", 100)
  t.wait()
  t.equal(#t.clouds(), 1)
end)
