-- What vaults call features, and when they stop to (spec 04 §16.3).
vaults [[
NAME: rules_inky
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
: set_feature_name("fountain_blue", "weeping statue")
MAP
...
.T.
...
ENDMAP
]]

scenario("a fountain that is something else", function(t)
  local x, y = t.place("rules_inky", 30, 30)
  x, y = x + 1, y + 1
  t.equal(t.terrain(x, y), "fountain_blue")
  t.equal(dgn.feature_desc_at(x, y, "a"), "a weeping statue")
  t.leave()
  t.come_back(10, 10)
  t.equal(dgn.feature_desc_at(x, y, "the", true), "the weeping statue.")
  dgn.reset_feature_name_for(x, y, "fountain_blue")
  t.equal(dgn.feature_desc_at(x, y, "a"), "a fountain of clear blue water")
end)
