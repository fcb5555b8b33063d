-- A primary that listens at its replicas and acts only there (spec 07 section 22.11). A replica that is gone
-- leaves the primary listening at its cell, as in the reference: the event there is an error.
local NEW = Triggerable.make_primary ~= nil
PRIMARY = NEW and "primary_name" or "master_name"
REPLICA = NEW and "replica_to" or "slaved_to"

calls = {}
function log_and_remove(data, triggerable, triggerer, marker)
  local x, y = marker:pos()
  calls[#calls + 1] = { x, y }
  triggerable:remove(marker)
end

scenario("each cell once, the own one again and again", function(t)
  calls = {}
  t.marker(5, 5, function_at_spot("log_and_remove", nil, true, {
    [PRIMARY] = "G", [REPLICA] = "G",
    [NEW and "listen_to_replicas" or "listen_to_slaves"] = "yes",
    [NEW and "only_at_replica" or "only_at_slave"] = "yes",
  }))
  for _, x in ipairs { 10, 12, 14 } do t.marker(x, 5, props_marker { [REPLICA] = "G" }) end
  t.activate()
  t.move(5, 5)
  t.move(10, 5)
  t.expect_messages {}
  t.move(11, 5)
  t.move(10, 5)
  t.expect_message(NEW and "No replica marker at event position" or "at event position")
  t.move(5, 5)
  t.move(12, 5)
  t.move(14, 5)
  t.expect_messages {}
  t.equal(t.markers(), 0, "the last replica takes the primary along")
  t.move(5, 5)
  t.equal(calls, { { 5, 5 }, { 10, 5 }, { 5, 5 }, { 12, 5 }, { 14, 5 } })
end)
