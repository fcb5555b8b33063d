-- What monsters in play are called (spec 07 section 10.3; 0.28 was asked).
vaults [[
NAME: names_hall
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxxxx
x.....x
x.....x
xxxxxxx
ENDMAP
]]

for spec, names in pairs({
  ["rat name:Foo"] = { "Foo the rat", "Foo", "rat" },
  ["orc name:chief n_suf"] = { "orc chief", "orc chief", "orc chief" },
  ["orc name:big n_adj"] = { "big orc", "big orc", "big orc" },
  ["kobold zombie name:Ugh"] = { "Ugh the kobold zombie", "Ugh", "kobold zombie" },
  ["rat"] = { "rat", "rat", "rat" },
}) do
  scenario("a monster of the spec " .. spec, function(t)
    local x, y = t.place("names_hall", 30, 30)
    t.monster(x + 3, y + 1, spec)
    local monster = dgn.mons_at(x + 3, y + 1)
    t.equal({ monster.full_name, monster.name, monster.base_name }, names)
  end)
end
