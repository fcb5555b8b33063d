-- Layouts made of rooms that are set into a floor plan (spec 06 section 15.13). A layout is a list of
-- passes; each places rooms of its generators by its strategy. Everything is decided on a grid of
-- usage first (`hyper_usage.lua`) and written to the level as it is placed.
hyper = hyper or {}
hyper.floors = hyper.floors or {}

crawl_require("dlua/layout/vector.lua")
crawl_require("dlua/layout/rooms_primitive.lua")
crawl_require("dlua/layout/hyper_usage.lua")
crawl_require("dlua/layout/hyper_paint.lua")
crawl_require("dlua/layout/hyper_rooms.lua")
crawl_require("dlua/layout/hyper_place.lua")

function hyper.default_options()
  return {
    max_rooms = 27, max_room_tries = 27, max_place_tries = 50, min_distance_from_wall = 2,
    layout_floor_type = "floor", layout_wall_weights = { { feature = "rock_wall", weight = 1 } },
    room_type_weights = {
      {
        generator = "code", min_size = 4, max_size = 40, empty = true, weight = 1,
        paint_callback = rooms.primitive.floor,
      },
    },
  }
end

-- A table with all of `base`, and of `changes` in its place.
function hyper.merge_options(base, changes)
  local merged = {}
  for key, value in pairs(base) do merged[key] = value end
  for key, value in pairs(changes or {}) do merged[key] = value end
  return merged
end

-- Builds a layout on the level; nothing happens while a map is being validated.
--
-- options.build_fixture is the list of passes, in order (those with enabled = false are left out):
-- * type "build": places up to max_rooms rooms of `generators` by `strategy` (`hyper_place.lua`);
-- * type "filter": every cell of the usage grid for which filter(cell, x, y) holds becomes
--   transform(cell, x, y).
-- The answer has the usage grid and the list of results of all rooms.
function hyper.build_layout(e, options)
  if e.is_validating() then return true end
  options = hyper.merge_options(hyper.default_options(), options)
  local width, height = dgn.max_bounds()
  local usage = hyper.usage.new_usage(width, height, hyper.usage.grid_initialiser)
  -- Rooms take the material of the layout.
  options.wall_feature = util.random_weighted_from("weight", options.layout_wall_weights).feature
  options.rooms_placed = 0
  hyper.usage.analyse_grid_usage(usage, options)
  local results = {}
  local passes = options.build_fixture or { { type = "build", generators = options.room_type_weights } }
  for _, pass in ipairs(passes) do
    if pass.enabled ~= false and pass.type == "filter" then
      hyper.usage.filter_usage(usage, pass.filter, pass.transform)
      hyper.usage.analyse_grid_usage(usage, options)
    elseif pass.enabled ~= false then
      hyper.place.build_rooms(pass, usage, options, results)
    end
  end
  return { usage_grid = usage, results = results }
end
