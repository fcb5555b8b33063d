-- The arenas of the Gauntlet (spec 06 section 15.6).

tier1_gauntlet_arenas = {
  {
    first = { mons = "cane toad simulacrum / wyvern simulacrum / hornet simulacrum", min = 1, max = 1 },
    second = { mons = "simulacrum place:D:12", min = 2, max = 4 }, liquid = "water",
    plant = "withered" },
  { second = { mons = "raiju", min = 1, max = 1 },
    third = { mons = "steam dragon", min = 1, max = 2 }, liquid = "water" },
  { second = { mons = "slime creature", min = 2, max = 4 },
    third = { mons = "jelly", min = 1, max = 3 }, liquid = "water", plant = "demonic" },
  { first = { mons = "sixfirhy", min = 1, max = 1 },
    second = { mons = "ufetubus", min = 2, max = 4 }, liquid = "water", plant = "demonic" },
  { first = { mons = "ice devil", min = 1, max = 1 },
    second = { mons = "white imp", min = 2, max = 4 }, liquid = "water", plant = "demonic" },
  { first = { mons = "soul eater", min = 1, max = 1 },
    second = { mons = "shadow imp", min = 2, max = 4 }, liquid = "water", plant = "withered" },
  { first = { mons = "ynoxinul", min = 1, max = 1 },
    second = { mons = "rust devil", min = 0, max = 1 },
    third = { mons = "iron imp", min = 2, max = 4 }, plant = "demonic" },
  { first = { mons = "smoke demon", min = 1, max = 1 },
    second = { mons = "red devil", min = 0, max = 1 },
    third = { mons = "crimson imp", min = 2, max = 4 }, liquid = "lava", plant = "demonic" },
  { first = { mons = "neqoxec", min = 1, max = 1 },
    second = { mons = "chaos spawn", min = 2, max = 3 }, plant = "demonic" },
  { second = { mons = "shadowghast", min = 3, max = 4 }, liquid = "water", plant = "withered" },
  { first = { mons = "catoblepas", min = 1, max = 1 },
    second = { mons = "gargoyle", min = 1, max = 2 } },
  { first = { mons = "torpor snail", min = 1, max = 1 },
    second = { mons = "yak band / wolf band / elephant band", min = 1, max = 1 } },
  { first = { mons = "fire crab", min = 1, max = 1 },
    second = { mons = "fire bat", min = 2, max = 4 }, liquid = "lava" },
  { second = { mons = "laughing skull", min = 2, max = 3 }, plant = "withered" },
  { second = { mons = "hornet", min = 2, max = 3 } },
  { first = { mons = "queen bee", min = 1, max = 1 },
    second = { mons = "killer bee band", min = 1, max = 1 } },
  { first = { mons = "moth of wrath", min = 1, max = 1 },
    second = { mons = "wolf band", min = 1, max = 1 } },
  { first = { mons = "worldbinder", min = 1, max = 1 },
    second = { mons = "boggart", min = 1, max = 3 }, plant = "demonic" },
  { first = { mons = "death scarab", min = 1, max = 1 },
    second = { mons = "spectre place:Lair:$", min = 1, max = 1 }, liquid = "water",
    plant = "withered" },
  { first = { mons = "shining eye", min = 1, max = 1 },
    second = { mons = "glass eye / golden eye", min = 1, max = 2 }, plant = "demonic",
    loot = "potion of mutation pre_id", weight = 5 },
  { first = { mons = "eye of devastation", min = 1, max = 1 },
    second = { mons = "glass eye / golden eye", min = 1, max = 2 }, weight = 5 },
  { first = { mons = "tengu warrior", min = 1, max = 1 },
    second = { mons = "tengu conjurer", min = 1, max = 2 } },
  { first = { mons = "arcanist", min = 1, max = 1 },
    second = { mons = "white imp / shadow imp", min = 4, max = 6 } },
  { second = { mons = "large abomination", min = 0, max = 1 },
    third = { mons = "small abomination", min = 3, max = 4 }, plant = "demonic" },
  { first = { mons = "ice statue", min = 1, max = 1 },
    second = { mons = "rime drake", min = 1, max = 2 }, liquid = "water" },
  { first = { mons = "oklob plant", min = 1, max = 1 },
    second = { mons = "acid dragon", min = 1, max = 2 } },
  { first = { mons = "necromancer", min = 1, max = 1 },
    second = { mons = "wolf band", min = 1, max = 1 }, plant = "withered" },
  { second = { mons = "swamp worm", min = 2, max = 3 } },
}

