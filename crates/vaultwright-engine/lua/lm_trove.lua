-- A portal that has its price (spec 07 section 12.7). What is paid with is the game's: here the player is
-- asked, and the way is open.
lmark.class(OneWayStair, "TroveMarker", "trove_marker")

local ITEM_FIELDS = {
  { "quantity", "a quantity" }, { "base_type", "a base type" }, { "sub_type", "a sub type" },
}

function TroveMarker:new(properties)
  local toll = properties and properties.toll
  if not toll then error("Need a toll.", 2) end
  if not toll.type then error("Toll doesn't have a type!", 2) end
  if toll.type == "item" then
    if not toll.item then error("Item toll doesn't have an item!", 2) end
    for _, field in ipairs(ITEM_FIELDS) do
      if toll.item[field[1]] == nil then error("Item needs " .. field[2] .. ".", 2) end
    end
    for _, field in ipairs { "ego_type", "plus1", "plus2", "artefact_name" } do
      toll.item[field] = toll.item[field] or false
    end
  elseif toll.type == "bane" and not toll.bane then
    error("Bane toll doesn't have a type!", 2)
  end
  local marker = OneWayStair.new(self, properties)
  marker.toll, marker.props.toll = toll, nil
  return marker
end

local PRICES = {
  nopiety = "the favour of your god", bane = "a bane", drain = "a draining of your strength",
}

function TroveMarker:price()
  local item = self.toll.item
  if item then
    return item.artefact_name or (item.quantity .. " " .. tostring(item.sub_type) .. " " .. item.base_type)
  end
  return PRICES[self.toll.type] or "something you do not know"
end

function TroveMarker:property(marker, name)
  if name == "veto_stair" then
    local known = self.toll.item or PRICES[self.toll.type]
    local agreed = known and crawl.yesno("This portal asks for " .. self:price() .. ". Enter?")
    return agreed and "" or "veto"
  elseif name == "feature_description_long" or name == "overview_note" then
    return "This portal asks for " .. self:price() .. "."
  end
  return OneWayStair.property(self, marker, name)
end

function TroveMarker:write(marker, th)
  OneWayStair.write(self, marker, th)
  lmark.marshall_table(th, self.toll)
end

function TroveMarker:read(marker, th)
  OneWayStair.read(self, marker, th)
  self.toll = lmark.unmarshall_table(th)
  return setmetatable(self, TroveMarker)
end
