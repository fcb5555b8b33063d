-- Markers as tables: what a vault can construct (spec 07 section 12). They hold what they were
-- given; what they do in play comes with the event system.
lmark = lmark or {}
MARKER_UNMARSHALL_TABLE = MARKER_UNMARSHALL_TABLE or {}

function dlua_register_marker_table(class, reader)
  MARKER_UNMARSHALL_TABLE[class.CLASS] = reader or class.read
end

-- A marker whose properties are what it was given.
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

local function constructible(class_name, function_name)
  local class = util.subclass(PropertyDescriptor, class_name)
  dlua_register_marker_table(class)
  if function_name then _G[function_name] = function(properties) return class:new(properties) end end
  return class
end

constructible("PortalDescriptor", "portal_desc")
constructible("PropertiesDescriptor", "props_marker")
constructible("OneWayStair", "one_way_stair")
constructible("TimedMarker", "timed_marker")
constructible("TimedMessaging", "timed_msg")
constructible("FogMachine", "fog_machine")
constructible("ChainedFogMachine", "chained_fog_machine")
constructible("TollStair", "toll_stair")
constructible("TroveMarker", "trove_marker")
constructible("RestrictDoor", "restrict_door")
constructible("LockDoor", "lock_door")
constructible("MonPropsMarker")
constructible("MonsterOnTrigger", "monster_on_death")
constructible("TransporterSource")
constructible("TransporterDestination")
constructible("NamedHatch")

function transp_loc(name) return TransporterSource:new { _transporter_name = name } end
function transp_dest_loc(name) return TransporterDestination:new { _transporter_dest_name = name } end
function hatch_name(name) return NamedHatch:new { hatch_name = name } end
function hatch_dest_name(name) return NamedHatch:new { hatch_dest_name = name } end

-- Triggerables: what may fire them is kept in the order it was added.
util.defclass("DgnTriggerer")
function DgnTriggerer:new(parameters)
  local triggerer = util.newinstance(self)
  for key, value in pairs(parameters or {}) do triggerer[key] = value end
  if not triggerer.type then error("DgnTriggerer must have a type", 2) end
  return triggerer
end

util.subclass(PropertyDescriptor, "Triggerable")
function Triggerable:new(properties)
  local marker = PropertyDescriptor.new(self, properties)
  marker.triggerers = {}
  return marker
end
function Triggerable:add_triggerer(triggerer)
  if not triggerer then error("Triggerable:add_triggerer: no triggerer given", 2) end
  self.triggerers[#self.triggerers + 1] = triggerer
end
function Triggerable:set_property(name, value) self.props[name] = value end

util.subclass(Triggerable, "TriggerableFunction")
function TriggerableFunction:new(parameters)
  if not parameters or not parameters.func then error("Must provide func to TriggerableFunction", 2) end
  local marker = Triggerable.new(self, parameters.props)
  marker.func, marker.data, marker.repeated = parameters.func, parameters.data or {}, parameters.repeated
  return marker
end

util.subclass(Triggerable, "TriggerableMessage")
function TriggerableMessage:new(parameters)
  if not parameters or not parameters.msg then error("Must provide msg to TriggerableMessage", 2) end
  local marker = Triggerable.new(self, parameters.props)
  marker.msg, marker.channel, marker.repeated = parameters.msg, parameters.channel, parameters.repeated
  return marker
end

local function at_spot(marker)
  marker:add_triggerer(DgnTriggerer:new { type = "player_move" })
  return marker
end

function message_at_spot(message, channel, repeated, properties)
  return at_spot(TriggerableMessage:new {
    msg = message, channel = channel, repeated = repeated, props = properties,
  })
end

function function_at_spot(func, data, repeated, properties)
  return at_spot(TriggerableFunction:new {
    func = func, data = data, repeated = repeated, props = properties,
  })
end

function function_in_los(func, data, repeated, properties)
  local marker = TriggerableFunction:new {
    func = func, data = data, repeated = repeated, props = properties,
  }
  marker:add_triggerer(DgnTriggerer:new { type = "player_los" })
  return marker
end
