-- A marker follows its item until it is picked up (spec 07 section 22.16).
calls = 0
function log() calls = calls + 1 end

local function marked(t)
  calls = 0
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "item_pickup", target = "auto" })
  t.marker(20, 20, marker)
  return marker
end

scenario("moved, then picked up", function(t)
  local dagger = t.item(20, 20, "dagger")
  local marker = marked(t)
  t.equal(#marker.triggerers, 2)
  t.equal({ marker.triggerers[1].type, marker.triggerers[2].type }, { "item_pickup", "item_moved" })
  t.activate()
  t.move_item(dagger, 21, 20)
  t.equal(t.markers(21, 20), 1)
  t.stand(21, 20)
  t.pick_up()
  t.equal(calls, 1)
end)

scenario("an item that has another name by then", function(t)
  local dagger = t.item(20, 20, "dagger")
  marked(t)
  t.activate()
  t.stand(20, 20)
  t.rename_item(dagger, "+0 dagger")
  t.pick_up()
  t.equal(calls, 0)
end)

scenario("no item at all", function(t)
  marked(t)
  t.activate()
  local said = t.messages()
  t.equal(#said, 1)
  t.expect(said[1]:find("^mlua error: "), said[1])
  t.expect(said[1]:find("No vault item for item_pickup", 1, true), said[1])
end)
