-- Messages for those who learn the game (spec 06 section 15.7): texts of the tutorial at places of a map.

function tutorial_intro(message)
  crawl.mesclr()
  if message then crawl.mpr(message, "tutorial") end
  crawl.tutorial_msg("tutorial intro")
  crawl.more()
end

callback = callback or {}

function callback.tutorial_key(data) crawl.tutorial_msg(data.key, data.exit) end
function callback.tutorial_text(data) crawl.mpr(data.text, "tutorial") end

-- A marker that shows a text of the game's tutorial, by its key, to whoever stands there.
function tutorial_msg(key, onetime, exit)
  return function_at_spot("callback.tutorial_key", { key = key, exit = exit or false }, not onetime)
end

-- The same with the text itself.
function tutorial_message(text, onetime)
  return function_at_spot("callback.tutorial_text", { text = text }, not onetime)
end
