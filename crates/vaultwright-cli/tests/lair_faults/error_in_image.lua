function map_cares_insert() return generator_coarse_x.x == 4 and generator_coarse_y.y > 7 end
function map_image_decide()
  if generator_coarse_y.y == 9 then error("no idea what stands here") end
  return "wall"
end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end
function mob_cares_insert() return false end
