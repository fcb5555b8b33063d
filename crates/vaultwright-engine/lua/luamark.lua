-- Markers as tables: what a vault can construct (spec 07 sections 9 to 12). Construction is complete,
-- with its defaults, errors and draws; what markers do in play comes with the event system.
lmark = lmark or {}
MARKER_UNMARSHALL_TABLE = MARKER_UNMARSHALL_TABLE or {}

function dlua_register_marker_table(class, reader)
  MARKER_UNMARSHALL_TABLE[class.CLASS] = reader or class.read
end

local function assign(object, fields)
  for name, value in pairs(fields) do object[name] = value end
  return object
end

-- Properties.

util.defclass("PropertyDescriptor")
function PropertyDescriptor:new(properties)
  local marker = util.newinstance(self)
  marker.props = util.cathash({}, properties or {})
  return marker
end
function PropertyDescriptor:property(_, name)
  local value = self.props and self.props[name]
  return value ~= nil and tostring(value) or ""
end

local function class_with_constructor(parent, class_name, function_name)
  local class = util.subclass(parent, class_name)
  dlua_register_marker_table(class)
  if function_name then _G[function_name] = function(parameters) return class:new(parameters) end end
  return class
end

class_with_constructor(PropertyDescriptor, "PortalDescriptor", "portal_desc")
class_with_constructor(PropertyDescriptor, "PropertiesDescriptor", "props_marker")
class_with_constructor(PortalDescriptor, "OneWayStair", "one_way_stair")
class_with_constructor(OneWayStair, "TollStair", "toll_stair")
class_with_constructor(OneWayStair, "TroveMarker", "trove_marker")
class_with_constructor(PropertyDescriptor, "RestrictDoor", "restrict_door")
class_with_constructor(PortalDescriptor, "LockDoor", "lock_door")
class_with_constructor(PropertyDescriptor, "MonPropsMarker")

function OneWayStair:new(properties)
  local marker = PortalDescriptor.new(self, properties)
  marker.props.floor = marker.props.floor or "floor"
  if marker.props.onclimb then marker.props.onclimb = global_function(marker.props.onclimb) end
  return marker
end

local TOLL_FIELDS = { { "quantity", "a quantity" }, { "base_type", "a base type" }, { "sub_type", "a sub type" } }
function TroveMarker:new(properties)
  local toll = properties and properties.toll
  if not toll then error("Need a toll.", 2) end
  if not toll.type then error("Toll doesn't have a type!", 2) end
  if toll.type == "item" then
    if not toll.item then error("Item toll doesn't have an item!", 2) end
    for _, field in ipairs(TOLL_FIELDS) do
      if toll.item[field[1]] == nil then error("Item needs " .. field[2] .. ".", 2) end
    end
  elseif toll.type == "bane" and not toll.bane then
    error("Bane toll doesn't have a type!", 2)
  end
  return OneWayStair.new(self, properties)
end

function MonPropsMarker:new(properties)
  if not properties then error("MonPropsMarker:new() needs props", 2) end
  if type(properties) ~= "table" then error("MonPropsMarker:new() needs type(props) == table", 2) end
  return PropertyDescriptor.new(self, properties)
end

local function named(class_name, property, what)
  local class = class_with_constructor(PortalDescriptor, class_name)
  return function(name)
    if not name then error("No " .. what .. " name provided", 2) end
    return class:new { [property] = name }
  end
end

transp_loc = named("Transporter", "_transporter_name", "transporter")
transp_dest_loc = named("TransporterDestination", "_transporter_dest_name", "transporter destination")
hatch_name = named("HatchName", "_hatch_name", "hatch")
hatch_dest_name = named("HatchDestinationName", "_hatch_dest_name", "hatch destination")

-- Portals that close.

class_with_constructor(OneWayStair, "TimedMarker", "timed_marker")
function TimedMarker:new(properties)
  properties = properties or {}
  if not properties.msg then error("No messaging object provided (msg = nil)", 2) end
  local p, messenger = util.cathash({}, properties), properties.msg
  p.msg = nil
  p.high = p.high or p.low or p.turns or 1
  p.low = p.low or p.high
  p.high_short = p.high_short or p.low_short or p.turns_short or p.high / 10
  p.low_short = p.low_short or p.high_short
  p.navg = p.navg or 1
  local marker = OneWayStair.new(self, p)
  marker.dur = crawl.random_range(p.low, p.high, p.navg) * 10
  marker.dur_short = crawl.random_range(p.low_short, p.high_short, p.navg) * 10
  if p.single_timed then marker.dur_short = marker.dur end
  marker.msg = messenger
  return marker
end