tier2_gauntlet_arenas = {
  {
    first = { mons = "hydra simulacrum / harpy simulacrum / ice dragon simulacrum", min = 1, max = 1 },
    second = { mons = "simulacrum place:D:15", min = 2, max = 4 }, liquid = "water",
    plant = "withered" },
  { first = { mons = "dire elephant", min = 1, max = 1 },
    second = { mons = "elephant", min = 1, max = 3 } },
  { first = { mons = "catoblepas", min = 1, max = 1 },
    second = { mons = "molten gargoyle", min = 1, max = 2 },
    third = { mons = "gargoyle", min = 1, max = 2 }, liquid = "lava" },
  { second = { mons = "shadowghast", min = 3, max = 6 }, liquid = "water", plant = "withered" },
  { first = { mons = "fire crab", min = 1, max = 1 },
    second = { mons = "hell hound", min = 1, max = 3 },
    third = { mons = "fire bat", min = 3, max = 6 }, liquid = "lava" },
  { first = { mons = "efreet", min = 1, max = 1 },
    second = { mons = "hell hound", min = 1, max = 3 },
    third = { mons = "fire elemental", min = 1, max = 3 }, liquid = "lava", plant = "demonic" },
  { first = { mons = "hell hog", min = 1, max = 1 },
    second = { mons = "hell hound", min = 1, max = 3 },
    third = { mons = "fire bat", min = 2, max = 4 }, liquid = "lava", plant = "demonic" },
  { first = { mons = "void ooze", min = 1, max = 1 }, liquid = "water" },
  { second = { mons = "sixfirhy", min = 2, max = 4 }, liquid = "water", plant = "demonic" },
  { first = { mons = "sin beast", min = 1, max = 1 },
    second = { mons = "hell hound", min = 0, max = 2 }, liquid = "lava", plant = "demonic" },
  { first = { mons = "green death", min = 1, max = 1 },
    second = { mons = "orange demon", min = 0, max = 2 }, plant = "demonic" },
  { first = { mons = "hellion", min = 1, max = 1 },
    second = { mons = "sun demon / smoke demon / red devil", min = 0, max = 1 },
    third = { mons = "hell hound", min = 0, max = 2 }, liquid = "lava", plant = "demonic",
    weight = 5 },
  { first = { mons = "balrug", min = 1, max = 1 },
    third = { mons = "hell hound", min = 0, max = 2 }, liquid = "lava", plant = "demonic",
    weight = 5 },
  { first = { mons = "cacodemon", min = 1, max = 1 },
    second = { mons = "drude", min = 1, max = 2 }, plant = "demonic", weight = 5 },
  { first = { mons = "zykzyl", min = 1, max = 1 },
    second = { mons = "neqoxec", min = 0, max = 1 }, plant = "demonic",
    loot = "potion of mutation pre_id", weight = 5 },
  { first = { mons = "blizzard demon", min = 1, max = 1 },
    second = { mons = "white imp / ice devil", min = 0, max = 3 }, liquid = "water" },
  { first = { mons = "reaper", min = 1, max = 1 },
    second = { mons = "hellwing / shadow imp", min = 1, max = 3 }, liquid = "water",
    plant = "withered" },
  { first = { mons = "apocalypse crab", min = 1, max = 1 }, plant = "demonic" },
  { first = { mons = "weeping skull", min = 1, max = 1 },
    second = { mons = "laughing skull", min = 2, max = 4 }, plant = "withered" },
  { first = { mons = "death drake", min = 1, max = 1 },
    second = { mons = "zombie place:D:15 / spectre place:D:15", min = 2, max = 3 },
    liquid = "water", plant = "withered" },
  { first = { mons = "ghost crab", min = 1, max = 1 }, liquid = "water", plant = "withered" },
  { first = { mons = "meliai band", min = 1, max = 1 } },
  { first = { mons = "torpor snail", min = 1, max = 1 },
    second = { mons = "death yak band / hydra", min = 1, max = 1 } },
  { first = { mons = "entropy weaver", min = 1, max = 1 },
    second = { mons = "wolf spider", min = 0, max = 1 },
    third = { mons = "redback / jumping spider", min = 1, max = 2 }, liquid = "water" },
  { first = { mons = "moth of wrath", min = 1, max = 1 },
    second = { mons = "wolf spider / nothing", min = 0, max = 1 },
    third = { mons = "redback", min = 2, max = 4 }, liquid = "water" },
  { second = { mons = "thrashing horror", min = 1, max = 2 },
    third = { mons = "small abomination", min = 2, max = 3 }, plant = "demonic" },
  { first = { mons = "great orb of eyes", min = 1, max = 1 },
    second = { mons = "ugly thing", min = 1, max = 2 }, plant = "demonic" },
  { second = { mons = "glowing orange brain", min = 1, max = 1 },
    third = { mons = "ugly thing", min = 1, max = 2 }, plant = "demonic" },
  { second = { mons = "large abomination", min = 1, max = 2 },
    third = { mons = "small abomination", min = 3, max = 5 }, plant = "demonic" },
  { first = { mons = "wretched star", min = 1, max = 1 },
    second = { mons = "neqoxec / small abomination", min = 1, max = 2 }, plant = "demonic",
    loot = "potion of mutation pre_id" },
  { second = { mons = "arcanist / occultist", min = 2, max = 3 },
    third = { mons = "white imp / shadow imp", min = 4, max = 6 } },
  { first = { mons = "necromancer", min = 1, max = 1 },
    second = { mons = "death yak band", min = 1, max = 1 }, liquid = "water", plant = "withered" },
  { second = { mons = "death scarab", min = 1, max = 2 },
    third = { mons = "spectre place:Lair:$", min = 2, max = 4 }, liquid = "water",
    plant = "withered" },
  { first = { mons = "orange crystal statue", min = 1, max = 1 } },
  { first = { mons = "obsidian statue", min = 1, max = 1 }, liquid = "water", plant = "withered" },
  { first = { mons = "lightning spire", min = 1, max = 1 },
    second = { mons = "lightning spire", min = 0, max = 1 },
    third = { mons = "raiju", min = 1, max = 2 } },
  { first = { mons = "tyrant leech", min = 1, max = 2 },
    second = { mons = "swamp worm", min = 2, max = 4 } },
}

