-- A dungeon that keeps its balance: what is placed depends on what has been placed before in the room, by the
-- counts of tags. Never more pillars than a tenth of the cells, a chest for every six pillars, a guard for each chest.
dofile("/usr/share/lair/lua/map/common.lua")
dofile("/usr/share/lair/lua/map/basicwall_cares_insert.lua")
dofile("/usr/share/lair/lua/map/cut_hallways.lua")

local function cells() return how_long_room_gen_w() * how_long_room_gen_h() end
local function wall_here() return thinwall_cares_insert(cut_hallways(medwall_cares_insert("false"))) == "true" end

local what
function map_cares_insert()
  what = nil
  if wall_here() then
    what = "wall brick"
  elseif get_tag_count(chest) * 6 < get_tag_count(pillar) then
    what = "chest treasure"
  elseif get_tag_count(pillar) * 10 < cells() and percent_chance(8) == "true" then
    what = "pillar stone"
  end
  return what ~= nil
end

function map_image_decide() return what end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end

function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" then return "false" end
  if get_tag_count(guard) >= get_tag_count(chest) then return "false" end
  return percent_chance(5)
end
function mob_image_decide() return "gnoll guard" end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default" end
