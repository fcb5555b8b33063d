local answers = { 1, "yes", "True", print, 0.5, "truely", {}, true }
function map_cares_insert()
  return generator_coarse_x.x == 0 and answers[generator_coarse_y.y + 1]
end
function map_image_decide() return { "wall", print, {} } end
function map_sound_decide() return coroutine.create(print) end
function map_fonts_decide() return 7 end
function mob_cares_insert() return false end
