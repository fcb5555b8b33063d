-- Doors tell every cell that opens (spec 07 section 22.17).
calls = {}
function log(data, triggerable, triggerer, marker)
  local x = marker:pos()
  calls[#calls + 1] = { triggerer.type, x }
end

vaults [[
NAME: a_row_of_doors
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxx
x+++x
x...x
xxxxx
ENDMAP
]]

local function doors(t, unrestricted)
  calls = {}
  local x, y = t.place("a_row_of_doors", 20, 20)
  x, y = x + 1, y + 1
  for dx = 0, 2 do
    if not unrestricted then t.marker(x + dx, y, restrict_door {}) end
    local marker = TriggerableFunction:new { func = "log", repeated = true }
    marker:add_triggerer(DgnTriggerer:new { type = "feat_change" })
    marker:add_triggerer(DgnTriggerer:new { type = "door_opened" })
    t.marker(x + dx, y, marker)
  end
  t.activate()
  t.stand(x + 1, y + 1)
  return x, y
end

scenario("the player opens the middle one", function(t)
  local x, y = doors(t)
  t.equal(t.property(x, y, "door_restrict"), "veto")
  t.open_door(x + 1, y)
  local wanted = {}
  for dx = 0, 2 do
    wanted[#wanted + 1] = { "feat_change", x + dx }
    wanted[#wanted + 1] = { "door_opened", x + dx }
  end
  t.equal(calls, wanted)
  for dx = 0, 2 do t.equal(t.property(x + dx, y, "door_restrict"), "") end
end)

scenario("a monster opens one", function(t)
  local x, y = doors(t, true)
  t.monster_opens(x + 2, y)
  local opened = {}
  for _, call in ipairs(calls) do
    if call[1] == "door_opened" then opened[#opened + 1] = call[2] end
  end
  t.equal(opened, { x + 2 })
end)

scenario("a monster may not open a restricted one until the player has", function(t)
  local x, y = doors(t)
  t.equal((t.monster_opens(x, y)), false)
  t.equal(t.terrain(x, y), "closed_door")
  t.open_door(x, y)
  t.close_door(x, y)
  t.equal((t.monster_opens(x, y)), true)
  t.equal(t.terrain(x, y), "open_door")
end)

scenario("a door that is not of the others", function(t)
  local x, y = doors(t)
  t.marker(x + 2, y, props_marker { connected_exclude = "true" })
  t.open_door(x + 1, y)
  t.equal({ t.terrain(x, y), t.terrain(x + 1, y), t.terrain(x + 2, y) },
    { "open_door", "open_door", "closed_door" })
end)
