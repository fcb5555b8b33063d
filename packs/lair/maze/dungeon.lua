-- A maze carved out of the solid: the floor starts full, chambers are cut, the rest becomes passages.
dofile("/usr/share/lair/lua/map/common.lua")

function map_fill_decide() return "wall stone" end

function map_reduce()
  for _ = 1, 2 + carve.random(3) do
    local w, h = 3 + 2 * carve.random(2), 3 + 2 * carve.random(2)
    local x = 1 + 2 * carve.random(math.floor((carve.w - w - 2) / 2))
    local y = 1 + 2 * carve.random(math.floor((carve.h - h - 2) / 2))
    carve.rect(x, y, w, h)
  end
  carve.maze { method = "prim", loops = 4 }
  carve.connect()
end

-- Something lives at the dead ends.
function mob_cares_insert()
  if is_blocked_particle_here() ~= "false" then return "false" end
  local x, y = where_in_floor_get_x(), where_in_floor_get_y()
  local walls = 0
  for _, step in ipairs { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } } do
    if particle_tags_at(x + step[1], y + step[2]) then walls = walls + 1 end
  end
  return walls == 3 and percent_chance(25) or "false"
end

function mob_image_decide() return "rat small" end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return "default" end
