-- Features that are there for a time, and what is heard of them (spec 07 sections 12.3 to 12.5).

lmark.class(OneWayStair, "TimedMarker", "timed_marker")

function TimedMarker:new(properties)
  local p = properties or {}
  if not p.msg then error("No messaging object provided (msg = nil)", 2) end
  local messenger = p.msg
  p.msg = nil
  p.high = p.high or p.low or p.turns or 1
  p.low = p.low or p.high
  p.high_short = p.high_short or p.low_short or p.turns_short or p.high / 10
  p.low_short = p.low_short or p.high_short
  local marker = OneWayStair.new(self, p)
  marker.dur = crawl.random_range(p.low, p.high, p.navg or 1) * 10
  marker.dur_short = crawl.random_range(p.low_short, p.high_short, p.navg or 1) * 10
  if p.single_timed then marker.dur_short = marker.dur end
  marker.msg = messenger
  return marker
end

function TimedMarker:activate(marker, verbose)
  lmark.note_home(self, marker)
  OneWayStair.activate(self, marker, verbose)
  self.msg:init(self, marker, verbose)
  for _, event in ipairs { "entered_level", "leave_level", "turn" } do
    dgn.register_listener(dgn.dgn_event_type(event), marker)
  end
  local x, y = marker:pos()
  dgn.register_listener(dgn.dgn_event_type("player_los"), marker, x, y)
end

function TimedMarker:event(marker, event)
  local kind = event:type()
  if kind == dgn.dgn_event_type("turn") then
    self.dur = self.dur - event:ticks()
    self.msg:event(self, marker, event)
    if self.dur <= 0 then
      self:timeout(marker, true)
      return true
    end
    lmark.sleep(self, marker, self.msg:quiet_for(self.dur))
  elseif kind == dgn.dgn_event_type("player_los") then
    self.started = true
    if self.dur_short < self.dur then self.dur = self.dur_short end
  elseif kind == dgn.dgn_event_type("entered_level") then
    self.started = true
    self.msg:event(self, marker, event)
  elseif kind == dgn.dgn_event_type("leave_level") then
    self.msg:event(self, marker, event)
  elseif kind == dgn.dgn_event_type("player_climb") then
    return OneWayStair.event(self, marker, event)
  end
end

function TimedMarker:timeout(marker, verbose)
  local x, y = marker:pos()
  local your_x, your_y = you.pos()
  if verbose then
    if x == your_x and y == your_y and you.taking_stairs() then
      return crawl.mpr(dgn.feature_desc_at(x, y, "The") .. " vanishes just as you enter it!")
    end
    if not you.see_cell(x, y) then
      crawl.mpr("The walls and floor vibrate strangely for a moment.")
    elseif self.props.disappear then
      -- Of two results only the text is said: the other would be taken for a channel.
      crawl.mpr((util.expand_entity(self.props.entity, self.props.disappear)))
    else
      crawl.mpr(dgn.feature_desc_at(x, y, "The") .. " disappears!")
    end
  end
  self:disappear(marker, x, y)
end

function TimedMarker:disappear(marker, x, y)
  dgn.remove_listener(marker)
  OneWayStair.disappear(self, marker, x, y)
end

function TimedMarker:describe() return self:floor() .. "/" .. self.dur end

function TimedMarker:write(marker, th)
  OneWayStair.write(self, marker, th)
  file.marshall(th, self.started or false)
  file.marshall(th, self.dur)
  file.marshall(th, self.dur_short)
  lmark.marshall_marker(th, self.msg)
end

function TimedMarker:read(marker, th)
  OneWayStair.read(self, marker, th)
  self.started = file.unmarshall_boolean(th)
  self.dur = file.unmarshall_number(th)
  self.dur_short = file.unmarshall_number(th)
  self.msg = lmark.unmarshall_marker(th)
  return setmetatable(self, TimedMarker)
end

-- The messenger of a timed marker.

util.defclass("TimedMessaging")
function timed_msg(parameters) return TimedMessaging:new(parameters) end

function TimedMessaging:new(parameters)
  parameters = parameters or {}
  if not parameters.messages then
    if not parameters.noisemaker then error("No noisemaker specified", 2) end
    if not parameters.verb then error("No verb specified", 2) end
    if parameters.visible then error("No messages set for timer messager", 2) end
  end
  local messenger = util.newinstance(self)
  for name, value in pairs(parameters) do messenger[name] = value end
  return messenger
