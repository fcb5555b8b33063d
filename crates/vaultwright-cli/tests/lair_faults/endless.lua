-- options: --instructions 100000
function map_cares_insert()
  local n = 0
  while generator_coarse_x.x == 2 and generator_coarse_y.y == 3 do n = n + 1 end
  return false
end
function mob_cares_insert() return false end
