-- What becomes of marker specs that mean nothing (spec 07 section 22.5).
vaults [[
NAME: bad_specs
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MARKER: B = foo:bar
MARKER: C = feat:nosuchfeature
MARKER: E = feat:stone_arch
MARKER: D = lua_mapless:zzz.y
SUBST: BCDE = .
MAP
B.C
D.E
ENDMAP
]]

scenario("only the good one leaves a marker", function(t)
  local x, y = t.place("bad_specs", 20, 20)
  t.equal({ t.markers(x, y), t.markers(x + 2, y), t.markers(x, y + 1) }, { 0, 0, 0 })
  t.equal(t.markers(x + 2, y + 1), 1)
end)

scenario("a syntax error in a marker does not compile", function(t)
  local problems = t.check("NAME: broken\nMARKER: F = lua:(((\nMAP\nF\nENDMAP\n")
  t.equal(#problems, 1)
end)

-- Transporters are made when a level is built, so this one is: a hall that is all of a level.
vaults [[
NAME: transporter_hall
PLACE: D:3
ORIENT: encompass
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:transp_loc("t")
MARKER: B = lua:transp_loc("t")
MARKER: C = lua:transp_dest_loc("t")
SUBST: ABC = .
MAP
xxxxxxxxxx
x{A......x
x.B......x
x.C......x
x.......}x
xxxxxxxxxx
ENDMAP

NAME: two_landings
PLACE: D:4
ORIENT: encompass
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:transp_loc("t")
MARKER: B = lua:transp_dest_loc("t")
SUBST: AB = .
MAP
xxxxxxxxxx
x{A......x
x.B......x
x.B......x
x.......}x
xxxxxxxxxx
ENDMAP
]]

scenario("two transporters to one landing", function(t)
  t.build("D:3")
  t.equal(#t.features("transporter"), 2)
  t.equal(#t.features("transporter_landing"), 1)
  t.equal(t.markers(), 2, "where they lead; no Lua marker is left")
end)

scenario("two landings of one name", function(t)
  local built, reason = pcall(t.build, "D:4")
  t.equal(built, false)
  t.expect(tostring(reason):find("Transporter placement failed."), tostring(reason))
end)
