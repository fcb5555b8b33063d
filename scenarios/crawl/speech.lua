-- What monsters say comes from the data folder's texts where their properties say so (spec 07 section 12.9).
-- Needs --data.
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

local function said(t, properties)
  local x, y = t.place("speakers_hall", 30, 30)
  t.monster(x + 4, y + 2, "rat")
  t.marker(x + 4, y + 2, MonPropsMarker:new(properties))
  t.activate()
  t.stand(x + 1, y + 2)
  t.wait(600)
  return t.messages()
end

scenario("a rat with somebody else's speech", function(t)
  local lines = said(t, { speech_key = "Edmund" })
  t.expect(#lines > 5, #lines .. " lines")
  local named = 0
  for _, text in ipairs(lines) do
    t.expect(not text:find("@The_monster@", 1, true))
    if text:find("rat", 1, true) then named = named + 1 end
  end
  t.expect(named > 0, "the rat says it")
end)

scenario("a prefix chooses other words, without any the usual ones come", function(t)
  t.equal(#said(t, { speech_key = "no_such_key" }), 0)
  t.expect(#said(t, { speech_key = "Edmund", speech_prefix = "no_such_prefix" }) > 5)
end)

scenario("__NEXT goes on to the texts", function(t)
  t.expect(#said(t, { speech_func = function() return "__NEXT" end, speech_key = "Edmund" }) > 5)
end)
