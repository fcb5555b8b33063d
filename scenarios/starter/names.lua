-- The embedded library knows the names of the documents, of 0.28 and of trunk; each goes with each.
calls = {}
function log(data, triggerable, triggerer, marker)
  local x = marker:pos()
  calls[#calls + 1] = x
end

for _, names in ipairs {
  { "primary_name", "replica_to", "single_random_replica", "listen_to_replicas", "only_at_replica" },
  { "master_name", "slaved_to", "single_random_slave", "listen_to_slaves", "only_at_slave" },
  { "master_name", "slave_to", "single_random_slave", "listen_to_slaves", "only_at_slave" },
} do
  local primary, replica, single, listen, only = unpack(names)

  local function group(t, more)
    calls = {}
    local props = { [primary] = "G" }
    for _, name in ipairs(more) do props[name] = "yes" end
    t.marker(5, 5, function_at_spot("log", nil, true, props))
    for x = 10, 12 do t.marker(x, 5, props_marker { [replica] = "G" }) end
    t.activate()
  end

  scenario(replica .. ": all act", function(t)
    group(t, {})
    t.move(5, 5)
    t.equal(calls, { 10, 11, 12 })
  end)

  scenario(replica .. ": one acts", function(t)
    group(t, { single })
    t.move(5, 5)
    t.equal(#calls, 1)
  end)

  scenario(replica .. ": only where it happens", function(t)
    group(t, { listen, only })
    t.move(11, 5)
    t.equal(calls, { 11 })
  end)
end
