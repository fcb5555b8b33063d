-- What doors are called and what is told of them (the documents' list of marker properties; spec 07
-- section 13).
vaults [[
NAME: talking_doors
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

local function door(t, properties)
  local x, y = t.place("talking_doors", 30, 30)
  t.stand(x + 2, y + 2)
  t.marker(x + 3, y + 2, props_marker(properties))
  return x + 3, y + 2
end

-- Whether a door creaks is drawn: opened until it does what is asked for.
local function told(t, x, y, wanted)
  for _ = 1, 100 do
    t.open_door(x, y)
    for _, text in ipairs(t.messages()) do
      if text == wanted then return true end
    end
    t.close_door(x, y)
    t.messages()
  end
end

scenario("the documents' door_open_verb is read, and its counterpart", function(t)
  local x, y = door(t, {
    door_open_verb = "The %s%s sighs open.", door_close_verb = "The %s%s sighs shut.",
    door_noisy_verb_open = "The %s%s groans.", door_noisy_verb_close = "The %s%s groans.",
    door_description_adjective = "weary", door_description_noun = "doorway",
  })
  t.expect(told(t, x, y, "The weary doorway sighs open."))
  t.expect(told(t, x, y, "The weary doorway groans."))
end)

scenario("a door for somebody who flies", function(t)
  local x, y = door(t, { door_airborne_verb_open = "You swoop at the %s%s." })
  t.fly(true)
  t.expect(told(t, x, y, "You swoop at the door."))
  t.fly(false)
  t.expect(told(t, x, y, "You open the door."))
end)

scenario("a door for somebody berserk never creaks", function(t)
  local x, y = door(t, {
    door_berserk_verb_open = "You kick the %s%s in", door_berserk_adjective = "with a crash!",
  })
  t.berserk(true)
  local draws = t.draws()
  t.open_door(x, y)
  t.expect_messages("You kick the door in with a crash!")
  t.equal(t.draws(), draws)
  t.close_door(x, y)
  t.expect_messages("You slam the door shut with a crash!")
  t.deaf(true)
  t.open_door(x, y)
  t.expect_messages("You kick the door in.")
end)

scenario("what a door is called", function(t)
  local x, y = door(t, {
    door_description_prefix = "flickering ", door_description_suffix = " to the Armoury",
    door_description_noun = "portal",
  })
  t.equal(t.describe(x, y), "closed flickering portal to the Armoury")
  t.open_door(x, y)
  t.equal(t.describe(x, y), "open flickering portal to the Armoury")
end)

scenario("a door that does not say whether it is open", function(t)
  local x, y = door(t, { door_description_veto = "veto", door_description_adjective = "painted" })
  t.equal(t.describe(x, y), "painted door")
end)
