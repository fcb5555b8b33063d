-- What the words do that no release has any more: run with --rules classic.
vaults [[
NAME: old_no_control
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
LFLAGS: no_tele_control
MAP
...
ENDMAP

NAME: old_forgotten
DEPTH: D
LFLAGS: not_mappable
MAP
...
ENDMAP

NAME: old_unmapped
DEPTH: D
LFLAGS: no_magic_map
MAP
...
ENDMAP

NAME: old_branch_flag
DEPTH: D
BFLAGS: no_tele_control
MAP
...
ENDMAP

NAME: old_closed_cell
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
KPROP: a = no_ctele_into
KFEAT: a = floor
MAP
a..
ENDMAP

NAME: old_traps
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
KFEAT: A = known needle trap
KFEAT: B = net trap
MAP
AB
ENDMAP

NAME: old_items
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
KITEM: p = bread ration
KITEM: q = plate mail
MAP
pq
ENDMAP
]]

scenario("LFLAGS no_tele_control: nobody chooses where a teleport ends", function(t)
  t.place("old_no_control", 30, 30)
  t.enter(40, 40)
  local done, why = t.teleport(42, 42)
  t.equal(done, false)
  t.expect(why:find("magical force") ~= nil, why)
end)

scenario("BFLAGS: the same on the level of the vault", function(t)
  t.place("old_branch_flag", 30, 30)
  t.enter(40, 40)
  t.equal((t.teleport(42, 42)), false)
end)

scenario("without flags a teleport may be chosen", function(t)
  t.enter(40, 40)
  t.equal((t.teleport(42, 42)), true)
end)

scenario("no_ctele_into closes a cell to chosen teleports, and no other", function(t)
  local x, y = t.place("old_closed_cell", 30, 30)
  t.enter(40, 40)
  t.equal((t.teleport(x, y)), false)
  t.equal((t.teleport(x + 1, y)), true)
end)

scenario("traps that were known once", function(t)
  local x, y = t.place("old_traps", 30, 30)
  t.equal({ t.terrain(x, y), t.terrain(x + 1, y) }, { "trap_mechanical", "trap_mechanical" })
end)

scenario("food is an item", function(t)
  local x, y = t.place("old_items", 30, 30)
  t.equal({ t.items(x, y)[1], t.items(x + 1, y)[1] }, { "bread ration", "plate mail" })
end)

scenario("shuffle_remove and subst_remove are errors: what is substituted stays so", function(t)
  for _, word in ipairs { "shuffle_remove", "subst_remove" } do
    local told = t.check("NAME: a\nDEPTH: D\n: " .. word .. "('a')\nMAP\n.\nENDMAP\n")
    t.equal(#told, 1)
    t.expect(told[1]:find("stays done", 1, true) ~= nil, told[1])
  end
end)

scenario("who has just begun has no experience", function(t)
  t.equal(you.exp(), 0)
end)

scenario("LFLAGS not_mappable: what is out of sight is forgotten", function(t)
  t.place("old_forgotten", 20, 30)
  t.enter(40, 40)
  t.terrain(45, 39, "rock_wall")
  t.terrain(45, 40, "rock_wall")
  t.terrain(45, 41, "rock_wall")
  t.move(41, 40)
  t.look()
  t.equal(t.knows(50, 40), false)
  t.equal(t.knows(42, 40), true)
  t.move(60, 60)
  t.look()
  t.equal({ t.knows(42, 40), t.knows(60, 60) }, { false, true })
  local done, why = t.map_level()
  t.equal(done, false)
  t.equal(why, "You feel momentarily disoriented.")
end)

scenario("LFLAGS no_magic_map: magic mapping fails, what was seen stays known", function(t)
  t.place("old_unmapped", 20, 30)
  t.enter(40, 40)
  t.equal((t.map_level()), false)
  t.equal(t.knows(41, 40), true)
end)

scenario("elsewhere magic mapping shows the level", function(t)
  t.enter(40, 40)
  t.terrain(70, 60, "rock_wall")
  t.equal((t.map_level()), true)
  t.expect_message("aware of your surroundings")
  t.equal(t.knows(70, 60), true)
end)
