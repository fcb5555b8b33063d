-- Markers that answer for properties (spec 07 sections 12.1, 12.2, 12.11 to 12.14).

-- The generations of names for markers that act together mean the same.
local SAME = {}
for _, names in ipairs {
  { "primary_name", "master_name" },
  { "replica_to", "slaved_to", "slave_to" },
  { "single_random_replica", "single_random_slave" },
  { "listen_to_replicas", "listen_to_slaves" },
  { "only_at_replica", "only_at_slave" },
} do
  for _, name in ipairs(names) do SAME[name] = names end
end

-- The value of a property under any of its names; nothing for false.
function lmark.named_property(props, name)
  local value = props[name]
  for _, other in ipairs(value == nil and SAME[name] or {}) do
    if value == nil then value = props[other] end
  end
  return value or ""
end

-- Sets a property, whatever name it has been given before.
function lmark.set_named_property(props, name, value)
  local old = lmark.named_property(props, name)
  for _, other in ipairs(SAME[name] or {}) do props[other] = nil end
  props[name] = value
  return old ~= "" and old or nil
end

-- A marker that has nothing to do for some ticks need not be told of every turn. One table on several cells is
-- told by each of them, so that it cannot know how long that is.
function lmark.note_home(object, marker)
  local x, y = marker:pos()
  local home = x .. "," .. y
  object.shared = object.shared or (object.home and object.home ~= home)
  object.home = home
end

function lmark.sleep(object, marker, ticks)
  if not object.shared and ticks > 0 then dgn.sleep_turns(marker, ticks) end
end

-- Defines a class with a function that makes its markers.
function lmark.class(parent, class_name, function_name)
  local class = util.subclass(parent, class_name)
  if function_name then
    _G[function_name] = function(parameters) return class:new(parameters) end
  end
  return class
end

util.defclass("PropertyDescriptor")

function PropertyDescriptor:new(properties)
  local marker = util.newinstance(self)
  marker.props = properties or {}
  return marker
end

function PropertyDescriptor:property(_, name) return lmark.named_property(self.props, name) end

function PropertyDescriptor:write(_, th) lmark.marshall_table(th, self.props) end

function PropertyDescriptor:read(_, th)
  self.props = lmark.unmarshall_table(th) or {}
  return setmetatable(self, PropertyDescriptor)
end

-- The reader of a class whose markers keep no more than those of its parent.
local function reads_as(class, parent)
  function class:read(marker, th) return setmetatable(parent.read(self, marker, th), class) end
end

lmark.class(PropertyDescriptor, "PropertiesDescriptor", "props_marker")
reads_as(PropertiesDescriptor, PropertyDescriptor)

lmark.class(PropertyDescriptor, "PortalDescriptor", "portal_desc")
reads_as(PortalDescriptor, PropertyDescriptor)

function PortalDescriptor:property(marker, name)
  if name == "feature_description" then
    local description = self:unnamed_property(marker, "desc")
    if description == "" then return nil end
    return description
  end
  return self:unnamed_property(marker, name)
end

function PortalDescriptor:unnamed_property(_, name)
  local value = lmark.named_property(self.props, name)
  if util.callable(value) then return value(self) end
  return value
end

-- A feature that is gone once the player has taken it.

lmark.class(PortalDescriptor, "OneWayStair", "one_way_stair")
reads_as(OneWayStair, PortalDescriptor)

function OneWayStair:new(properties)
  local marker = PortalDescriptor.new(self, properties)
  if marker.props.onclimb then
    marker.props.onclimb = global_function(marker.props.onclimb)
  end
  return marker
end

-- The feature that is left behind.
function OneWayStair:floor() return self.props.floor or "floor" end

function OneWayStair:activate(marker)
  local x, y = marker:pos()
  dgn.register_listener(dgn.dgn_event_type("player_climb"), marker, x, y)
end

function OneWayStair:event(marker, event)
  if event:type() ~= dgn.dgn_event_type("player_climb") then return end
  if self.props.onclimb then self.props.onclimb(self, marker, event) end
  local x, y = event:pos()
  self:disappear(marker, x, y)
  return true
end

function OneWayStair:disappear(marker, x, y)
  dgn.terrain_changed(x, y, self:floor(), false)
  dgn.tile_feat_changed(x, y, self.props.feat_tile)
  if self.props.floor_tile then dgn.tile_floor_changed(x, y, self.props.floor_tile) end
  dgn.remove_listener(marker, x, y)
  dgn.remove_marker(marker)
end

function portal_stair_dst(dst) return one_way_stair { dst = dst } end

function portal_next(e, dst)
  for _, glyph in ipairs { "]", ")", "}" } do
    e.lua_marker(glyph, function() return portal_stair_dst(dst) end)
  end
end

lmark.class(OneWayStair, "TollStair", "toll_stair")
reads_as(TollStair, OneWayStair)

-- Doors.

lmark.class(PropertyDescriptor, "RestrictDoor", "restrict_door")

function RestrictDoor:activate(marker)
  local x, y = marker:pos()
  dgn.register_listener(dgn.dgn_event_type("door_opened"), marker, x, y)
end

function RestrictDoor:event(_, event)
  if event:type() == dgn.dgn_event_type("door_opened") then self.opened = true end
end

function RestrictDoor:property(marker, name)
  if name == "door_restrict" then return self.opened and "" or "veto" end
  return PropertyDescriptor.property(self, marker, name)
end

function RestrictDoor:write(marker, th)
  PropertyDescriptor.write(self, marker, th)
  file.marshall(th, self.opened or false)
end

function RestrictDoor:read(marker, th)
  PropertyDescriptor.read(self, marker, th)
  self.opened = file.unmarshall_boolean(th)
  return setmetatable(self, RestrictDoor)
end

-- Asking whether it may be opened is trying to open it.
lmark.class(PortalDescriptor, "LockDoor", "lock_door")
reads_as(LockDoor, PortalDescriptor)

local RUNES_WANTED = 3

function LockDoor:property(marker, name)
  if name ~= "veto_open" then return PortalDescriptor.property(self, marker, name) end
  if you.num_runes() < RUNES_WANTED then return "veto" end
  local props = self.props
  if props.opened_message then crawl.mpr(props.opened_message) end
  if props.opened_function then props.opened_function() end
  if not props.always_lock then marker:remove() end
  return ""
end

-- Names of ends that belong together.

local function named(class_name, property, what)
  local class = lmark.class(PortalDescriptor, class_name)
  reads_as(class, PortalDescriptor)
  return function(name)
    if not name then error("No " .. what .. " name provided", 2) end
    return class:new { [property] = name }
  end
end

transp_loc = named("Transporter", "_transporter_name", "transporter")
transp_dest_loc = named("TransporterDestination", "_transporter_dest_name", "transporter destination")
hatch_name = named("HatchName", "_hatch_name", "hatch")
hatch_dest_name = named("HatchDestinationName", "_hatch_dest_name", "hatch destination")
