-- What the host sees of a property (spec 07 section 22.6).
function g() return "G" end

scenario("values become text", function(t)
  t.marker(10, 10, portal_desc { n = 3, b = true, s = "x", desc = "D", f = global_function("g") })
  local marker = dgn.marker_at_pos(10, 10)
  t.equal(marker:property("n"), "3")
  t.equal(marker:property("b"), "", "a boolean is nothing to the host")
  t.equal(marker:property("s"), "x")
  t.equal(marker:property("f"), "G")
  t.equal(marker:property("feature_description"), "D")
  t.equal(marker:property("missing"), "")
end)
