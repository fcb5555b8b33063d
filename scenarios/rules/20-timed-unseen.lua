-- A portal that nobody sees is heard until it closes (spec 07 section 22.20).
vaults [[
NAME: closed_cell
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror no_exits
MAP
xxx
x.x
xxx
ENDMAP
]]

local function portal(t)
  t.place("closed_cell", 20, 20)
  t.marker(20, 20, timed_marker {
    turns = 130, single_timed = true, floor = "stone_arch",
    msg = timed_msg { initmsg = "I", finalmsg = "F", verb = "hiss", noisemaker = "bell" },
  })
end

local HEARD = "You hear the frantic hiss of a bell nearby."
local GONE = "The walls and floor vibrate strangely for a moment."

scenario("every 26 turns, and at the end", function(t)
  portal(t)
  t.enter(37, 20)
  t.expect_messages({ { "I", "timed_portal" } })
  local heard = {}
  for left = 1290, 0, -10 do
    t.turn()
    for _, text in ipairs(t.messages()) do heard[#heard + 1] = { left, text } end
  end
  t.equal(heard, { { 790, HEARD }, { 530, HEARD }, { 270, HEARD }, { 100, "F" }, { 0, GONE } })
  t.equal(t.terrain(20, 20), "stone_arch")
  t.equal(t.markers(), 0)
end)

scenario("on a level that nobody has entered", function(t)
  portal(t)
  t.stand(37, 20)
  t.activate()
  t.turn(10, 130)
  t.expect_messages("I", GONE)
end)
