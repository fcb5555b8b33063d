-- Every event has its code (spec 07 section 22.1).
scenario("names become codes", function(t)
  local names = { "none", "turn", "mons_move", "player_move", "leave_level", "entering_level",
    "entered_level", "player_los", "player_climb", "monster_dies", "item_pickup", "item_moved",
    "feat_change", "unused", "door_opened", "door_closed", "hp_warning", "pressure_plate" }
  local code = 0
  for _, name in ipairs(names) do
    t.equal(dgn.dgn_event_type(name), code, name)
    code = code == 0 and 1 or code * 2
  end
  t.equal(dgn.dgn_event_type("zzz"), 0)
  t.equal(dgn.dgn_event_type(1), 0, "a number is no name")
  t.equal({ dgn.dgn_event_type("turn", "player_los") }, { 1, 64 })
end)

scenario("climbing is neither global nor of a position", function(t)
  t.equal(dgn.dgn_event_is_global("player_climb"), false)
  t.equal(dgn.dgn_event_is_position("player_climb"), false)
  t.equal(dgn.dgn_event_is_global(1), true)
  t.equal(dgn.dgn_event_is_position(4), true)
end)
