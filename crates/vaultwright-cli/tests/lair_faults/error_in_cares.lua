function map_cares_insert()
  return nothing.at_all
end
