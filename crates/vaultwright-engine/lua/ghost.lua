-- Equipment of ghost vaults (spec 06 section 15.5).

function wrathful_weapon(class, quality)
  local egos
  if quality == "good_item" then
    egos = { antimagic = 10, heavy = 10, flaming = 10 }
  elseif quality == "randart" then
    egos = { antimagic = 25, heavy = 10, flaming = 10 }
  else
    error("Unknown weapon quality: " .. tostring(quality), 2)
  end
  return dgn.monster_weapon(class, egos, quality)
end

function disto_weapon(class, quality) return dgn.monster_weapon(class, "distortion", quality) end

function setup_hydra_weapon(e)
  local weapons = {
    ["long sword"] = 8, ["scimitar"] = 12, ["demon blade"] = 1, ["double sword"] = 1, ["war axe"] = 8,
    ["broad axe"] = 12, ["lajatang"] = 2,
  }
  local egos = {
    none = 30, heavy = 15, freezing = 15, electrocution = 10, venom = 10, protection = 10,
    vampirism = 5, holy_wrath = 5, draining = 5, pain = 2, distortion = 2, antimagic = 2, speed = 1,
  }
  local quality = crawl.one_chance_in(3) and "randart" or "good_item"
  e.kitem("O = " .. dgn.random_item_def(weapons, egos, quality))
end

function setup_gozag_gold(e)
  local orcs = dgn.persist.necropolis_difficulty == "orc"
  local depth = orcs and 14 or you.absdepth() + 2
  local mean = math.min(15, math.floor(1.25 * depth + 3.75))
  local count = crawl.random_range(mean - 2, mean + 4)
  e.nsubst("' = " .. count .. ":$ / *:-")
end

-- A dancing weapon of Xom, for the depth at which it waits. Later kinds are better, and so is their quality.
function setup_xom_dancing_weapon(e, glyph)
  local depth = you.absdepth()
  local weapons = { ["hand axe"] = 10, ["mace"] = 10, ["long sword"] = 10, ["spear"] = 10, ["whip"] = 5 }
  local good
  if depth <= 4 or not crawl.game_started() then
    good = crawl.one_chance_in(6)
  elseif depth <= 12 then
    weapons = { ["war axe"] = 10, ["morningstar"] = 10, ["scimitar"] = 10, ["trident"] = 10, ["great sword"] = 5 }
    good = crawl.one_chance_in(4)
  elseif you.branch() ~= "Depths" and you.branch() ~= "Zot" then
    weapons = { ["broad axe"] = 10, ["great sword"] = 10, ["battleaxe"] = 10, ["demon whip"] = 1, ["glaive"] = 10 }
    good = crawl.one_chance_in(3) or crawl.one_chance_in(4)
  else
    weapons = {
      ["demon blade"] = 5, ["double sword"] = 5, ["executioner's axe"] = 5, ["bardiche"] = 5,
      ["eveningstar"] = 5, ["triple sword"] = 3,
    }
    good = crawl.coinflip() or crawl.coinflip()
    if crawl.one_chance_in(100) then
      e.kmons(glyph .. " = dancing weapon ; mace of Variability")
      return
    end
  end
  local quality = good and "good_item" or ""
  e.kmons(glyph .. " = dancing weapon ; " .. dgn.random_item_def(weapons, "chaos", quality, "|"))
end

-- What Xom's bazaar sells: toys that are more fun for him than for whoever buys them.
function xom_bazaar_special(e, glyph)
  local spells = util.random_subset(
    { "discord", "death's_door", "malign_gateway", "summon_horrible_things", "fulsome_fusillade" }, 2)
  local plus = crawl.random_range(4, 8)
  e.kitem(glyph .. " = any talisman / orb ego:wrath / orb ego:mayhem / orb ego:guile / orb ego:energy / " ..
    "mundane ring of slaying plus:" .. plus .. " / book of randbook owner:Xom spells:" .. table.concat(spells, "&"))
end

-- Orcs that wear what an armoury has: warriors (D), knights (E), a warlord (F).
function setup_armoury_orcs(e)
  local quality = crawl.coinflip() and "randart" or "good_item"
  local function armed(orc, class, armour)
    return orc .. " ; " .. dgn.monster_weapon(class, nil, quality) .. " . " ..
      dgn.random_entry_arg(armour, quality, "|")
  end
  e.kmons("D = " .. armed("orc warrior", "warrior", "ring mail | scale mail | chain mail"))
  e.kmons("E = " .. armed("orc knight", "knight", "chain mail | plate armour"))
  e.kmons("F = " .. armed("orc warlord", "knight", "plate armour"))
end
