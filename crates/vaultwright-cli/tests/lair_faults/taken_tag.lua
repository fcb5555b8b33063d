function map_cares_insert() return true end
function map_image_decide() return "wall string generator_x" end
function map_sound_decide() return {} end
function map_fonts_decide() return {} end
function mob_cares_insert() return false end
