-- Vaults that are placed while somebody plays, and what else a change of terrain spares (spec 07
-- sections 4.6, 6.2, 14.1).
heard = {}
function hear(name) heard[#heard + 1] = name end

vaults [[
NAME: pond_in_play
TAGS: pond_in_play unrand no_rotate no_hmirror no_vmirror
KFEAT: w = shallow_water
KFEAT: A = shallow_water
MARKER: A = lua:telling("own")
: hook("post_place", function() hear("post_place") end)
MAP
www
wAw
www
ENDMAP

NAME: court_in_play
TAGS: court_in_play unrand allow_dup no_rotate no_hmirror no_vmirror
MAP
...
...
...
ENDMAP

NAME: says_no
DEPTH: D
TAGS: says_no unrand
: hook("post_place", function() hear("first") return false end)
: hook("post_place", function() hear("second") end)
MAP
...
ENDMAP

NAME: level_says_no
PLACE: D:5
ORIENT: encompass
TAGS: unrand
: hook("post_place", function() return false end)
MAP
xxxxxxxxxx
x{.(.[.}.x
x.]....).x
xxxxxxxxxx
ENDMAP
]]

-- Tells of all that it is asked, and listens to what becomes of its cell.
function telling(name)
  return {
    CLASS = "Telling",
    init = function() hear("init") end,
    activate = function(_, marker, verbose)
      hear("activate " .. tostring(verbose))
      local x, y = marker:pos()
      dgn.register_listener(dgn.dgn_event_type("feat_change"), marker, x, y)
    end,
    property = function(_, _, asked)
      if asked:find("^post") then hear(asked) end
      return asked == "name" and name or ""
    end,
    event = function() hear(name .. " changes") end,
  }
end

local function place(tag) return dgn.place_map(dgn.map_by_tag(tag), false, true, 20, 20) end

scenario("what a vault in play covers moves away with its markers", function(t)
  t.enter(50, 50)
  dgn.grid(20, 20, "stone_stairs_down_i")
  dgn.grid(21, 20, "altar_zin")
  dgn.grid(19, 20, "granite_statue")
  t.marker(20, 21, props_marker { old = "yes" })
  t.expect(place("pond_in_play") ~= nil)
  t.equal(#t.features("stone_stairs_down_i"), 1)
  t.equal(#t.features("altar_zin"), 1)
  t.equal(#t.features("granite_statue"), 0)
  t.equal(#t.features("shallow_water"), 9)
  t.equal(t.terrain(20, 20), "shallow_water")
  local old = dgn.find_marker_positions_by_prop("old", "yes")
  t.equal(#old, 1)
  t.expect(t.terrain(old[1].x, old[1].y) ~= "shallow_water")
end)

scenario("nothing moves where the terrain stays, but markers go", function(t)
  t.enter(50, 50)
  t.marker(20, 20, props_marker { old = "yes" })
  place("court_in_play")
  t.equal(dgn.num_matching_markers("old"), 0)
end)

scenario("a stair that moves may come to stand on the vault, where that is floor already", function(t)
  local inside = 0
  for i = 1, 30 do
    if i == 1 then t.enter(50, 50) end
    dgn.fill_grd_area(17, 17, 23, 23, "floor")
    dgn.grid(21, 21, "stone_stairs_down_i")
    local draws = t.draws()
    place("court_in_play")
    t.expect(t.draws() - draws >= 7, "random2(8) to random2(2)")
    local stair = t.features("stone_stairs_down_i")
    t.equal(#stair, 1)
    if stair[1].x <= 21 and stair[1].y <= 21 then inside = inside + 1 end
  end
  t.expect(inside > 0)
end)

scenario("its markers are activated, not initialised, and hear of their cell", function(t)
  t.enter(50, 50)
  heard = {}
  place("pond_in_play")
  t.equal(heard, { "post_place", "activate true", "post_activate_remove", "own changes" })
end)

scenario("who listens on a cell from elsewhere hears that it is written over, and no more", function(t)
  local marker = TriggerableFunction:new { func = "hear_it", repeated = true }
  marker:add_triggerer(DgnTriggerer:new { type = "feat_change" })
  local id = t.marker(30, 30, marker)
  t.enter(50, 50)
  dgn.register_listener(dgn.dgn_event_type("feat_change"), dgn.marker_at_pos(30, 30), 20, 20)
  heard = {}
  place("pond_in_play")
  t.equal(heard[1], "it")
  heard = {}
  dgn.terrain_changed(19, 19, "floor", false)
  dgn.terrain_changed(20, 20, "floor", false)
  t.equal(heard, { "own changes" })
end)
function hear_it() hear("it") end

scenario("old items stay in water, and are gone under a wall but for what the game needs", function(t)
  t.enter(50, 50)
  for _, spec in ipairs { "dagger", "silver rune of zot", "club" } do t.item(20, 20, spec) end
  dgn.terrain_changed(20, 20, "shallow_water", false, false)
  t.equal(#t.items(20, 20), 3)
  dgn.terrain_changed(20, 20, "rock_wall", false, false)
  t.equal(t.items(20, 20), {})
  local found = {}
  for x = 19, 21 do
    for y = 19, 21 do
      for _, name in ipairs(t.items(x, y)) do found[#found + 1] = name end
    end
  end
  t.equal(found, { "silver rune of zot" })
  t.item(30, 30, "orb of zot")
  t.item(30, 30, "dagger")
  dgn.grid(30, 30, "lava")
  t.equal(t.items(30, 30), {})
  local orbs = 0
  for x = 29, 31 do for y = 29, 31 do orbs = orbs + #t.items(x, y) end end
  t.equal(orbs, 1)
end)

scenario("a hook that returns false refuses nothing, and the next one runs", function(t)
  t.enter(50, 50)
  heard = {}
  t.expect(place("says_no") ~= nil)
  t.equal(heard, { "first", "second" })
  t.build("D:5")
  t.equal(#t.features("stone_stairs_down_i"), 1)
end)

scenario("a feature marker takes any number but 0, and only names that are", function(t)
  for _, feature in ipairs { 9999, -1, "33", "floor" } do
    t.expect(pcall(dgn.register_feature_marker, 10, 10, feature))
  end
  t.equal(t.markers(10, 10), 4)
  local function refused(feature)
    local ok, why = pcall(dgn.register_feature_marker, 10, 10, feature)
    return not ok and tostring(why):match("[^\n]*")
  end
  t.equal(refused(0), "Invalid dungeon feature")
  t.equal(refused("no_such_thing"), "Invalid dungeon feature")
  t.equal(refused(nil), "Feature must be a string or a feature index.")
  t.equal(refused(true), "Feature must be a string or a feature index.")
end)
