-- Triggerables do something, triggerers wait for the event that makes them do it
-- (spec 07 sections 9 to 11).

util.defclass("Triggerable")

function Triggerable:new(properties)
  local marker = util.newinstance(self)
  marker.props, marker.triggerers = properties or {}, {}
  marker.dgn_trigs_by_type, marker.listeners = {}, {}
  return marker
end

function Triggerable:property(_, name)
  local value = lmark.named_property(self.props, name)
  if util.callable(value) then return value(self) end
  return value
end

function Triggerable:set_property(name, value)
  return lmark.set_named_property(self.props, name, value)
end

function Triggerable:add_listener(listener)
  if type(listener) ~= "table" then error("listener isn't a table", 2) end
  if not listener.func then error("listener has no func", 2) end
  listener.func = global_function(listener.func, "triggerable listener")
  self.listeners[#self.listeners + 1] = listener
end

function Triggerable:add_triggerer(triggerer)
  if not triggerer or not triggerer.type then error("triggerer has no type", 2) end
  if triggerer.method ~= "dgn_event" then
    error("Unknown triggerer method '" .. tostring(triggerer.method) .. "' for trigger class '" ..
      self.CLASS .. "'", 2)
  end
  local index, code = #self.triggerers + 1, dgn.dgn_event_type(triggerer.type)
  self.triggerers[index] = triggerer
  local filed = self.dgn_trigs_by_type[code] or {}
  filed[#filed + 1] = index
  self.dgn_trigs_by_type[code] = filed
  triggerer:added(self)
end

-- Listening.

-- The value of a property of the group, nil if it is not set.
local function group(self, marker, name)
  local value = self:property(marker, name)
  if value ~= "" then return value end
end

function Triggerable:activate(marker)
  if self.removed then error("Can't activate, triggerable removed") end
  if #self.triggerers == 0 then error("Triggerable has no triggerers") end
  if self.activating then error("Triggerable already activating") end
  self.activating = true
  local places
  local primary = group(self, marker, "primary_name")
  if primary and group(self, marker, "listen_to_replicas") then
    places = dgn.find_marker_positions_by_prop("replica_to", primary)
    if #places == 0 then error("Triggerable has no replicas to listen to") end
  else
    local x, y = marker:pos()
    places = { { x = x, y = y } }
  end
  for _, triggerer in ipairs(self.triggerers) do
    if dgn.dgn_event_is_position(triggerer.type) then
      for _, place in ipairs(places) do triggerer:activate(self, marker, place.x, place.y) end
    else
      triggerer:activate(self, marker)
    end
  end
  self.activating, self.activated = false, true
end

local function stop_listening(self, marker)
  for _, triggerer in ipairs(self.triggerers) do triggerer:remove(self, marker) end
end

function Triggerable:move(marker, x, y)
  local was_activated = self.activated
  stop_listening(self, marker)
  marker:move(x, y)
  if was_activated then
    self.activated = false
    self:activate(marker)
  end
end

function Triggerable:remove(marker)
  if self.removed then
    crawl.mpr("ERROR: Triggerable already removed", "error")
  elseif self.calling_replicas then
    self.want_remove = true
  else
    stop_listening(self, marker)
    dgn.remove_marker(marker)
    self.removed = true
  end
end

function Triggerable:event(marker, event)
  local filed = self.dgn_trigs_by_type[event:type()]
  if not filed then
    local x, y = marker:pos()
    error("Triggerable type " .. self.CLASS .. " at (" .. x .. ", " .. y ..
      ") has no triggerers for dgn_event 0")
  end
  for _, index in ipairs(filed) do
    self.triggerers[index]:event(self, marker, event)
    if self.removed then return end
  end
end

-- Acting: here, or at the markers that follow this one.

function Triggerable:do_trigger(triggerer, marker, event)
  for _, listener in ipairs(self.listeners) do
    listener.func(listener, self, triggerer, marker, event)
  end
  if triggerer.listener_only then return end
  local primary = group(self, marker, "primary_name")
  if primary then
    self:act_at_replicas(primary, triggerer, marker, event)
  else
    self:on_trigger(triggerer, marker, event)
  end
end

function Triggerable:act_at_replicas(primary, triggerer, marker, event)
  local targets, count
  if group(self, marker, "only_at_replica") then
    local target = dgn.marker_at_pos(event:pos())
    if not target then error("No replica marker at event position") end
    targets, count = { target }, 1
  else
    targets = dgn.find_markers_by_prop("replica_to", primary)
    count = #targets
    if count == 0 then return self:remove(marker) end
    if group(self, marker, "single_random_replica") then
      targets = { targets[crawl.random2(count) + 1] }
    end
  end
  self.calling_replicas = true
  local removed = 0
  local own_x, own_y = marker:pos()
  for _, target in ipairs(targets) do
    local x, y = target:pos()
    self.want_remove = false
    self:on_trigger(triggerer, target, event)
    if self.want_remove then
      removed = removed + 1
      if x == own_x and y == own_y then
        lmark.set_named_property(self.props, "replica_to", nil)
      else
        dgn.remove_marker(target)
      end
    end
  end
  self.calling_replicas, self.want_remove = false, false
  if removed >= count and #dgn.find_markers_by_prop("replica_to", primary) == 0 then
    self:remove(marker)
  end
end

-- Saving.

function Triggerable:write(_, th)
  file.marshall(th, #self.triggerers)
  for _, triggerer in ipairs(self.triggerers) do
    file.marshall_meta(th, triggerer.CLASS)
    triggerer:write(nil, th)
  end
  lmark.marshall_table(th, self.dgn_trigs_by_type)
  lmark.marshall_table(th, self.props)
  lmark.marshall_table(th, self.listeners)
end

function Triggerable:read(_, th)
  self.triggerers = {}
  for index = 1, file.unmarshall_number(th) do
    local class = _G[file.unmarshall_meta(th)]
    self.triggerers[index] = class.read(nil, nil, th)
  end
  self.dgn_trigs_by_type = lmark.unmarshall_table(th)
  self.props = lmark.unmarshall_table(th)
  self.listeners = lmark.unmarshall_table(th)
  return setmetatable(self, Triggerable)
end

-- Calling a function.

lmark.class(Triggerable, "TriggerableFunction")

function TriggerableFunction:new(parameters)
  if not parameters or not parameters.func then error("Must provide func to TriggerableFunction", 2) end
  local marker = Triggerable.new(self, parameters.props)
  marker.func = global_function(parameters.func, "triggerable function")
  marker.data, marker.repeated = parameters.data or {}, parameters.repeated
  return marker
end

function TriggerableFunction:on_trigger(triggerer, marker, event)
  self.func(self.data, self, triggerer, marker, event)
  if not self.repeated then self:remove(marker) end
end

function TriggerableFunction:write(marker, th)
  Triggerable.write(self, marker, th)
  lmark.marshall_table(th, self.func)
  file.marshall_meta(th, self.repeated)
  lmark.marshall_table(th, self.data)
end

function TriggerableFunction:read(marker, th)
  Triggerable.read(self, marker, th)
  self.func = lmark.unmarshall_table(th)
  self.repeated = file.unmarshall_meta(th)
  self.data = lmark.unmarshall_table(th)
  return setmetatable(self, TriggerableFunction)
end

-- Saying something.

lmark.class(Triggerable, "TriggerableMessage")

-- All messages without properties of their own have these, until they are saved.
local SHARED_PROPERTIES = {}

function TriggerableMessage:new(parameters)
  if not parameters or not parameters.msg then error("Must provide msg to TriggerableMessage", 2) end
  if type(parameters.msg) ~= "string" then
    error("TriggerableMessage msg must be string, not " .. type(parameters.msg), 2)
  end
  local marker = Triggerable.new(self, parameters.props or SHARED_PROPERTIES)
  marker.msg, marker.channel = parameters.msg, parameters.channel or "plain"
  marker.repeated = parameters.repeated
  return marker
end

function TriggerableMessage:on_trigger(_, marker)
  crawl.mpr(self.msg, self.channel)
  if not self.repeated then self:remove(marker) end
end

function TriggerableMessage:write(marker, th)
  Triggerable.write(self, marker, th)
  file.marshall(th, self.msg)
  file.marshall_meta(th, self.channel)
  file.marshall_meta(th, self.repeated)
end

function TriggerableMessage:read(marker, th)
  Triggerable.read(self, marker, th)
  self.msg = file.unmarshall_string(th)
  self.channel = file.unmarshall_meta(th)
  self.repeated = file.unmarshall_meta(th)
  return setmetatable(self, TriggerableMessage)
end

local function triggered_by(event, marker)
  marker:add_triggerer(DgnTriggerer:new { type = event })
  return marker
end

function message_at_spot(message, channel, repeated, properties)
  return triggered_by("player_move", TriggerableMessage:new {
    msg = message, channel = channel, repeated = repeated, props = properties,
  })
end

function triggerable_function_constructor(event)
  return function(func, data, repeated, properties)
    return triggered_by(event, TriggerableFunction:new {
      func = func, data = data, repeated = repeated, props = properties,
    })
  end
end
function_at_spot = triggerable_function_constructor("player_move")
function_in_los = triggerable_function_constructor("player_los")

-- Markers that act together.

lmark.counters = { replicas = 0 }
function lmark.next_replica_id()
  local number = lmark.counters.replicas
  lmark.counters.replicas = number + 1
  return "marker_replica" .. number
end
lmark.next_slave_id = lmark.next_replica_id
Triggerable.next_replica_id = lmark.next_replica_id
Triggerable.next_slave_id = lmark.next_replica_id

function Triggerable.make_primary(marker, id)
  marker:set_property("primary_name", id)
  marker:set_property("replica_to", id)
  return marker
end
Triggerable.make_master = Triggerable.make_primary

function Triggerable.make_replica(id) return props_marker { replica_to = id } end
Triggerable.make_slave = Triggerable.make_replica

-- The first cell gets the marker, the others follow it.
function Triggerable.synchronized_markers(marker)
  local id, made = lmark.next_replica_id(), false
  return function()
    if made then return Triggerable.make_replica(id) end
    made = true
    return Triggerable.make_primary(marker, id)
  end
end

-- Triggerers: the handler of an event is the method of its name.

util.defclass("DgnTriggerer")

local NEEDS_TARGET = { monster_dies = true, item_moved = true, item_pickup = true }
local MOST_AT_ONCE = 200

local function copy(value)
  if type(value) ~= "table" then return value end
  local result = {}
  for key, inner in pairs(value) do result[key] = copy(inner) end
  return setmetatable(result, getmetatable(value))
end

function DgnTriggerer:new(parameters)
  if not parameters then error("No parameters provided", 2) end
  if not parameters.type then error("DgnTriggerer must have a type", 2) end
  if not self[parameters.type] then
    error("DgnTriggerer can't handle event type '" .. parameters.type .. "'", 2)
  end
  if NEEDS_TARGET[parameters.type] and not parameters.target then
    error(parameters.type .. " DgnTriggerer must have parameter 'target'", 2)
  end
  local triggerer = setmetatable(copy(parameters), self)
  triggerer.method = "dgn_event"
  if triggerer.type == "turn" and (triggerer.delay or (triggerer.delay_min and triggerer.delay_max)) then
    triggerer.delay_min = math.max(triggerer.delay_min or triggerer.delay, 1)
    triggerer.delay_max = math.max(triggerer.delay_max or triggerer.delay, triggerer.delay_min)
    triggerer.buildup_turns, triggerer.countdown = 0, 0
  end
  return triggerer
end

function DgnTriggerer:added(triggerable)
  if self.type == "item_pickup" then
    local mover = copy(self)
    mover.type, mover.marker_mover = "item_moved", true
    triggerable:add_triggerer(DgnTriggerer:new(mover))
  elseif self.type == "turn" and self.countdown then
    self:reset_countdown()
  end
end

function DgnTriggerer:reset_countdown()
  self.countdown = crawl.random_range(self.delay_min, self.delay_max, 1)
end

function DgnTriggerer:activate(triggerable, marker, x, y)
  if not (triggerable.activated or triggerable.activating) then
    error("DgnTriggerer:activate(): triggerable is not activated")
  end
  if self.target == "auto" and (self.type == "item_moved" or self.type == "item_pickup") then
    local items = dgn.items_at(marker:pos())
    if #items == 0 then error("No vault item for " .. self.type) end
    if #items > 1 then error("Too many vault items for " .. self.type) end
    self.target = items[1].name()
  end
  local code = dgn.dgn_event_type(self.type)
  if dgn.dgn_event_is_position(self.type) then
    if not x then x, y = marker:pos() end
    dgn.register_listener(code, marker, x, y)
  else
    dgn.register_listener(code, marker)
  end
end

function DgnTriggerer:remove(triggerable, marker)
  if not triggerable.activated then return end
  if dgn.dgn_event_is_position(self.type) then
    local x, y = marker:pos()
    dgn.remove_listener(marker, x, y)
  else
    dgn.remove_listener(marker)
  end
end

function DgnTriggerer:event(triggerable, marker, event)
  self[self.type](self, triggerable, marker, event)
end

local function always(self, triggerable, marker, event) triggerable:do_trigger(self, marker, event) end
for _, name in ipairs {
  "player_move", "player_los", "door_opened", "door_closed", "hp_warning", "pressure_plate",
  "entered_level",
} do
  DgnTriggerer[name] = always
end

function DgnTriggerer:monster_dies(triggerable, marker, event)
  local monster = dgn.mons_from_mid(event:arg1())
  if not monster then error("DgnTriggerer:monster_dies() didn't get a valid mid") end
  local target = self.target
  if target == "any" or monster.full_name == target
    or (monster.has_prop(target) and monster.get_prop(target) == target) then
    triggerable:do_trigger(self, marker, event)
  end
end

function DgnTriggerer:feat_change(triggerable, marker, event)
  local name = dgn.feature_name(dgn.grid(event:pos()))
  if not self.target or name:find(self.target) then triggerable:do_trigger(self, marker, event) end
end

local function item_of(event, what)
  local item = dgn.item_from_index(event:arg1())
  if not item then error("DgnTriggerer:" .. what .. "() didn't get a valid item index") end
  return item
end

function DgnTriggerer:item_moved(triggerable, marker, event)
  if item_of(event, "item_moved").name() ~= self.target then return end
  if self.marker_mover then
    triggerable:move(marker, event:dest())
  else
    triggerable:do_trigger(self, marker, event)
  end
end

function DgnTriggerer:item_pickup(triggerable, marker, event)
  if item_of(event, "item_pickup").name() == self.target then
    triggerable:do_trigger(self, marker, event)
  end
end

function DgnTriggerer:turn(triggerable, marker, event)
  if not self.countdown then return triggerable:do_trigger(self, marker, event) end
  self.countdown = self.countdown - event:ticks()
  if self.countdown > 0 then
    self.sub_type = "tick"
    return triggerable:do_trigger(self, marker, event)
  end
  self.sub_type = "countdown"
  local left = self.countdown_limit or MOST_AT_ONCE
  while self.countdown <= 0 and left > 0 do
    left = left - 1
    triggerable:do_trigger(self, marker, event)
    self.countdown = self.countdown + crawl.random_range(self.delay_min, self.delay_max, 1)
  end
  if self.countdown < 0 then self:reset_countdown() end
end

function DgnTriggerer:write(_, th)
  local saved = copy(self)
  saved.method = nil
  lmark.marshall_table(th, setmetatable(saved, nil))
end

function DgnTriggerer.read(_, _, th)
  local triggerer = lmark.unmarshall_table(th)
  triggerer.method = "dgn_event"
  return setmetatable(triggerer, DgnTriggerer)
end
