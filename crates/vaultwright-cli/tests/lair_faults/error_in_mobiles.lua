function map_cares_insert() return false end
function mob_cares_insert() return generator_coarse_x.x == generator_coarse_y.y end
function mob_image_decide() return "med" end
function mob_sound_decide() return {} end
function mob_fonts_decide() return {} end
function mob_ai_decide() return undefined() end
