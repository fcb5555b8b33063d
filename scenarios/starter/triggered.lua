-- The vaults of packs/starter/des/triggered.des, played.

-- The cell of the vault's drawing, on the level; the vault may be mirrored or turned, so by its glyph's marker.
local function marked(property, value)
  local cells = dgn.find_marker_positions_by_prop(property, value)
  return cells[1], cells
end

local function heard(t, text)
  for _, said in ipairs(t.messages()) do
    if said:find(text, 1, true) then return true end
  end
  return false
end

scenario("a message for whoever steps there, once", function(t)
  local x, y = t.place("trigger_whispering_tile", 30, 30)
  t.enter(60, 60)
  t.move(x + 2, y + 2)
  t.expect_messages("Somebody stood here before you.")
  t.move(x, y)
  t.move(x + 2, y + 2)
  t.expect_messages {}
end)

scenario("a statue wakes when it is seen", function(t)
  local x, y = t.place("trigger_waking_statue", 30, 30)
  t.enter(60, 60)
  t.equal(t.terrain(x + 3, y + 3), "granite_statue")
  t.stand(x + 2, y + 3)
  t.look()
  t.expect_messages("The statue takes a breath.")
  t.equal(t.terrain(x + 3, y + 3), "floor")
  t.equal(dgn.mons_at(x + 3, y + 3).name, "gargoyle")
end)

scenario("arches come down one by one, until none is left", function(t)
  t.place("trigger_crumbling_gallery", 30, 30)
  t.enter(60, 60)
  local _, arches = marked("replica_to", "crumbling_gallery")
  t.equal(#arches, 5)
  local fallen = 0
  for _ = 1, 400 do
    t.turn()
    local _, left = marked("replica_to", "crumbling_gallery")
    t.expect(5 - #left - fallen <= 1, "one at a time")
    fallen = 5 - #left
  end
  t.equal(fallen, 5)
  for _, arch in ipairs(arches) do t.equal(t.terrain(arch.x, arch.y), "rock_wall") end
  t.equal(t.markers(), 0, "the statue's marker is gone, too")
end)

scenario("an arch does not fall on somebody", function(t)
  t.place("trigger_crumbling_gallery", 30, 30)
  local arch = marked("replica_to", "crumbling_gallery")
  t.enter(arch.x, arch.y)
  t.turn(10, 600)
  t.equal(t.terrain(arch.x, arch.y), "floor")
  t.equal(t.markers(arch.x, arch.y), 1)
end)

scenario("lava comes in phases", function(t)
  t.place("trigger_ember_hall", 30, 30)
  t.enter(60, 60)
  local _, middle = marked("ember_ring", 1)
  local _, edge = marked("ember_ring", 2)
  t.equal({ #middle, #edge }, { 1, 8 })
  local function all(cells, feature)
    for _, p in ipairs(cells) do t.equal(t.terrain(p.x, p.y), feature) end
  end
  t.turn(10, 10)
  t.expect(heard(t, "warm underfoot"))
  all(middle, "floor")
  t.turn(10, 10)
  all(middle, "lava")
  all(edge, "floor")
  t.turn(10, 10)
  all(edge, "lava")
  t.turn(10, 10)
  all(middle, "lava")
  all(edge, "floor")
end)

scenario("the phases go on in a saved game", function(t)
  t.place("trigger_ember_hall", 30, 30)
  t.enter(60, 60)
  t.turn(10, 15)
  t.reload()
  t.turn(10, 5)
  t.expect(heard(t, "wells up"))
end)

scenario("each warden opens a wall", function(t)
  t.place("trigger_three_wardens", 30, 30)
  t.enter(60, 60)
  for number = 1, 3 do
    local gate = marked("warden_gate", number)
    t.equal(t.terrain(gate.x, gate.y), "stone_wall")
    local warden = t.monster(50 + number, 60, "orc name:warden name_replace")
    t.kill(warden)
    t.equal(t.terrain(gate.x, gate.y), "floor", "wall " .. number)
    t.expect(heard(t, "As the warden falls"))
  end
  t.kill(t.monster(50, 60, "orc"))
  t.expect_messages {}
end)

scenario("the statues of the court come alive together", function(t)
  t.place("trigger_statue_court", 30, 30)
  t.enter(60, 60)
  local _, statues = marked("replica_to", "statue_court")
  t.equal(#statues, 4)
  local seat = marked("primary_name", "statue_court")
  t.move(seat.x, seat.y)
  t.expect_messages("The statues step down from their plinths!")
  for _, p in ipairs(statues) do t.equal(dgn.mons_at(p.x, p.y).name, "gargoyle") end
end)

scenario("a clock is heard until it has run down", function(t)
  local x, y = t.place("trigger_clock", 30, 30)
  t.enter(60, 60)
  t.turn(10, 119)
  t.expect(heard(t, "of a"), "its ticking")
  t.turn()
  t.expect_message("vibrate strangely")
  t.equal(t.terrain(x + 2, y + 2), "floor")
end)
