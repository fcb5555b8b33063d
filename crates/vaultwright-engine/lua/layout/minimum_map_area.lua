-- How much of a layout must be floor (spec 06 section 15.11). Percent of the level's cells.
minimum_map_area = {
  CORRIDORS = 7.5, ROOMS = 10, PASSAGES = 10, NARROW_CAVES = 10, SWAMP = 10,
  OPEN_CAVES = 15, DIVISIONS = 15, CITY = 20, OPEN = 20,
}

function minimum_map_area.is_map_big_enough(e, percent, floor)
  local width, height = e.mapsize()
  local cells = e.count_feature_in_box { feat = floor or ".{([})]<>" }
  return cells > percent * width * height / 100
end
