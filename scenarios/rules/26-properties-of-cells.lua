-- What markers say of their cells to somebody who acts there (spec 07 section 13).
vaults [[
NAME: told_cells
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxxxx
x.....x
x..+..x
x.....x
xxxxxxx
ENDMAP
]]

vaults [[
NAME: beyond_the_arch
TAGS: beyond_the_arch no_rotate no_hmirror no_vmirror
ORIENT: encompass
MARKER: A = lua:message_at_spot("You are beyond.")
SUBST: A = .
MAP
xxxxx
xA.Tx
x...x
xxxxx
ENDMAP
]]

told_beyond = {}
function tell_beyond(data, triggerable, triggerer, marker, event)
  told_beyond[#told_beyond + 1] = { triggerer.type, event:ticks(), you.taking_stairs() }
end
function telling(type) return triggerable_function_constructor(type)("tell_beyond", nil, true) end

vaults [[
NAME: time_beyond_the_arch
TAGS: time_beyond_the_arch no_rotate no_hmirror no_vmirror
ORIENT: encompass
MARKER: A = lua:telling("turn")
MARKER: A = lua:telling("entered_level")
SUBST: A = .
MAP
xxxxx
xA.Tx
x...x
xxxxx
ENDMAP
]]

vaults [[
NAME: wide_plain
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
ORIENT: encompass
: extend_map { width = 70, height = 60, fill = "." }
MAP
.
ENDMAP
]]

vaults [[
NAME: misty_plain
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
ORIENT: encompass
: extend_map { width = 70, height = 60, fill = "." }
: hook("post_place", function () dgn.place_cloud(20, 20, "steam", 50) end)
MAP
.
ENDMAP
]]

local function hall(t)
  local x, y = t.place("told_cells", 30, 30)
  t.stand(x + 2, y + 2)
  return x, y
end

scenario("a door that will not open", function(t)
  local x, y = hall(t)
  t.marker(x + 3, y + 2, props_marker { veto_open = "veto", veto_reason = "It is painted on." })
  local opened, reason = t.open_door(x + 3, y + 2)
  t.equal({ opened, reason }, { false, "It is painted on." })
  t.equal(t.terrain(x + 3, y + 2), "closed_door")
end)

scenario("a door that asks", function(t)
  local x, y = hall(t)
  t.marker(x + 3, y + 2, props_marker { door_open_prompt = "Really?" })
  t.equal((t.open_door(x + 3, y + 2)), false)
  t.say_yes(true)
  t.equal((t.open_door(x + 3, y + 2)), true)
end)

scenario("a door with words of its own", function(t)
  local x, y = hall(t)
  t.marker(x + 3, y + 2, props_marker {
    door_verb_open = "The %s%s sighs open.", door_noisy_verb_open = "The %s%s sighs open.",
    door_description_adjective = "weary", door_description_noun = "portal",
  })
  t.open_door(x + 3, y + 2)
  t.expect_messages("The weary portal sighs open.")
end)

scenario("a wall that cannot be dug", function(t)
  local x, y = hall(t)
  t.marker(x, y + 2, props_marker { veto_destroy = "veto" })
  t.equal((t.dig(x, y + 2)), false)
  t.equal((t.dig(x, y + 1)), true)
  t.equal(t.terrain(x, y + 1), "floor")
end)

scenario("stairs that keep you out", function(t)
  t.terrain(30, 30, "stone_stairs_down_i")
  t.marker(30, 30, props_marker { veto_stair = "veto" })
  t.stand(30, 30)
  t.equal((t.take_stairs()), false)
end)

scenario("what a cell is called", function(t)
  t.marker(30, 30, portal_desc { desc = "a seam in the air" })
  t.equal(t.describe(30, 30), "a seam in the air")
end)

scenario("somebody who explores stops where he is asked to", function(t)
  local x, y = hall(t)
  t.terrain(x + 5, y + 2, "granite_statue")
  t.marker(x + 5, y + 2, props_marker { stop_explore = "true", stop_explore_msg = "It looks at you." })
  t.terrain(x + 3, y + 1, "rock_wall")
  t.terrain(x + 3, y + 3, "rock_wall")
  t.stand(x + 1, y + 1)
  local stopped
  for _ = 1, 10 do
    local going, why = t.explore()
    for _, text in ipairs(t.messages()) do stopped = stopped or text == "It looks at you." end
    if stopped or not going then break end
  end
  t.expect(stopped)
end)

-- What is said on the way to a statue with these properties.
local function said_of_statue(t, properties)
  local x, y = hall(t)
  t.terrain(x + 5, y + 2, "granite_statue")
  t.marker(x + 5, y + 2, props_marker(properties))
  t.terrain(x + 3, y + 1, "rock_wall")
  t.terrain(x + 3, y + 3, "rock_wall")
  t.stand(x + 1, y + 1)
  local said = {}
  for _ = 1, 10 do
    if not t.explore() then break end
    for _, text in ipairs(t.messages()) do
      if not text:find("^You ") and not text:find("^As you ") then said[#said + 1] = text end
    end
  end
  return said
end

scenario("stop_explore alone names what was found", function(t)
  t.equal(said_of_statue(t, { stop_explore = "true" }), { "Found a granite statue." })
end)

scenario("stop_explore_msg alone stops and is said", function(t)
  t.equal(said_of_statue(t, { stop_explore_msg = "Its eyes follow you." }), { "Its eyes follow you." })
end)

scenario("a monster's death has a function", function(t)
  deaths = {}
  t.monster(30, 30, "rat")
  dgn.mons_at(30, 30).set_prop("monster_dies_lua_key", function(monster, killer)
    deaths[#deaths + 1] = { monster.full_name, killer }
    dgn.terrain_changed(40, 40, "shallow_water", false)
  end)
  t.marker(31, 31, MonPropsMarker:new { boss = "boss" })
  t.monster(31, 31, "orc")
  t.activate()
  t.equal(dgn.mons_at(31, 31).get_prop("boss"), "boss")
  t.equal(t.markers(), 0)
  t.stand(29, 30)
  t.kill_nearest()
  t.equal(deaths, { { "rat", "you" } })
  t.equal(t.terrain(40, 40), "shallow_water")
end)

scenario("an arch that leads to a map with a tag, and not back", function(t)
  t.terrain(30, 30, "stone_arch")
  t.marker(30, 30, one_way_stair { dst = "beyond_the_arch" })
  t.terrain(32, 30, "stone_arch")
  t.marker(32, 30, one_way_stair { dst = "no_such_tag" })
  t.activate()
  t.stand(32, 30)
  t.equal((t.take_stairs()), false)
  t.stand(30, 30)
  t.equal((t.take_stairs()), true)
  t.equal(#t.features("fountain_blue"), 1)
  t.equal(t.markers(), 1)
  local cell = t.features("fountain_blue")[1]
  t.move(cell.x - 2, cell.y)
  t.expect_message("You are beyond.")
end)

scenario("going through an arch takes half as long again", function(t)
  told_beyond = {}
  t.terrain(30, 30, "stone_arch")
  t.marker(30, 30, one_way_stair { dst = "time_beyond_the_arch" })
  t.activate()
  t.stand(30, 30)
  t.equal((t.take_stairs()), true)
  local ticks = t.rules == "0.28" and 7 or 15
  t.equal(#told_beyond, 2)
  for i, wanted in ipairs { "entered_level", "turn" } do
    t.equal(told_beyond[i][1], wanted)
    t.expect(told_beyond[i][2] == ticks or told_beyond[i][2] == ticks + 1, told_beyond[i][2])
  end
  t.equal({ told_beyond[1][3], told_beyond[2][3] }, { true, false })
end)

scenario("a level that becomes another throws the player somewhere", function(t)
  t.stand(30, 30)
  t.monster(31, 30, "rat")
  t.item(29, 30, "dagger")
  dgn.place_map(dgn.map_by_name("wide_plain"), false, true)
  local x, y = you.pos()
  t.expect(x ~= 30 or y ~= 30, "the player is where he was")
  t.equal(t.terrain(x, y), "floor")
  t.equal(dgn.mons_at(31, 30), nil)
  t.equal(t.items(29, 30), {})
end)

scenario("what a level brings that takes the place of another stays", function(t)
  t.stand(30, 30)
  dgn.place_cloud(31, 31, "steam", 50)
  t.equal(dgn.cloud_at(31, 31), "steam")
  dgn.place_map(dgn.map_by_name("misty_plain"), false, true)
  t.equal({ dgn.cloud_at(20, 20), dgn.cloud_at(31, 31) }, { "steam", "none" })
end)
