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
