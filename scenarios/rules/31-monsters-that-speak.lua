-- MonPropsMarker: what monsters say and what is seen of them (the documents' list; spec 07 section 12.9).
vaults [[
NAME: speakers_hall
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxxxxxx
x.....x
x.....x
x.....x
xxxxxxx
ENDMAP
]]

local function rat(t, properties)
  local x, y = t.place("speakers_hall", 30, 30)
  t.monster(x + 4, y + 2, "rat")
  t.marker(x + 4, y + 2, MonPropsMarker:new(properties))
  t.activate()
  t.stand(x + 1, y + 2)
  return x + 4, y + 2
end

local function heard(t, turns)
  t.wait(turns)
  local counts = {}
  for _, text in ipairs(t.messages()) do counts[text] = (counts[text] or 0) + 1 end
  return counts
end

scenario("the documents' example: a description and a quote", function(t)
  local x, y = rat(t, {
    description = "What a horrible sight!\n", quote = "'They were filled with fear!'\n",
  })
  t.equal(t.look_at(x, y), { "floor", "rat", "What a horrible sight!", "'They were filled with fear!'" })
end)

scenario("it shouts once, when it comes in sight", function(t)
  rat(t, { shout_func = function(monster) return monster.name .. " squeals at you!" end })
  t.equal(heard(t, 50), { ["rat squeals at you!"] = 1 })
end)

scenario("it speaks now and then", function(t)
  rat(t, { speech_func = function() return "@The_monster@ says, \"Cheese.\"" end })
  local times = heard(t, 630)["The rat says, \"Cheese.\""] or 0
  t.expect(times > 12 and times < 60, "one turn in 21: " .. times)
end)

scenario("it does not speak out of sight", function(t)
  local x, y = rat(t, { speech_func = function() return "Cheese." end })
  for dy = -1, 1 do t.terrain(x - 2, y + dy, "rock_wall") end
  t.look()
  t.equal(heard(t, 200), {})
end)

scenario("__NONE keeps it silent, __NEXT leaves it to the database", function(t)
  asked = 0
  rat(t, {
    speech_func = function() asked = asked + 1 return "__NONE" end,
    shout_func = function() return "__NEXT" end,
  })
  t.equal(heard(t, 200), {})
  t.expect(asked > 0)
end)

scenario("an error of its function is said and play goes on", function(t)
  rat(t, { shout_func = function() error("hoarse") end })
  t.wait()
  t.expect_message("hoarse")
  t.equal(heard(t, 5), {})
end)