end

local FIRST_WARNING, LEAST_CHECK = 500, 50

function TimedMessaging:init(timed, marker, verbose)
  if not self.visible and not self.messages then
    self.ranges = self.ranges or {
      { 5000, "stately " }, { 4000, "" }, { 2500, "brisk " }, { 1500, "urgent " }, { 0, "frantic " },
    }
  end
  self.range_adjectives = self.range_adjectives or {
    { 28, "very distant" }, { 21, "distant" }, { 14, "$F nearby" }, { 7, "$F very nearby" }, { 0, "$F" },
  }
  self.entity = self.entity or timed.props.entity or timed.props.desc
  self.check = self.check or math.max(timed.dur - FIRST_WARNING, LEAST_CHECK)
  if self.entered_level == nil then self.entered_level = false end
  if verbose and self.initmsg then self:emit(self.initmsg, marker) end
end

function TimedMessaging:perceived(marker)
  if not marker then return true end
  local x, y = marker:pos()
  if self.visible then return you.see_cell(x, y) end
  return you.hear_pos(x, y)
end

function TimedMessaging:emit(text, marker)
  if not text or not self:perceived(marker) then return end
  if type(text) == "table" then
    for _, line in ipairs(text) do self:emit(line) end
    return
  end
  if text == "" then return end
  crawl.mpr(util.expand_entity(self.entity, text), self.visible and "plain" or "timed_portal")
end

local LAST_WARNING = 100

function TimedMessaging:event(timed, marker, event)
  local kind = event:type()
  if kind == dgn.dgn_event_type("entered_level") then
    self.entered_level = true
  elseif kind == dgn.dgn_event_type("leave_level") then
    self.entered_level = false
    return
  end
  if not self.entered_level then return end
  local left = timed.dur
  if left < self.check or (left <= LAST_WARNING and self.check > -150) then
    self.check = left - 250
    if left > 900 then self.check = self.check - 250 end
    if self:perceived(marker) then self:say(left, marker) end
  end
end

-- For how many ticks nothing is to be said or done.
function TimedMessaging:quiet_for(left)
  if not self.entered_level then return left end
  local quiet = math.min(left, left - self.check + 1)
  if left > LAST_WARNING and self.check > -150 then return math.min(quiet, left - LAST_WARNING) end
  return quiet
end

-- The text of the first entry whose threshold has not been reached; the highest come first.
local function first_below(left, entries)
  for _, entry in ipairs(entries or {}) do
    if left > entry[1] then return entry[2] end
  end
end

function TimedMessaging:say(left, marker)
  if left <= LAST_WARNING then return self:emit(self.finalmsg) end
  local noise = first_below(left, self.ranges)
  if noise then
    self:emit("You hear the " .. noise .. self.verb .. " of " .. self:noise_phrase(marker) .. ".")
  end
  self:emit(first_below(left, self.messages))
end

function TimedMessaging:noise_phrase(marker)
  local x, y = marker:pos()
  local your_x, your_y = you.pos()
  local distance = math.max(math.abs(x - your_x), math.abs(y - your_y))
  for _, entry in ipairs(self.range_adjectives) do
    if distance >= entry[1] then
      if entry[2]:find("$F", 1, true) then return util.expand_entity(self.noisemaker, entry[2]) end
      return crawl.article_a(entry[2] .. " " .. self.noisemaker)
    end
  end
end

function TimedMessaging:write(th) lmark.marshall_table(th, setmetatable(util.cathash({}, self), nil)) end

function TimedMessaging.read(_, _, th)
  return setmetatable(lmark.unmarshall_table(th), TimedMessaging)
end

-- Lists of texts for messengers.

function timer_interval_messages(...)
  local entries, messages = { ... }, {}
  for i = 1, #entries, 2 do messages[#messages + 1] = { entries[i] * 10, entries[i + 1] } end
  return messages
end

-- Intervals in a geometric series, the earlier ones longer.
function time_messages(total, ...)
  local texts, messages, sum = { ... }, {}, 1
  for i = 1, #texts - 1 do sum = sum + 1.2 ^ i end
  local remaining = total
  for i = 1, #texts - 1 do
    remaining = remaining - total / sum * 1.2 ^ (#texts - i)
    messages[i] = { math.floor(10 * remaining), texts[i] }
  end
  messages[#texts] = { 0, texts[#texts] }
  return messages
end
