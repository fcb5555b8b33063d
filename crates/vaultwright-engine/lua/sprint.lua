-- Rewards on sight (spec 06 section 15.7).

local calls = 0
function acq_on_sight(e, glyph, kinds)
  calls = calls + 1
  local name = "acq_on_sight_" .. calls
  local list = type(kinds) == "table" and kinds or { kinds }
  local marker = TriggerableFunction:new {
    func = "callback.acq_on_sight", repeated = true, data = { kinds = list, replica_name = name },
  }
  marker:add_triggerer(DgnTriggerer:new { type = "player_los" })
  e.lua_marker(glyph, marker)
  e.lua_marker(glyph, portal_desc { replica_name = name })
end

function callback.acq_on_sight(data, _, _, marker)
  if data.done then return end
  data.done = true
  local x, y = marker:pos()
  for _, kind in ipairs(data.kinds) do dgn.create_item(x, y, "acquire " .. kind) end
end