util.defclass("TimedMessaging")
function TimedMessaging:new(parameters)
  parameters = parameters or {}
  if parameters.visible and not parameters.messages then
    error("No messages set for timer messager", 2)
  end
  if not parameters.messages then
    if not parameters.noisemaker then error("No noisemaker specified", 2) end
    if not parameters.verb then error("No verb specified", 2) end
  end
  return assign(util.newinstance(self), parameters)
end
function timed_msg(parameters) return TimedMessaging:new(parameters) end

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

-- Triggerers.

util.defclass("DgnTriggerer")
local HANDLED = {}
for _, name in ipairs {
  "monster_dies", "feat_change", "item_moved", "item_pickup", "player_move", "player_los",
  "door_opened", "door_closed", "hp_warning", "pressure_plate", "turn", "entered_level",
} do HANDLED[name] = true end
local NEEDS_TARGET = { monster_dies = true, item_moved = true, item_pickup = true }

function DgnTriggerer:new(parameters)
  if not parameters then error("No parameters provided", 2) end
  if not parameters.type then error("DgnTriggerer must have a type", 2) end
  if not HANDLED[parameters.type] then
    error("DgnTriggerer can't handle event type '" .. parameters.type .. "'", 2)
  end
  if NEEDS_TARGET[parameters.type] and not parameters.target then
    error(parameters.type .. " DgnTriggerer must have parameter 'target'", 2)
  end
  local triggerer = assign(util.newinstance(self), parameters)
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
    local mover = util.cathash({}, self)
    mover.type, mover.marker_mover = "item_moved", true
    triggerable:add_triggerer(DgnTriggerer:new(mover))
  elseif self.countdown then
    self.countdown = crawl.random_range(self.delay_min, self.delay_max, 1)
  end
end

-- Triggerables: what may fire them is kept in the order it was added.

util.defclass("Triggerable")
function Triggerable:new(properties)
  local marker = util.newinstance(self)
  marker.props, marker.triggerers, marker.listeners = properties or {}, {}, {}
  return marker
end
Triggerable.property = PropertyDescriptor.property
function Triggerable:set_property(name, value)
  local old = self.props[name]
  self.props[name] = value
  return old
end
function Triggerable:add_triggerer(triggerer)
  if not triggerer or not triggerer.type then error("triggerer has no type", 2) end
  if triggerer.method ~= "dgn_event" then
    error("Unknown triggerer method '" .. tostring(triggerer.method) .. "' for trigger class '" ..
      self.CLASS .. "'", 2)
  end
  self.triggerers[#self.triggerers + 1] = triggerer
  triggerer:added(self)
end
function Triggerable:add_listener(listener)
  if type(listener) ~= "table" then error("listener isn't a table", 2) end
  if not listener.func then error("listener has no func", 2) end
  listener.func = global_function(listener.func)
  self.listeners[#self.listeners + 1] = listener
end

class_with_constructor(Triggerable, "TriggerableFunction")
function TriggerableFunction:new(parameters)
  if not parameters or not parameters.func then error("Must provide func to TriggerableFunction", 2) end
  local marker = Triggerable.new(self, parameters.props)
  marker.func, marker.data = global_function(parameters.func), parameters.data or {}
  marker.repeated = parameters.repeated
  return marker
end

class_with_constructor(Triggerable, "TriggerableMessage")
function TriggerableMessage:new(parameters)
  if not parameters or not parameters.msg then error("Must provide msg to TriggerableMessage", 2) end
  if type(parameters.msg) ~= "string" then
    error("TriggerableMessage msg must be string, not " .. type(parameters.msg), 2)
  end
  local marker = Triggerable.new(self, parameters.props)
  marker.msg, marker.channel = parameters.msg, parameters.channel or "plain"
  marker.repeated = parameters.repeated
  return marker
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

class_with_constructor(Triggerable, "MonsterOnTrigger", "monster_on_death")
function MonsterOnTrigger:new(parameters)
  if not parameters or not parameters.new_monster then error("Must provide new_monster", 2) end
  local marker = Triggerable.new(self, util.cathash({}, parameters))
  marker:add_triggerer(DgnTriggerer:new {
    type = "monster_dies", target = parameters.death_monster or parameters.target,
  })
  return marker
end

-- One marker for many cells: the first cell gets it, the others only point to it.

local replicas = 0
function lmark.next_replica_id()
  replicas = replicas + 1
  return "marker_replica" .. replicas - 1
end
Triggerable.next_replica_id = lmark.next_replica_id
function Triggerable.make_primary(marker, id)
  marker:set_property("primary_name", id)
  marker:set_property("replica_to", id)
  return marker
end
function Triggerable.make_replica(id) return props_marker { replica_to = id } end
function Triggerable.synchronized_markers(marker)
  local id, made = lmark.next_replica_id(), false
  return function()
    if made then return Triggerable.make_replica(id) end
    made = true
    return Triggerable.make_primary(marker, id)
  end
end

crawl_require("dlua/lm_fog.lua")
