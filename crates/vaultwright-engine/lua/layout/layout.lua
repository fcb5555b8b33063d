-- Areas of a layout (spec 06 section 15.11).
layout = {}

function layout.area_in_bounds(bounds, p)
  local pad, least = p.min_pad or 0, p.min_size or 1
  local width = bounds.x2 - bounds.x1 + 1 - 2 * pad
  local height = bounds.y2 - bounds.y1 + 1 - 2 * pad
  if width < least or height < least then return nil end
  local size_x, size_y = crawl.random_range(least, width), crawl.random_range(least, height)
  local x1 = bounds.x1 + pad + crawl.random_range(0, width - size_x)
  local y1 = bounds.y1 + pad + crawl.random_range(0, height - size_y)
  return { x1 = x1, x2 = x1 + size_x - 1, y1 = y1, y2 = y1 + size_y - 1 }
end

function layout.get_areas_around_primary_vault(e, x1, y1, x2, y2)
  local vx1, vx2, vy1, vy2 = e.primary_vault_dimensions()
  if not vx1 then return { { x_min = x1, x_max = x2, y_min = y1, y_max = y2 } } end
  local left, right, top, bottom = vx1 > x1, vx2 < x2, vy1 > y1, vy2 < y2
  local function corner(exists) return exists and crawl.coinflip() end
  local left_top, left_bottom = corner(left and top), corner(left and bottom)
  local right_top, right_bottom = corner(right and top), corner(right and bottom)
  local areas = {}
  -- A soft side borders on another area, not on the edge of the level or the vault.
  if left then
    areas[#areas + 1] = {
      x_min = x1, x_max = vx1 - 1, y_min = left_top and y1 or (top and vy1 or y1),
      y_max = left_bottom and y2 or (bottom and vy2 or y2),
      y_min_is_soft = top and not left_top, y_max_is_soft = bottom and not left_bottom,
    }
  end
  if right then
    areas[#areas + 1] = {
      x_min = vx2 + 1, x_max = x2, y_min = right_top and y1 or (top and vy1 or y1),
      y_max = right_bottom and y2 or (bottom and vy2 or y2),
      y_min_is_soft = top and not right_top, y_max_is_soft = bottom and not right_bottom,
    }
  end
  if top then
    areas[#areas + 1] = {
      x_min = left_top and vx1 or x1, x_max = right_top and vx2 or x2, y_min = y1, y_max = vy1 - 1,
      x_min_is_soft = left_top, x_max_is_soft = right_top,
    }
  end
  if bottom then
    areas[#areas + 1] = {
      x_min = left_bottom and vx1 or x1, x_max = right_bottom and vx2 or x2, y_min = vy2 + 1, y_max = y2,
      x_min_is_soft = left_bottom, x_max_is_soft = right_bottom,
    }
  end
  return areas
end
