-- A marker stays where its glyph was when it was made (spec 07 section 22.3).
vaults [[
NAME: marker_before_subst
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:props_marker { p = "1" }
SUBST: A = x, B = A
SUBST: A = .
MAP
A..B
ENDMAP
]]

scenario("glyphs move on, markers do not", function(t)
  local x, y = t.place("marker_before_subst", 20, 20)
  t.equal(t.markers(), 1)
  t.equal(t.property(x, y, "p"), "1")
  t.equal(t.property(x + 3, y, "p"), "")
  t.equal(t.terrain(x, y), "rock_wall")
end)
