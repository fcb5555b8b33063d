-- Monsters and items that scripts make in play (spec 07 section 12.10; spec 06 section 7.2).
scenario("ground that is made fit for a monster is a change that others hear of", function(t)
  t.terrain(20, 20, "lava")
  t.marker(20, 20, message_at_spot("changed", nil, true))
  t.activate()
  t.stand(30, 30)
  dgn.create_monster(20, 20, "rat")
  t.equal(t.terrain(20, 20), "floor")
end)

scenario("items know what they are", function(t)
  dgn.create_item(20, 20, "potion of haste q:3")
  local item = dgn.items_at(20, 20)[1]
  t.equal({ item.base_type, item.sub_type, item.quantity }, { "potion", "haste", 3 })
  t.equal(item.dec_quantity(9), true)
  t.equal(#dgn.items_at(20, 20), 0)
end)
