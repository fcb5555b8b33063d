-- The window over the Abyss follows the player (spec 07 section 7.6). Needs --data: the starter pack has no Abyss.
function log(data, triggerable, triggerer, marker, ev)
  local x, y = marker:pos()
  heard = { data.name, x, y }
end
scenario("the Abyss moves", function(t)
  t.level("Abyss:2", 3)
  t.teleport(40, 35)
  -- two ticking markers: one near where the player will be, one far away
  local function ticking(name)
    local m = TriggerableFunction:new { func = "log", repeated = true, data = { name = name } }
    m:add_triggerer(DgnTriggerer:new { type = "player_move" })
    return m
  end
  local function open(x, y) t.terrain(x, y, "floor") end
  for x = 40, 66 do open(x, 35) end
  t.marker(60, 35, ticking("near"))
  t.marker(30, 35, ticking("far"))
  local before = t.markers()
  t.activate()
  t.item(61, 35, "dagger")
  local rat = t.monster(59, 35, "rat")
  t.stand(62, 35)
  t.wait()
  t.equal(t.markers(60, 35), 1, "22 cells away it stays")
  t.stand(63, 35)
  t.wait()
  t.equal(t.markers(37, 35), 1)
  t.equal(t.items(38, 35)[1], "dagger")
  t.equal(dgn.mons_at(36, 35).name, "rat")
  heard = nil
  t.move(37, 35)
  t.equal(heard, { "near", 37, 35 })
end)
scenario("again and again", function(t)
  t.level("Abyss:3", 4)
  for i = 1, 30 do
    local x, y = 40 + (i % 2 == 0 and 23 or -23), 35 + (i % 3 == 0 and 24 or 0)
    t.terrain(x, y, "floor")
    t.stand(x, y)
    t.wait()
  end
end)

vaults [[
NAME: unseen_in_the_abyss
DEPTH: Abyss
WEIGHT: 1000000
MARKER: A = lua:props_marker { unseen_in_the_abyss = "yes" }
SUBST: A = G
MAP
..A..
.....
ENDMAP
]]
scenario("a unique vault that nobody has seen comes again", function(t)
  t.level("Abyss:2", 2)
  local came = 0
  for i = 1, 20 do
    local x, y = 40 + (i % 2 == 0 and 23 or -23), 35
    t.terrain(x, y, "floor")
    t.stand(x, y)
    t.wait()
    came = came + #dgn.find_marker_positions_by_prop("unseen_in_the_abyss")
  end
  t.expect(came > 1, "came " .. came .. " times")
end)
