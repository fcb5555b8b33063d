-- Markers for monsters (spec 07 sections 12.9, 12.10).

-- Gives its properties to the monster on its cell, and is gone.
lmark.class(PropertyDescriptor, "MonPropsMarker")

function MonPropsMarker:new(properties)
  if not properties then error("MonPropsMarker:new() needs props", 2) end
  if type(properties) ~= "table" then error("MonPropsMarker:new() needs type(props) == table", 2) end
  return PropertyDescriptor.new(self, properties)
end

function MonPropsMarker:init(marker)
  local monster = dgn.mons_at(marker:pos())
  if not monster then
    crawl.mpr("No monster for MonPropsMarker:activate()")
    return marker:remove()
  end
  for name, value in pairs(self.props) do monster.set_prop(name, value) end
  self.done = true
end

function MonPropsMarker:property(_, name)
  return self.done and name == "post_init_remove" and "true" or ""
end
function MonPropsMarker:write() error("MonPropsMarker should never be saved") end
function MonPropsMarker:read() error("MonPropsMarker should never be in save file") end

-- A monster comes when another dies.
lmark.class(Triggerable, "MonsterOnTrigger", "monster_on_death")

function MonsterOnTrigger:new(parameters)
  if not parameters or not parameters.new_monster then error("Must provide new_monster", 2) end
  local props = util.cathash({}, parameters)
  props.message = props.message or ""
  props.message_seen = props.message_seen or props.message
  props.message_unseen = props.message_unseen or props.message
  -- Whose death it is about is no property.
  local target = props.death_monster or props.target
  props.death_monster, props.target = nil, nil
  local marker = Triggerable.new(self, props)
  marker:add_triggerer(DgnTriggerer:new { type = "monster_dies", target = target })
  return marker
end

function MonsterOnTrigger:on_trigger(_, marker)
  local props, x, y = self.props, marker:pos()
  local your_x, your_y = you.pos()
  if (x == your_x and y == your_y) or dgn.mons_at(x, y) then return end
  if props.monster_place_feature and props.monster_place_feature ~= dgn.grid(x, y) then return end
  local seen = you.see_cell(x, y)
  if not dgn.create_monster(x, y, props.new_monster) then return end
  local text = seen and props.message_seen or props.message_unseen
  if text ~= "" then crawl.mpr(text) end
  self:remove(marker)
end

function MonsterOnTrigger:read(marker, th)
  return setmetatable(Triggerable.read(self, marker, th), MonsterOnTrigger)
end
