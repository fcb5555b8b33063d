-- Cells that share a marker's table share its state (spec 07 section 22.4).
vaults [[
NAME: shared_table
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
: lua_marker("a", message_at_spot("hi", "warning"))
SUBST: a = .
MAP
a.a
ENDMAP

NAME: own_tables
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MARKER: a = lua:message_at_spot("hi", "warning")
SUBST: a = .
MAP
a.a
ENDMAP
]]

scenario("one table for two cells", function(t)
  local x, y = t.place("shared_table", 20, 20)
  t.activate()
  t.move(x, y)
  t.expect_messages({ { "hi", "warning" } })
  local removed = "ERROR: Triggerable already removed"
  t.move(x + 2, y)
  t.expect_messages({ { "hi", "warning" }, { removed, "error" } })
  t.move(x + 1, y)
  t.move(x + 2, y)
  t.expect_messages("hi", removed)
  t.equal(t.markers(x, y), 0)
  t.equal(t.markers(x + 2, y), 1)
end)

scenario("a table for each cell", function(t)
  local x, y = t.place("own_tables", 20, 20)
  t.activate()
  for _, dx in ipairs { 0, 2, 1, 0, 2 } do t.move(x + dx, y) end
  t.expect_messages("hi", "hi")
  t.equal(t.markers(), 0)
end)
