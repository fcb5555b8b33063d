-- Helpers for vaults (spec 06 section 15.4).

-- Decorations: a feature with another name, colour and tile.

local GRANITE = {
  ["broken pillar"] = { "lightgrey", "dngn_crumbled_column" },
  ["gravestone"] = { "lightgrey", "dngn_gravestone" },
  ["sarcophagus"] = { "yellow", "dngn_sarcophagus_pedestal_right" },
  ["scintillating statue"] = { "mountain", "dngn_scintillating_statue" },
}
local METAL = {
  ["golden statue"] = { "yellow", "dngn_golden_statue" },
  ["silver statue"] = { "silver", "dngn_silver_statue" },
  ["iron statue"] = { "cyan", "dngn_statue_iron" },
  ["mystic cage"] = { "mist", "dngn_mystic_cage" },
  ["arcane conduit"] = { "vehumet", "arcane_conduit" },
  ["misfortune conduit"] = { "shimmer_blue", "misfortune_conduit" },
  ["dimensional conduit"] = { "warp", "dimensional_conduit" },
  ["soul conduit"] = { "smoke", "soul_conduit" },
  ["alchemical conduit"] = { "poison", "alchemical_conduit" },
  ["fiery conduit"] = { "fire", "fiery_conduit" },
  ["icy conduit"] = { "ice", "icy_conduit" },
  ["earthen conduit"] = { "earth", "earthen_conduit" },
  ["storm conduit"] = { "electricity", "storm_conduit" },
  ["enigmatic dynamo"] = { "magic", "dngn_enigmatic_dynamo" },
  ["nascence circuit"] = { "magic", "dngn_nascence_circuit" },
}
local FLOOR = {
  ["flower patch"] = { "green", "dngn_flower_patch" },
  ["garden patch"] = { "yellow", "dngn_garden_patch" },
  ["floral vase"] = { "yellow", "dngn_flower_pot" },
  ["mourning vase"] = { "magenta", "dngn_dark_flower_pot" },
  ["broken floral vase"] = { "magenta", "dngn_flower_pot_broken / dngn_dark_flower_pot_broken" },
  ["orcish standard"] = { "lightcyan", "dngn_ensign_beogh" },
  ["infernal standard"] = { "red", "dngn_ensign_gehenna" },
  ["caliginous standard"] = { "magenta", "dngn_ensign_dark" },
  ["fur brush"] = { "brown", "dngn_yak_fur" },
  ["set of bottled spirits"] = { "lightgreen", "dngn_bottled_spirits" },
  ["djembe set"] = { "brown", "dngn_djembe" },
  ["skull pike"] = { "lightgrey", "dngn_skull_pike" },
  ["mop and bucket"] = { "lightblue", "dngn_mop" },
  ["bloodied mop and bucket"] = { "lightred", "dngn_mop_bloody" },
  ["assortment of trash"] = { "lightgrey", "dngn_assortment_of_trash" },
  ["weapon-inlaid floor"] = { "lightgrey", "floor_blade" },
  ["empty mutation catalyst"] = { "blue", "dngn_empty_mutation_catalyst" },
}

local function decorate(feature, kinds)
  return function(e, glyph, kind)
    e.kfeat(glyph .. " = " .. feature)
    local look = kinds[kind]
    if look then
      e.colour(glyph .. " = " .. look[1])
      e.tile(glyph .. " = " .. look[2])
    end
    e.set_feature_name(feature, kind)
  end
end

decorative_floor = decorate("decorative_floor", FLOOR)
vault_metal_statue_setup = decorate("metal_statue", METAL)
vault_granite_statue_setup = decorate("granite_statue", GRANITE)

function snake_statue_setup(e, glyph)
  local conduit = crawl.x_chance_in_y(2, 3) and "alchemical conduit" or "fiery conduit"
  vault_metal_statue_setup(e, glyph, conduit)
  e.tile("G : dngn_statue_naga / dngn_statue_archer w:7")
end

function crackle_def()
  local walls = {}
  for i = 1, 4 do walls[i] = "wall_stone_crackle_" .. i end
  return table.concat(walls, " / ")
end