-- What the arenas of one level share.
local tier, arena_count, extra_items, random_monsters = 1, nil, nil, nil

function gauntlet_random_mons_setup()
  local specs = {}
  for _, arena in ipairs(tier1_gauntlet_arenas) do
    for _, rank in ipairs { "first", "second", "third" } do
      if arena[rank] then specs[#specs + 1] = arena[rank].mons end
    end
  end
  random_monsters = table.concat(specs, " / ")
end

function gauntlet_setup(e, entry_glyphs, exit_glyphs)
  for i = 1, #entry_glyphs do
    e.lua_marker(entry_glyphs:sub(i, i), transp_loc("gauntlet_arena_entry_" .. i))
    e.lua_marker(exit_glyphs:sub(i, i), transp_dest_loc("gauntlet_arena_exit_" .. i))
  end
  tier, arena_count = 1, nil
  gauntlet_arena_default_extra_items()
  gauntlet_random_mons_setup(e)
end

function gauntlet_arena_set_tier(number) tier = number end
function gauntlet_arena_custom_extra_items(nsubst) extra_items = nsubst end
function gauntlet_arena_default_extra_items() extra_items = nil end

function gauntlet_arena_transporter_setup(e)
  arena_count = (arena_count or 0) + 1
  e.lua_marker("P", transp_dest_loc("gauntlet_arena_entry_" .. arena_count))
  e.lua_marker("Q", transp_loc("gauntlet_arena_exit_" .. arena_count))
end

function gauntlet_arena_get_monster_entry()
  local arenas = tier == 1 and tier1_gauntlet_arenas or tier2_gauntlet_arenas
  return util.random_weighted_from("weight", arenas)
end

local function no_pickup_each(items)
  return (items:gsub("scroll of", "no_pickup scroll of"):gsub("potion of", "no_pickup potion of"))
end

function gauntlet_arena_item_setup(e, loot)
  e.nsubst("d = d / X")
  e.kitem("* = star_item no_pickup")
  e.kitem("| = superb_item no_pickup")
  e.kitem("% = any no_pickup")
  e.kitem("$ = gold no_pickup")
  e.item(loot and loot .. " no_pickup" or "nothing")
  e.item(no_pickup_each(dgn.loot_scrolls) .. " / " .. no_pickup_each(dgn.loot_potions))
  e.subst(loot and "d = d" or "d = e*")
  local extra
  if tier == 1 then
    e.item(dgn.random_entry_arg(dgn.good_aux_armour, "no_pickup"))
    e.item("any jewellery good_item no_pickup")
    extra = "fg|*|* / ."
  else
    local aux = crawl.one_chance_in(3) and dgn.randart_aux_armour or dgn.good_aux_armour
    e.item(dgn.random_entry_arg(aux, "no_pickup"))
    e.item("any jewellery good_item w:20 no_pickup / any jewellery randart no_pickup")
    extra = "fg / |* / ."
  end
  e.nsubst("X = " .. (extra_items or extra))
end

function gauntlet_arena_mons_setup(e, entry, glyph)
  if not entry then
    e.subst(glyph .. " = .")
    return
  end
  e.kmons(glyph .. " = " .. entry.mons)
  local count = entry.min + crawl.random2(entry.max - entry.min + 1)
  if count < 1 then
    e.subst(glyph .. " = .")
  else
    e.nsubst(glyph .. " = " .. count .. "=" .. glyph .. " / .")
  end
end

local PLANTS = { demonic = "demonic plant", withered = "withered plant" }

function gauntlet_arena_terrain_setup(e, rock_unchanged, liquid, plant)
  if not rock_unchanged then e.subst(tier == 1 and "x : xxc" or "x : cccvvb") end
  if liquid == "lava" then
    e.subst("w = l")
  elseif liquid == "water" then
    e.subst("l = w")
  elseif liquid then
    error("Unknown liquid type: " .. liquid, 2)
  else
    e.subst("w : wwwl")
  end
  e.subst(tier == 1 and "^ : ^....." or "^ : ^...")
  e.kfeat("^ = trap_dispersal / trap_net")
  if plant and not PLANTS[plant] then error("Unknown plant type: " .. plant, 2) end
  e.kmons("p = " .. (PLANTS[plant] or "plant w:30 / fungus"))
end

function gauntlet_arena_setup(e, rock_unchanged)
  gauntlet_arena_transporter_setup(e)
  local arena = gauntlet_arena_get_monster_entry(e)
  gauntlet_arena_item_setup(e, arena.loot)
  gauntlet_arena_mons_setup(e, arena.first, "1")
  gauntlet_arena_mons_setup(e, arena.second, "2")
  gauntlet_arena_mons_setup(e, arena.third, "3")
  gauntlet_arena_terrain_setup(e, rock_unchanged, arena.liquid, arena.plant)
end

function gauntlet_exit_loot(e)
  local items = {}
  for i = 1, 7 + crawl.random2avg(10, 2) do
    items[i] = crawl.one_chance_in(3) and "star_item"
      or "superb_item w:49 / any armour w:7 / any wand w:14 / any scroll"
  end
  e.kitem("< = " .. table.concat(items, ", "))
end
