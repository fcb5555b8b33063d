-- The forms that the documents on vault making show, each with what it is for (docs/documents.md).
vaults [[
NAME: doc_random
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
: local left, right
: if crawl.random2(2) == 0 then
:   left = true
:   subst("A = x")
: else
:   subst("A = .")
: end
: if crawl.random2(2) == 0 then
:   right = true
:   subst("C = x")
: else
:   subst("C = .")
: end
: if left and right then
:   subst("B = .")
: else
:   subst("B = .x")
: end
KFEAT: s = fountain_blue
MAP
s.....
AxBxCx
......
ENDMAP

NAME: doc_by_depth
DEPTH: D
TAGS: no_exits
: if you.absdepth() < 7 then
KFEAT: G = fountain_blue
: else
KFEAT: G = fountain_sparkling
: end
MAP
.G.
ENDMAP

NAME: doc_validated
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_pool_fixup
SUBST: ' = .w
KFEAT: c = fountain_blue
validate {{
  return glyphs_connected("c", "G") and has_exit_from_glyph("c")
}}
KFEAT: G = fountain_sparkling
MAP
xxxxx
xc'Gx
x.'..
xxxxx
ENDMAP

NAME: doc_star
DEPTH: D
TAGS: no_exits
{{
  hook("post_place", function() dgn.place_maps{ tag = "doc_fan", count = 10 } end)
}}
KFEAT: G = fountain_blue
MAP
GGG
ENDMAP

NAME: doc_fan
TAGS: doc_fan allow_dup no_exits
KFEAT: G = fountain_sparkling
MAP
G
ENDMAP

NAME: doc_drawn
DEPTH: D
TAGS: no_exits no_rotate no_hmirror no_vmirror
: mapgrd[0][0] = 'T'
: mapgrd[width() - 1][height() - 1] = 'T'
MAP
...
...
ENDMAP

NAME: doc_grouped
DEPTH: D
TAGS: no_exits
KFEAT: ABC : fountain_blue / fountain_sparkling
MAP
AABBCC
ENDMAP

NAME: doc_nsubst
DEPTH: D
TAGS: no_exits
NSUBST: ABC = 1:T / *:x
MAP
AABBCC
ENDMAP
]]

scenario("Lua decides between drawings of the same cells", function(t)
  for seed = 1, 12 do
    local x, y = t.place("doc_random", 20, 2 + 4 * seed)
    local open = {}
    for index, dx in ipairs { 0, 2, 4 } do open[index] = t.terrain(x + dx, y + 1) == "floor" end
    t.expect(open[1] or open[2] or open[3], "one of them is open")
  end
end)

scenario("what a map has depends on where it stands", function(t)
  t.place("doc_by_depth", 20, 20)
  t.equal({ #t.features("fountain_blue"), #t.features("fountain_sparkling") }, { 1, 0 })
end)

scenario("a map is rolled until its validation is content", function(t)
  for column = 1, 5 do
    local x, y = t.place("doc_validated", 10 * column, 20)
    local upper = t.terrain(x + 2, y + 1) == "floor"
    local lower = t.terrain(x + 2, y + 2) == "floor"
    t.expect(upper or lower)
  end
end)

scenario("the hook of one map places ten others", function(t)
  t.place("doc_star", 20, 20)
  t.equal({ #t.features("fountain_blue"), #t.features("fountain_sparkling") }, { 3, 10 })
end)

scenario("a drawing is written cell by cell", function(t)
  t.place("doc_drawn", 20, 20)
  t.equal(#t.features("fountain_blue"), 2)
end)

scenario("a colon chooses once for all glyphs of a group", function(t)
  for column = 1, 5 do t.place("doc_grouped", 10 * column, 20) end
  local blue, sparkling = #t.features("fountain_blue"), #t.features("fountain_sparkling")
  t.equal(blue % 6 + sparkling % 6, 0)
  t.equal(blue + sparkling, 30)
end)

scenario("the count of NSUBST is for the whole group", function(t)
  t.place("doc_nsubst", 20, 20)
  t.equal({ #t.features("fountain_blue"), #t.features("rock_wall") > 4 }, { 1, true })
end)
