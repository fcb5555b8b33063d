-- The vaults of packs/starter/des/idioms.des that do something, played.

scenario("braziers tip over, but not onto whoever stands there", function(t)
  t.place("tipping_braziers", 30, 30)
  local braziers = dgn.find_marker_positions_by_prop("brazier", 1)
  t.equal(#braziers, 4)
  t.enter(60, 60)
  for x = 25, 45 do for y = 25, 45 do
    if t.markers(x, y) > 0 and t.property(x, y, "brazier") == "" then t.move(x, y) end
  end end
  t.expect_messages("The braziers tip over!")
  local lava = 0
  for _, at in ipairs(braziers) do
    if t.terrain(at.x, at.y) == "lava" then lava = lava + 1 end
  end
  t.equal(lava, 4)
end)

scenario("only the tile that is stepped on gives way", function(t)
  t.place("treacherous_row", 30, 30)
  t.enter(60, 60)
  local tiles = dgn.find_marker_positions_by_prop("slave_to", "treacherous_row")
  t.equal(#tiles, 5)
  for wet, at in ipairs(tiles) do
    t.move(at.x, at.y)
    local flooded = 0
    for _, other in ipairs(tiles) do
      if t.terrain(other.x, other.y) == "shallow_water" then flooded = flooded + 1 end
    end
    t.equal(flooded, wet)
  end
end)

scenario("the gallery gets wet drop by drop", function(t)
  t.place("dripping_gallery", 30, 30)
  t.enter(60, 60)
  local spots = dgn.find_marker_positions_by_prop("slave_to", "dripping_gallery")
  t.equal(#spots, 4)
  local function wet()
    local count = 0
    for _, at in ipairs(spots) do
      if t.terrain(at.x, at.y) == "shallow_water" then count = count + 1 end
    end
    return count
  end
  local before = 0
  for _ = 1, 600 do
    t.turn()
    t.expect(wet() - before <= 1, "one at a time")
    before = wet()
  end
  t.equal(before, 4)
end)

scenario("the hook of every vault counts them", function(t)
  t.level("D:1", 5)
  t.expect((dgn.persist.vaults_met or 0) > 0, "nobody counts")
end)

scenario("somebody comes up the drains of the cellar, now and then", function(t)
  local function inhabitants()
    local count = 0
    for x = 1, 78 do for y = 1, 68 do
      if dgn.mons_at(x, y) then count = count + 1 end
    end end
    return count
  end
  local most = 0
  for seed = 1, 4 do
    t.build("Cellar", seed)
    local before = inhabitants()
    t.turn(10, 3000)
    most = math.max(most, inhabitants() - before)
  end
  -- One in 300 turns; of the two maps behind the portal one has the drains.
  t.expect(most >= 3 and most <= 30, most .. " have come")
end)
