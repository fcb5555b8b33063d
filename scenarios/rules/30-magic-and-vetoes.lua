-- Magic that works on terrain, and the properties that forbid it (the documents' list; spec 07 section 13).
vaults [[
NAME: breakable_hall
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxxxx
x.....x
t..G..c
x.....x
xxxxxxx
ENDMAP
]]

local function hall(t)
  local x, y = t.place("breakable_hall", 30, 30)
  t.stand(x + 2, y + 2)
  return x, y
end

scenario("each kind of magic does what it is for", function(t)
  local x, y = hall(t)
  t.equal((t.fragment(x + 3, y + 2)), true)
  t.equal(t.terrain(x + 3, y + 2), "floor")
  t.equal((t.burn(x, y + 1)), false)
  t.equal((t.burn(x, y + 2)), true)
  t.equal(t.terrain(x, y + 2), "floor")
  t.equal((t.shatter()), true)
  t.equal({ t.terrain(x + 6, y + 2), t.terrain(x + 2, y) }, { "floor", "floor" })
  t.terrain(x + 2, y + 1, "permarock_wall")
  t.equal((t.dig(x + 2, y + 1)), false)
end)

for _, case in ipairs {
  { "veto_disintegrate", "dig", 3 }, { "veto_fragmentation", "fragment", 3 },
  { "veto_fire", "burn", 0 }, { "veto_shatter", "shatter", 3 },
} do
  local veto, magic, dx = unpack(case)
  scenario(veto .. " keeps a cell from it", function(t)
    local x, y = hall(t)
    x, y = x + dx, y + 2
    local before = t.terrain(x, y)
    t.marker(x, y, props_marker { [veto] = "veto" })
    t[magic](x, y)
    t.equal(t.terrain(x, y), before)
    if magic == "fragment" then t.dig(x, y) else t.fragment(x, y) end
    t.equal(t.terrain(x, y), "floor", "no other magic is kept away")
  end)

  scenario("veto_destroy keeps a cell from " .. magic, function(t)
    local x, y = hall(t)
    x, y = x + dx, y + 2
    local before = t.terrain(x, y)
    t.marker(x, y, props_marker { veto_destroy = "veto" })
    t[magic](x, y)
    t.equal(t.terrain(x, y), before)
  end)
end
