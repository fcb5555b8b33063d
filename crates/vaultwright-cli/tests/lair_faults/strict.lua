-- options: --strict
function map_cares_insert()
  return generator_coarse_y.y > 5 and {} .. "x"
end
