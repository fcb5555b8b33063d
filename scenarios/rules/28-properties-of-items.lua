-- What scripts keep on items, and who sees whom (spec 06 sections 3.10 and 10.1).
vaults [[
NAME: two_rooms
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxxxx
x..x..x
x.....x
xxxxxxx
ENDMAP
]]

scenario("properties come back as they were", function(t)
  t.item(20, 20, "dagger")
  local item = dgn.items_at(20, 20)[1]
  t.equal(dgn.item_property(item, "wielder", "s"), nil)
  dgn.item_property_set(item, "wielder", "s", "Ashe")
  dgn.item_property_set(item, "notches", "b", 200)
  dgn.item_property_set(item, "weight", "f", 0.5)
  dgn.item_property_set(item, "cursed", "B", false)
  dgn.item_property_set(item, "found", "C", 20, 21)
  t.equal(dgn.item_property(item, "wielder", "s"), "Ashe")
  -- A byte holds what a byte holds.
  t.equal(dgn.item_property(item, "notches", "b"), -56)
  t.equal(dgn.item_property(item, "weight", "f"), 0.5)
  t.equal(dgn.item_property(item, "cursed", "B"), false)
  t.equal({ dgn.item_property(item, "found", "C") }, { 20, 21 })
  dgn.item_property_remove(item, "wielder")
  t.equal(dgn.item_property(item, "wielder", "s"), nil)
  local ok, message = pcall(dgn.item_property, item, "wielder", "x")
  t.equal(ok, false)
  t.expect(message:find("Unknown type: 'x'", 1, true), message)
end)

scenario("properties go with the item", function(t)
  local dagger = t.item(20, 20, "dagger")
  dgn.item_property_set(dgn.items_at(20, 20)[1], "notches", "i", 3)
  t.move_item(dagger, 25, 20)
  t.equal(dgn.item_property(dgn.items_at(25, 20)[1], "notches", "i"), 3)
end)

scenario("a wall is in the way", function(t)
  local x, y = t.place("two_rooms", 30, 30)
  t.equal(los.cell_see_cell(x + 1, y + 1, x + 2, y + 2), 1)
  t.equal(los.cell_see_cell(x + 2, y + 1, x + 4, y + 1), 0)
  t.equal(los.cell_see_cell(x + 1, y + 2, x + 5, y + 2), 1)
end)