function single_cloud(e, glyph, cloud, fade)
  local look = fade and "pow_min = 5, pow_max = 7, delay_min = 55, delay_max = 75, excl_rad = 0"
    or "pow_min = 90, pow_max = 100, delay = 10, excl_rad = -1"
  e.marker(glyph .. " = lua:fog_machine { cloud_type = '" .. cloud ..
    "', size = 1, walk_dist = 0, start_clouds = 1, spread_rate = 0, " .. look .. " }")
end

-- Item and monster specs.

local SKELETONS = {
  { { "early", "dungeon", "all" }, { "goblin", "gnoll", "elf", "kobold", "troll", "orc", "centaur" } },
  { { "late", "dungeon", "all" }, { "draconian", "naga", "merfolk", "minotaur", "spriggan", "tengu" } },
  { { "all" }, { "barachi", "demigod", "dwarf", "demonspawn", "felid", "oni" } },
}

function vault_species_skeletons(_, category)
  local list = { "human skeleton" }
  for _, group in ipairs(SKELETONS) do
    if util.contains(group[1], category) then
      for _, species in ipairs(group[2]) do list[#list + 1] = species .. " skeleton" end
    end
  end
  return table.concat(list, " / ")
end

function scythe(ego)
  return "halberd itemname:scythe tile:wpn_scythe wtile:scythe" .. (ego and " ego:" .. ego or "")
end

function hall_of_blades_weapon(e)
  local sword = crawl.one_chance_in(2) and "double sword" or "triple sword"
  local polearm = crawl.one_chance_in(2) and "partisan" or "bardiche"
  local kinds = util.random_subset(
    { "eveningstar", "executioner's axe", polearm, "lajatang", "quick blade", sword }, 3)
  local egos = util.random_subset({
    "flaming", "freezing", "electrocution", "heavy", "holy_wrath", "pain", "vampirism",
    "antimagic", "distortion", "spectral",
  }, 3)
  for i = 1, 3 do
    e.mons("dancing weapon; good_item " .. kinds[i] .. " ego:" .. egos[i] ..
      (i == 3 and " / nothing" or ""))
  end
end

local ELEMENTALIST_SPELLS = {
  "lehudib's_crystal_spear", "chain_lightning", "fire_storm", "ozocubu's_refrigeration", "haste",
  "deflect_missiles",
}

function master_elementalist_setup(_, sprint)
  local body = sprint and "hp:200 exp:3950 name:grandmaster_elementalist"
    or "hp:100 exp:1425 name:master_elementalist"
  local equipment = "elemental staff . robe ego:willpower good_item . ring of willpower"
  if you.unrands("elemental staff") then
    equipment = "staff of air . robe randart artprops:rF&&rC&&Will . ring of willpower"
  end
  local spells = table.concat(ELEMENTALIST_SPELLS, ".11.wizard;") .. ".11.wizard"
  return "occultist hd:18 " .. body .. " n_rpl n_des n_noc tile:mons_master_elementalist spells:" ..
    spells .. " ; " .. equipment
end

function count_pan_runes()
  local count = 0
  for _, rune in ipairs { "demonic", "glowing", "magical", "fiery", "dark" } do
    if you.have_rune(rune) then count = count + 1 end
  end
  return count
end

-- The Serpent of Hell lives at the bottom of one Hell, chosen once per game.

function soh_hangout()
  if not dgn.persist.soh_hangout then
    local hells = { "Geh", "Coc", "Dis", "Tar" }
    dgn.persist.soh_hangout = hells[crawl.random2(4) + 1]
  end
  return dgn.persist.soh_hangout
end

function serpent_of_hell_setup(e)
  if not you.uniques("the Serpent of Hell") and you.in_branch(soh_hangout())
    and you.at_branch_bottom() then
    e.kmons("D = the Serpent of Hell")
  end
end

-- Looks and content of vault families.

function init_hm_decor_walldepth(e, glyphs)
  local a = you.absdepth() * 5
  local replacements = " : x:50 c:" .. a
  if a > 75 then replacements = replacements .. " b:" .. (a - 75) end
  e.subst(glyphs .. replacements)
end

function ks_random_setup(e, extra, norandomexits)
  e.tags("no_pool_fixup")
  if extra then
    e.tags("extra")
    e.depth_weight("Depths", 5)
    e.depth_weight("D", 10)
  end
  local function subst(...)
    for _, change in ipairs { ... } do e.subst(change) end
  end
  if norandomexits == nil then
    e.tags("transparent")
    if crawl.one_chance_in(2) then
      subst("D : +", "E : .")
      if crawl.one_chance_in(2) then subst("F : +", "H : .") else subst("F : c", "H : w") end
    else
      subst("DF : c", "EH : w")
    end
  end
  subst("w : w.", "w : wwwWWqq")
  local look = crawl.random2(3)
  if look == 0 then
    subst("t : x", "x : cvbttm")
  elseif look == 1 then
    subst("x : ..wW", "t : .TmbttwG")
  else
    subst("t : .TttG", "x : cvbtt")
  end
  subst("q : t", "c : ccccxxxxvb")
  if crawl.one_chance_in(3) then subst("Wwt : l", "T : V") end
end

function zot_entry_setup(e, use_default_mons)
  e.tags("zot_entry")
  e.place("Depths:$")
  e.orient("float")
  e.kitem("R = midnight gem")
  e.kfeat("O = enter_zot")
  e.kfeat("Z = zot_statue")
  e.kmask("R = no_item_gen")
  if use_default_mons then
    e.mons("patrolling base draconian")
    e.mons("fire dragon w:12 / ice dragon w:12 / storm dragon / shadow dragon / " ..
      "golden dragon w:12 / wyrmhole w:4")
    e.mons("patrolling nonbase draconian")
    e.kmons("0 = ettin / rakshasa / glowing shapeshifter w:5 / stone giant w:12 / " ..
      "spriggan berserker w:8 / hell knight w:5")
    e.kmons("9 = fire giant w:12 / titan w:8 / vampire knight / spriggan air mage w:8 / " ..
      "deep troll earth mage w:8 / tengu reaver w:12 / tentacled monstrosity / lich w:2")
  end
end

function door_vault_setup(e)
  local branch = you.branch()
  if util.contains({ "Geh", "Tar", "Coc", "Dis" }, branch) then
    e.kfeat("23 = >")
  else
    e.kitem("1 = * / nothing")
    e.kitem("23 = | / nothing")
  end
  e.lua_marker("+", props_marker { connected_exclude = "true" })
  e.lua_marker("a", props_marker { stop_explore = "strange structure made of doors" })
  e.kfeat("a = runed_clear_door")
end

function vaults_hard_standard(e, ngen, glyphs)
  e.tags("vaults_hard")
  if ngen then e.tags("no_monster_gen no_item_gen") end
  if you.in_branch("Vaults") then
    e.ftile((glyphs or "0123456789._^~$%*|defghijkmnFGISTUVY+mn{([<})]}>") .. " = floor_metal_gold")
  end
end

-- Entries with their weights as one spec; a weight below 0 is none.
local function weighted(entries)
  local list = {}
  for _, entry in ipairs(entries) do
    local weight = entry[2] and math.max(0, entry[2])
    list[#list + 1] = entry[1] .. (weight and " w:" .. weight or "")
  end
  return table.concat(list, " / ")
end

local room_themes = {}

function room_themes.magic(e, d)
  local level = crawl.x_chance_in_y(d, 10) and 2 or 1
  e.mons(weighted { { "lindwurm", 7 - d }, { "crawling flesh cage", 5 }, { "crystal guardian", d } })
  e.mons(weighted {
    { "great orb of eyes", 7 - d }, { "boggart band", 5 }, { "glowing orange brain", d + 1 },
  })
  e.mons(weighted {
    { "arcanist", 14 - 2 * d }, { "sphinx marauder", 8 }, { "ironbound convoker", 4 },
    { "ironbound mechanist", 4 },
  })
  e.mons(weighted {
    { "deep elf annihilator" }, { "deep elf sorcerer" }, { "lich" }, { "guardian sphinx", 5 },
    { "tengu reaver" },
  })
  e.item("robe / mundane hat")
  e.item("parchment slevel:" .. level .. " / mundane ring of magical power w:2")
  e.tile("c = wall_studio")
end

function room_themes.icebox(e, d)
  local freezing, cold = " ego:freezing pre_id", " ego:cold_resistance pre_id"
  e.tags("no_wall_fixup")
  e.mons(weighted {
    { "white ugly thing", 8 - 2 * d }, { "harpy simulacrum", 8 - 2 * d }, { "freezing wraith", 2 },
    { "guardian sphinx simulacrum", d - 1 },
  })
  e.mons("arcanist / crawling flesh cage")
  e.mons("ironbound frostheart / frost giant w:1")
  e.mons("golden dragon / tengu reaver w:25 ; halberd" .. freezing .. " | war axe" .. freezing ..
    " . ring mail" .. cold)
  local items = {}
  for i, weapon in ipairs { "dagger", "long sword", "mace" } do
    items[i] = weapon .. freezing .. " no_pickup"
  end
  e.kitem("d : " .. table.concat(items, " / "))
  e.kitem("e = robe" .. cold .. " / leather armour" .. cold)
  e.kfeat("m = cache_of_meat")
  e.kfeat("I = rock_wall")
  e.tile("I = wall_ice_block")
  e.tile("v = dngn_metal_wall_lightblue")
  e.set_feature_name("rock_wall", "ice covered rock wall")
end

function room_themes.garden(e, d)
  e.tags("no_pool_fixup")
  e.mons(weighted {
    { "harpy", 80 - 20 * d }, { "wolf spider", 20 - 3 * d }, { "lindwurm", 140 - 20 * d },
    { "dire elephant", 3 * d },
  })
  e.mons(weighted {
    { "dire elephant", 18 - 3 * d }, { "formless jellyfish", 2 + 4 * d },
    { "guardian sphinx", 2 + 2 * d },
  })
  e.mons(weighted {
    { "ironbound preserver", 10 - 2 * d }, { "entropy weaver", 2 + 3 * d },
    { "ironbound beastmaster", 4 * d - 2 },
  })
  e.kmons("S = bush")
  e.kfeat("F = cache_of_fruit")
  e.ftile("`SF = floor_sprouting_stone")
  e.tile("T = dngn_fountain_novelty_fancy")
  e.kitem("d = animal skin / club / whip w:5 / quarterstaff w:5")
  decorative_floor(e, "p", "garden patch")
end

function room_themes.rangers(e, d)
  local equipment = " ; arbalest w:29 | hand cannon w:1 .  scimitar . ring mail | scale mail"
  local function armed(name, weight) return name .. " w:" .. math.max(0, weight) .. equipment end
  e.mons(weighted {
    { "centaur warrior", 6 - 2 * d }, { "yaktaur", 6 - 2 * d }, { "polterguardian", 6 - 2 * d },
  })
  e.mons(armed("vault sentinel", 8 - 2 * d) .. " / " .. armed("orc knight", 2 + 2 * d) .. " / " ..
    weighted { { "yaktaur captain", 2 + 2 * d } })
  e.mons(armed("orc warlord", 2 + 2 * d) .. " / " .. weighted { { "deep elf high priest", 2 + 3 * d } } ..
    " / " .. armed("vault warden", 2 + 4 * d))
  e.mons("stone giant")
  e.kmons("U = training dummy ; nothing")
  e.item("sling no_pickup w:5 / shortbow no_pickup / arbalest no_pickup")
end

function room_themes.warriorcrypt(e, d)
  e.tags("no_wall_fixup")
  e.mons(weighted { { "vault guard", 14 - d }, { "vault sentinel", 10 - d }, { "orc knight" } })
  e.mons(weighted {
    { "phantasmal warrior", 10 - d }, { "flayed ghost", 10 - d }, { "death knight", d + 2 },
  })
  e.mons(weighted {
    { "war gargoyle", 16 - 2 * d }, { "deep elf death mage", 4 }, { "undying armoury", d - 2 },
  })
  e.mons("deep elf death mage w:5 / lich / ancient lich")
  e.item("human skeleton / ogre skeleton w:1 / orc skeleton w:1")
  e.kfeat("u = rock_wall")
  e.tile("u = wall_undead")
  e.tile("c = wall_crypt")
  local statues = {}
  for i, name in ipairs { "angel", "wraith", "twins", "dwarf", "sword", "centaur" } do
    statues[i] = "dngn_statue_" .. name
  end
  e.tile("G = " .. table.concat(statues, " / "))
end

function index_vaults_room_themes(e, set, hard)
  e.tags("luniq_vaults_room_" .. set)
  local d = you.depth() + 1
  if hard then
    e.tags("vaults_hard")
    d = d + 1
  else
    e.tags("vaults_room")
  end
  local theme = room_themes[set]
  if theme then theme(e, d) end
end
