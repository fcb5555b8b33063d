-- A primary acts where its replicas are (spec 07 section 22.10).
local NEW = Triggerable.make_primary ~= nil
PRIMARY = NEW and "primary_name" or "master_name"
REPLICA = NEW and "replica_to" or "slaved_to"
SINGLE = NEW and "single_random_replica" or "single_random_slave"

calls = {}
function log(data, triggerable, triggerer, marker, event)
  local x, y = marker:pos()
  local at_x, at_y = event:pos()
  calls[#calls + 1] = { x, y, at_x, at_y }
end

local function group(t, more)
  calls = {}
  local props = { [PRIMARY] = "G" }
  for name, value in pairs(more or {}) do props[name] = value end
  t.marker(5, 5, function_at_spot("log", nil, true, props))
  for _, p in ipairs { { 8, 2 }, { 3, 2 }, { 4, 9 } } do
    t.marker(p[1], p[2], props_marker { [REPLICA] = "G" })
  end
  t.activate()
end

scenario("all replicas, row by row", function(t)
  group(t)
  t.move(8, 2)
  t.equal(calls, {}, "replicas do not listen")
  t.move(5, 5)
  t.equal(calls, { { 3, 2, 5, 5 }, { 8, 2, 5, 5 }, { 4, 9, 5, 5 } })
end)

scenario("one replica at random", function(t)
  group(t, { [SINGLE] = "yes" })
  for _ = 1, 12 do
    calls = {}
    local draws, coming = t.draws(), t.would_draw(3)[1]
    t.move(5, 5)
    t.equal(t.draws(), draws + 1)
    local wanted = ({ { 3, 2 }, { 8, 2 }, { 4, 9 } })[coming + 1]
    t.equal({ calls[1][1], calls[1][2] }, wanted)
    t.equal(#calls, 1)
    t.move(6, 6)
  end
end)

scenario("without replicas it goes", function(t)
  group(t)
  for _, marker in ipairs(dgn.find_markers_by_prop(REPLICA, "G")) do marker:remove() end
  t.move(5, 5)
  t.equal(t.markers(), 0)
  t.expect_messages {}
end)
