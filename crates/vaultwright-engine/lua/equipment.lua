-- Lists of items that vaults name (spec 06 sections 3.15 and 3.16).

local function with_weights(entries)
  local list = {}
  for _, entry in ipairs(entries) do list[#list + 1] = "w:" .. entry[2] .. "  " .. entry[1] end
  return table.concat(list, " /\n")
end

local function all_of(kind, entries)
  for _, entry in ipairs(entries) do entry[1] = kind .. entry[1] end
  return entries
end

local loot = all_of("scroll of ", {
  { "teleportation", 15 }, { "fog", 15 }, { "fear", 15 }, { "blinking", 10 },
  { "revelation", 8 }, { "enchant weapon", 10 }, { "enchant armour", 10 }, { "brand weapon", 5 },
  { "acquirement", 2 },
})
table.insert(loot, 5, { "any ally scroll", 10 })
dgn.loot_scrolls = with_weights(loot)
dgn.loot_potions = with_weights(all_of("potion of ", {
  { "haste", 16 }, { "heal wounds", 16 }, { "might", 11 }, { "invisibility", 11 },
  { "magic", 11 }, { "mutation", 11 }, { "cancellation", 8 }, { "brilliance", 7 },
  { "resistance", 7 }, { "experience", 2 },
}))

-- Name, then weights with quantities.
local GOOD_SCROLLS = {
  { "identify", 120, "55 q:2", "15 q:3" }, { "teleportation", 85, "45 q:2", "10 q:3" },
  { "fog", 85, "33 q:2" }, { "enchant weapon", 95, "40 q:2" }, { "blinking", 54, "22 q:2" },
  { "enchant armour", 54, "22 q:2" }, { "revelation", 45, "20 q:2" }, { "amnesia", 40, "15 q:2" },
  { "immolation", "33 q:1", "11 q:2" }, { "silence", "30 q:1", "10 q:2" },
  { "acquirement", "11 q:1", "4 q:2", "1 q:3" }, { "brand weapon", "15 q:1" },
  { "torment", "15 q:1" }, { "vulnerability", 15 },
}
local good = {}
for _, scroll in ipairs(GOOD_SCROLLS) do
  for i = 2, #scroll do
    good[#good + 1] = "scroll of " .. scroll[1] .. " no_pickup w:" .. scroll[i]
  end
end
dgn.good_scrolls = table.concat(good, " / ")

local AUX = { "cloak", "scarf", "helmet", "hat", "pair of gloves", "pair of boots" }
dgn.aux_armour = table.concat(AUX, " / ")
dgn.good_aux_armour = table.concat(AUX, " good_item / ") .. " good_item"
dgn.randart_aux_armour = table.concat(AUX, " randart / ") .. " randart"

-- "dagger 5, short sword 10" as { dagger = 5, ["short sword"] = 10 }.
local function weapons(text)
  local list = {}
  for name, weight in text:gmatch("([^,]-) (%d+),?%s*") do
    list[name:gsub("^%s+", "")] = tonumber(weight)
  end
  return list
end

dgn.monster_weapons = {
  kobold = weapons "dagger 5, short sword 10, rapier 5, whip 10",
  gnoll = weapons "spear 10, halberd 5, whip 5, flail 5",
  sergeant = weapons "spear 5, trident 10",
  ogre = weapons "dire flail 5, great mace 10, giant club 10, giant spiked club 10",
  warrior = weapons(
    "short sword 5, rapier 10, long sword 10, scimitar 5, great sword 10, hand axe 5, war axe 10, " ..
    "broad axe 5, battleaxe 10, spear 5, trident 10, halberd 10, glaive 5, whip 5, mace 10, " ..
    "flail 10, morningstar 5, dire flail 10, great mace 5, quarterstaff 10"),
  ["warrior-1h"] = weapons(
    "hand axe 5, war axe 10, broad axe 5, spear 5, trident 10, whip 5, mace 10, flail 10, " ..
    "morningstar 5"),
  ["warrior-2h"] = weapons(
    "great sword 10, battleaxe 10, halberd 10, glaive 5, dire flail 10, great mace 5, quarterstaff 10"),
  knight = weapons(
    "scimitar 15, demon blade 5, double sword 5, great sword 15, triple sword 5, broad axe 10, " ..
    "battleaxe 15, executioner's axe 5, partisan 10, demon trident 5, glaive 10, bardiche 5, " ..
    "morningstar 10, demon whip 5, eveningstar 5, dire flail 10, great mace 10, lajatang 5"),
  ["knight-1h"] = weapons(
    "scimitar 30, demon blade 5, double sword 5, broad axe 10, partisan 10, demon trident 5, " ..
    "morningstar 30, demon whip 5, eveningstar 5"),
  ["knight-2h"] = weapons(
    "great sword 15, triple sword 5, battleaxe 15, executioner's axe 5, glaive 15, bardiche 5, " ..
    "dire flail 15, great mace 10, lajatang 5"),
  spriggan = weapons "dagger 1, short sword 1, rapier 2",
  rider = weapons "spear 5, trident 10, partisan 2",
  druid = weapons "quarterstaff 10, lajatang 10",
  berserker = weapons(
    "rapier 10, quick blade 5, war axe 5, broad axe 10, morningstar 10, demon whip 5, " ..
    "quarterstaff 10, lajatang 5"),
  defender = weapons "rapier 10, quick blade 10, morningstar 10, demon whip 10, lajatang 10",
  merfolk = weapons "spear 10, trident 10, halberd 5, glaive 5",
  impaler = weapons "trident 15, demon trident 5",
  ["elf knight"] = weapons "long sword 10, scimitar 20, demon blade 5",
  blademaster = weapons "rapier 20, quick blade 5",
}

local function weight_table(spec)
  if type(spec) == "string" then return { { spec, 1 } } end
  if type(spec) ~= "table" then error("The items argument must be a string or table", 3) end
  return util.sorted_weight_table(spec)
end

local function skipped(item, ego)
  return (item:find("demon", 1, true) and ego == "holy_wrath")
    or (item:find("sacred scourge", 1, true) and ego ~= "holy wrath")
    or (item:find("quick blade", 1, true) and ego == "speed")
end

function dgn.random_item_def(items, egos, arguments, separator)
  local entries = {}
  arguments = arguments and " " .. arguments or ""
  for _, item in ipairs(weight_table(items)) do
    if not egos then
      entries[#entries + 1] = item[1] .. arguments .. " w:" .. item[2]
    else
      for _, ego in ipairs(weight_table(egos)) do
        if not skipped(item[1], ego[1]) then
          entries[#entries + 1] = string.format(
            "%s%s ego:%s w:%d", item[1], arguments, ego[1], math.floor(item[2] * ego[2]))
        end
      end
    end
  end
  return table.concat(entries, " " .. (separator or "/") .. " ")
end

function dgn.monster_weapon(class, egos, arguments)
  local list = dgn.monster_weapons[class]
  if not list then error("Unknown weapon class: " .. tostring(class), 2) end
  return dgn.random_item_def(list, egos, arguments, "|")
end

function dgn.random_entry_arg(list, argument, separator)
  separator = separator or "/"
  return list:gsub(separator, argument .. " " .. separator) .. " " .. argument
end
