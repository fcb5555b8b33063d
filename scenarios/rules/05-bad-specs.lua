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

local HALL = [[
NAME: transporter_hall
PLACE: D:1
ORIENT: encompass
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:transp_loc("t")
MARKER: B = lua:transp_loc("t")
MARKER: C = lua:transp_dest_loc("t")
]]
local MAP = [[
SUBST: ABCD = .
MAP
xxxxxxxxxx
x[A....{(x
x.B......x
x.C......x
x....D.)]x
xxx.})xxxx
ENDMAP
]]

scenario("transporters", function(t)
  t.equal(t.check(HALL .. MAP), {}, "a second source is no error")
end)
