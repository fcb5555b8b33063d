-- Markers are asked by what they answer, whoever has put them there and however they know it (spec
-- 07 sections 2, 4, 5).
asked = 0
function made_without_a_map()
  asked = asked + 1
  return props_marker { mapless = wrapped_instance == nil and "yes" or "no" }
end
function fails_after_one()
  asked = asked + 1
  if asked > 1 then error("no more") end
  return props_marker { made = "yes" }
end
function answering(name, answer)
  return { CLASS = "Answering", property = function(_, _, asked_for) return asked_for == name and answer or "" end }
end

vaults [[
NAME: mapless
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua_mapless:made_without_a_map()
: marker("B = lua:fails_after_one()")
SUBST: AB = .
MAP
AAA
BBB
ENDMAP

NAME: transporters_of_every_kind
PLACE: D:3
ORIENT: encompass
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:answering("_transporter_name", "a")
MARKER: B = lua:answering("_transporter_dest_name", "a")
MARKER: C = lua:transp_loc("")
MARKER: D = lua:props_marker { _transporter_dest_name = true }
: hook("post_place", function()
:   local x, y = dgn.find_marker_position_by_prop("_transporter_name", "a")
:   dgn.register_lua_marker(x + 9, y, transp_loc("b"))
:   dgn.register_lua_marker(x + 9, y + 1, transp_dest_loc("b"))
:   dgn.register_lua_marker(x + 9, y + 2, function() error("no marker, and no other harm") end)
: end)
SUBST: ABCD = .
MAP
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
x{A....................................x
x.B....................................x
x.C....................................x
x.D...................................}x
x......................................x
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ENDMAP

NAME: gates_of_every_kind
PLACE: D:4
ORIENT: encompass
TAGS: no_rotate no_hmirror no_vmirror
MARKER: A = lua:props_marker { portal = true }
MARKER: B = lua:props_marker { other = "yes" }
MARKER: B = lua:props_marker { portal = "yes" }
MARKER: C = lua:answering("portal", "yes")
: hook("post_place", function() dgn.place_map(dgn.map_by_tag("gate_of_a_test"), true, true) end)
SUBST: ABC = .
MAP
xxxxxxxxxx
x{A......x
x.B......x
x.C......x
x.......}x
xxxxxxxxxx
ENDMAP

NAME: gate_of_a_test
TAGS: gate_of_a_test replace_portal unrand
KFEAT: O = enter_pandemonium
MAP
O
ENDMAP
]]

scenario("a mapless expression knows of no map", function(t)
  asked = 0
  local x, y = t.place("mapless", 20, 20)
  for dx = 0, 2 do t.equal(t.property(x + dx, y, "mapless"), "yes") end
end)

scenario("an expression that fails is asked for no further cell", function(t)
  -- Placing it runs it once, whatever was run before.
  asked = -3
  local x, y = t.place("mapless", 20, 20)
  t.equal(asked, 2, "three of A, and of B one that is made and one that fails")
  t.equal({ t.markers(x, y + 1), t.markers(x + 1, y + 1), t.markers(x + 2, y + 1) }, { 0, 0, 1 })
end)

scenario("ends of transporters are those that answer so", function(t)
  t.build("D:3")
  t.equal(#t.features("transporter"), 2)
  t.equal(#t.features("transporter_landing"), 2)
end)

scenario("a gate goes where the first Lua marker answers so", function(t)
  t.build("D:4")
  local found = t.features("enter_pandemonium")
  t.equal(#found, 1)
  t.equal(dgn.marker_at_pos(found[1].x, found[1].y):property("portal"), "yes")
  t.equal(t.property(found[1].x, found[1].y, "other"), "")
end)

scenario("a number that was saved is a whole one", function(t)
  local marker = TriggerableFunction:new { func = "note_number", repeated = true, data = { n = 5, f = 2.75 } }
  marker:add_triggerer(DgnTriggerer:new { type = "entered_level" })
  t.marker(10, 10, marker)
  t.marker(11, 10, props_marker { n = 5 })
  t.enter(12, 10)
  t.reload()
  t.equal(t.property(11, 10, "n"), "5")
  t.equal(noted, "5 2")
end)
function note_number(data) noted = data.n .. " " .. data.f end

scenario("a fog machine that waits for more lays its clouds as before", function(t)
  local machine = fog_machine { cloud_type = "thin mist", size = 1, pow_max = 4, delay = 400, start_clouds = 3 }
  machine:add_triggerer(DgnTriggerer:new { type = "player_move" })
  t.marker(20, 20, machine)
  t.enter(23, 20)
  local draws, clouds = t.draws(), #t.clouds()
  t.move(20, 20)
  t.equal(t.draws(), draws)
  t.equal(#t.clouds(), clouds)
end)

scenario("terrain that does not exist changes nothing, which is told", function(t)
  changes = 0
  local marker = TriggerableFunction:new { func = "note_change", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "feat_change" })
  t.marker(20, 20, marker)
  t.activate()
  dgn.terrain_changed(20, 20, "no_such_thing", false)
  t.equal({ changes, t.terrain(20, 20) }, { 1, "floor" })
end)
function note_change() changes = changes + 1 end

scenario("a value that is no text is none when markers are counted", function(t)
  t.marker(20, 20, props_marker { p = "1" })
  t.equal(dgn.num_matching_markers("p", true), 1)
  t.equal(dgn.num_matching_markers("p", 1), 1)
  t.equal(dgn.num_matching_markers("p", 2), 0)
  t.equal((pcall(dgn.find_markers_by_prop, "p", true)), false)
end)

scenario("what is left behind a level that is left is heard by nobody", function(t)
  changes = 0
  for x = 20, 45 do
    local marker = TriggerableFunction:new { func = "note_change", repeated = true }
    marker:add_triggerer(DgnTriggerer:new { type = "feat_change" })
    t.marker(x, 20, marker)
  end
  t.enter(23, 30)
  for x = 20, 45 do dgn.place_cloud(x, 20, "rain", 20) end
  t.leave()
  t.come_back(23, 30)
  t.expect(#t.features("shallow_water") > 0, "rain leaves puddles")
  t.equal(changes, 0)
end)

scenario("defaults are no answers", function(t)
  t.marker(20, 20, one_way_stair { desc = "D" })
  t.marker(21, 20, timed_marker { turns = 100, msg = timed_msg { noisemaker = "bell", verb = "hiss" } })
  t.equal({ t.property(20, 20, "floor"), t.property(21, 20, "floor"), t.property(21, 20, "navg") }, { "", "", "" })
end)

scenario("a messenger with ranges and messages tells both", function(t)
  t.marker(20, 20, timed_marker {
    turns = 100, single_timed = true,
    msg = timed_msg { noisemaker = "bell", verb = "hiss", ranges = { { 0, "soft " } }, messages = { { 0, "M" } } },
  })
  t.enter(20, 60)
  t.turn(10, 51)
  t.expect_messages("You hear the soft hiss of a very distant bell.", "M")
end)

scenario("an epilogue hook that fails says which", function(t)
  t.place("failing_epilogue", 20, 20)
  t.enter(30, 30)
  local heard = table.concat(t.messages(), "\n")
  t.expect(heard:find("Lua error running hook 'pre_epilogue' on map 'failing_epilogue'", 1, true), heard)
  t.expect(heard:find("after that", 1, true), heard)
end)

vaults [[
NAME: failing_epilogue
DEPTH: D
: if crawl.game_started() then hook("pre_epilogue", function() error("before") end) end
MAP
...
ENDMAP
epilogue {{ crawl.mpr("after that") }}
]]
