-- A change of terrain that keeps features moves the markers away (spec 07 section 22.15).
calls = 0
function log() calls = calls + 1 end

local function cell_with_markers(t)
  calls = 0
  t.marker(20, 20, props_marker { p = "1" })
  local marker = TriggerableFunction:new { func = "log", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "feat_change" })
  t.marker(20, 20, marker)
  t.activate()
end

scenario("to a neighbour, unheard", function(t)
  cell_with_markers(t)
  local draws = t.draws()
  dgn.terrain_changed(20, 20, "rock_wall")
  t.equal(t.draws() - draws, 7, "random2(8) to random2(2)")
  t.equal(t.terrain(20, 20), "rock_wall")
  t.equal(t.markers(20, 20), 0)
  local cells = dgn.find_marker_positions_by_prop("p", "1")
  t.expect(math.max(math.abs(cells[1].x - 20), math.abs(cells[1].y - 20)) == 1)
  t.equal(t.markers(cells[1].x, cells[1].y), 2)
  t.equal(calls, 0)
end)

scenario("not if it is told not to", function(t)
  cell_with_markers(t)
  local draws = t.draws()
  dgn.terrain_changed(20, 20, "rock_wall", false)
  t.equal(t.draws(), draws)
  t.equal(t.markers(20, 20), 2)
  t.equal(calls, 1)
end)

scenario("somebody where a wall rises is pushed aside, and markers hear of it", function(t)
  t.stand(30, 30)
  for dx = -1, 1 do
    for dy = -1, 1 do
      if dx ~= 0 or dy ~= 0 then t.marker(30 + dx, 30 + dy, message_at_spot("pushed", nil, true)) end
    end
  end
  t.activate()
  dgn.terrain_changed(30, 30, "rock_wall", false)
  t.expect_messages("pushed")
  t.expect(dgn.grid(you.pos()) == dgn.fnum("floor"))
end)
