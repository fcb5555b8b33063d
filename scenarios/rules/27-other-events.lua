-- Events that no other scenario waits for, as what raises them does.
told = {}
function log(data, triggerable, triggerer, marker, event)
  local x, y = event:pos()
  told[#told + 1] = { triggerer.type, x, y }
end
Heard = { CLASS = "Heard" }
Heard.__index = Heard
function Heard:activate(marker)
  local x, y = marker:pos()
  dgn.register_listener(dgn.dgn_event_type("mons_move"), marker, x, y)
  for _, name in ipairs { "leave_level", "entering_level", "hp_warning" } do
    dgn.register_listener(dgn.dgn_event_type(name), marker)
  end
end
function Heard:event(marker, event)
  local x, y = event:pos()
  told[#told + 1] = { event:type(), x, y }
end
function Heard:read() return setmetatable({}, Heard) end

local function waiting(t, x, y, kind)
  told = {}
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = kind })
  t.marker(x, y, marker)
  t.activate()
end

scenario("a door that is closed", function(t)
  t.terrain(20, 20, "open_door")
  waiting(t, 20, 20, "door_closed")
  t.stand(21, 20)
  t.close_door(20, 20)
  t.expect(t.terrain(20, 20) == "closed_door")
  t.equal(told[#told], { "door_closed", 20, 20 })
end)

scenario("a pressure plate", function(t)
  -- 0.28 has no such terrain: there the event is only raised.
  local plate = t.rules ~= "0.28"
  if plate then t.terrain(20, 20, "trap_pressure_plate") end
  waiting(t, 20, 20, "pressure_plate")
  t.move(20, 20)
  if not plate then t.raise("pressure_plate", { x = 20, y = 20 }) end
  t.equal(told, { { "pressure_plate", 20, 20 } })
end)

scenario("a pressure plate under a monster", function(t)
  if t.rules == "0.28" then return end
  t.terrain(20, 20, "trap_pressure_plate")
  waiting(t, 20, 20, "pressure_plate")
  local rat = t.monster(20, 21, "rat")
  t.stand(60, 60)
  t.move_monster(rat, 20, 20)
  t.equal(told, {}, "nobody sees it")
  t.move_monster(rat, 20, 21)
  t.stand(17, 20)
  t.terrain(18, 20, "clear_stone_wall")
  t.move_monster(rat, 20, 20)
  t.equal(told, {}, "glass is between")
  t.move_monster(rat, 20, 21)
  t.terrain(18, 20, "floor")
  t.move_monster(rat, 20, 20)
  t.equal(told, { { "pressure_plate", 20, 20 } })
end)

scenario("a monster that moves, and events of the whole level", function(t)
  told = {}
  t.marker(20, 20, setmetatable({}, Heard))
  t.activate()
  local rat = t.monster(22, 20, "rat")
  t.move_monster(rat, 21, 20)
  t.equal(told, {})
  t.move_monster(rat, 20, 20)
  t.raise("hp_warning")
  t.stand(40, 40)
  t.leave()
  t.come_back(40, 40)
  t.equal(told, { { 2, 20, 20 }, { 32768, 0, 0 }, { 8, 0, 0 }, { 16, 0, 0 } })
end)

scenario("a trap can be stepped on", function(t)
  local trap = t.rules == "0.28" and "trap_alarm" or "trap_pressure_plate"
  t.terrain(20, 20, trap)
  waiting(t, 20, 20, "player_move")
  t.stand(21, 20)
  t.equal((t.step(-1, 0)), true)
  t.equal(told, { { "player_move", 20, 20 } })
end)
