-- What vaults find in `dgn` besides the host functions (spec 06 sections 3.15 and 3.16).
crawl_require("dlua/point.lua")
crawl_require("dlua/fnwrap.lua")
crawl_require("dlua/equipment.lua")

dgn.GXM, dgn.GYM = dgn.max_bounds()
dgn.MAX_MONSTERS = dgn.max_monsters()
dgn.persist = {}
dgn.necropolis_chance_percent = 3
dgn.gulch_chance_percent = 6
dgn.wizlab_chance_percent = 5
dgn.desolation_chance_percent = 5

-- Features.

function dgn.fnum(feature)
  if type(feature) == "string" then return dgn.feature_number(feature) end
  return feature
end

function dgn.find_feature_number(feature)
  if type(feature) == "number" then return feature end
  return dgn.fnum(feature)
end

function dgn.fnum_map(t)
  local numbers = {}
  for key, value in pairs(t) do numbers[dgn.fnum(key)] = dgn.fnum(value) end
  return numbers
end

function dgn.feature_number_set(names)
  local set = {}
  for _, name in ipairs(names) do set[dgn.fnum(name)] = true end
  return set
end

function dgn.feature_set_fn(...)
  local set = dgn.feature_number_set { ... }
  return function(number) return set[number] end
end

-- Cells of the level.

function dgn.find_points(pred)
  local points = {}
  for x = 0, dgn.GXM - 1 do
    for y = 0, dgn.GYM - 1 do
      local p = dgn.point(x, y)
      if pred(p) then points[#points + 1] = p end
    end
  end
  return points
end

function dgn.replace_feat(changes)
  local numbers = dgn.fnum_map(changes)
  dgn.find_points(function(p)
    local becomes = numbers[dgn.grid(p.x, p.y)]
    if becomes then dgn.terrain_changed(p.x, p.y, becomes) end
  end)
end

function dgn.colour_map(pred, colour)
  for _, p in ipairs(dgn.find_points(pred)) do dgn.colour_at(p.x, p.y, colour) end
end

function dgn.passable_excluding(...)
  local excluded = dgn.feature_number_set { ... }
  return function(p) return dgn.is_passable(p.x, p.y) and not excluded[dgn.grid(p.x, p.y)] end
end

local NEIGHBOURS = {
  { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 },
}

function dgn.adjacent_points(center, accept)
  local points = {}
  for _, step in ipairs(NEIGHBOURS) do
    local p = dgn.point(center.x + step[1], center.y + step[2])
    if dgn.in_bounds(p.x, p.y) and accept(p) then points[#points + 1] = p end
  end
  return points
end

function dgn.find_adjacent_point(from, condition, passable)
  passable = passable or function(p) return dgn.is_passable(p.x, p.y) end
  local queue, seen, index = { from }, { [from:str()] = true }, 1
  while index <= #queue do
    local p = queue[index]
    if condition(p) then return p end
    for _, q in ipairs(dgn.adjacent_points(p, passable)) do
      if not seen[q:str()] then
        seen[q:str()] = true
        queue[#queue + 1] = q
      end
    end
    index = index + 1
  end
end

function dgn.rectangle_forall(tl, br, pred)
  for x = tl.x, br.x do
    for y = tl.y, br.y do
      if not pred(dgn.point(x, y)) then return false end
    end
  end
  return true
end

function dgn.gridmark(x, y, feature, marker)
  dgn.grid(x, y, feature)
  if type(marker) == "function" or type(marker) == "table" then
    dgn.register_lua_marker(x, y, marker)
  elseif marker then
    dgn.register_feature_marker(x, y, marker)
  end
end

function dgn.point_in_radius(p, q, radius)
  return dgn.distance(p.x, p.y, q.x, q.y) <= radius * radius + 1
end

function dgn.random_colour(colours)
  if not colours or #colours == 0 then
    colours = {
      "blue", "green", "cyan", "red", "magenta", "brown", "lightgray", "darkgray", "lightblue",
      "lightgreen", "lightcyan", "lightmagenta", "yellow", "white",
    }
  end
  return util.random_from(colours)
end

function dgn.monster_fn(spec)
  local monster = dgn.monster_spec(spec)
  return function(x, y) return dgn.create_monster(x, y, monster) end
end

-- Tests on the drawing of a map.

local function first_point(map, glyph) return dgn.gly_point(map, glyph) end
local function last_point(map, glyph) return dgn.gly_points(map, glyph) end

function dgn.places_connected(map, finder, test, ...)
  local points = {}
  for _, glyph in ipairs { ... } do
    local x, y = finder(map, glyph)
    if not x or not y then error("Can't find coords for '" .. glyph .. "'", 3) end
    points[#points + 1] = x
    points[#points + 1] = y
  end
  return test(map, unpack(points))
end

function dgn.glyphs_connected(map, ...)
  return dgn.places_connected(map, first_point, dgn.points_connected, ...)
end
function dgn.any_glyph_connected(map, ...)
  return dgn.places_connected(map, last_point, dgn.any_point_connected, ...)
end
function dgn.has_exit_from_glyph(map, glyph)
  return dgn.places_connected(map, first_point, dgn.has_exit_from, glyph)
end

function dgn.orig_fn(map, f, ...)
  local original = dgn.original_map(map)
  if not original then error("Can't find original map for map '" .. dgn.name(map) .. "'", 2) end
  return f(original, ...)
end
function dgn.orig_gly_point(map, glyph) return dgn.orig_fn(map, dgn.gly_point, glyph) end
function dgn.orig_gly_points(map, glyph) return dgn.orig_fn(map, dgn.gly_points, glyph) end
function dgn.orig_glyphs_connected(map, ...)
  return dgn.orig_fn(map, dgn.glyphs_connected, ...)
end

-- Breadth-first over the drawing; f gives the distance its neighbours get, 0 or less to stop.
function dgn.flood(map, x, y, distance, f)
  local width, height = dgn.mapsize(map)
  local queue, queued, index = { { x, y, distance } }, {}, 1
  while index <= #queue do
    local cell = queue[index]
    index = index + 1
    local further = f(cell[1], cell[2], cell[3])
    if further and further > 0 then
      for dx = -1, 1 do
        for dy = -1, 1 do
          local nx, ny = cell[1] + dx, cell[2] + dy
          local inside = nx >= 0 and ny >= 0 and nx < width and ny < height
          if (dx ~= 0 or dy ~= 0) and inside and not queued[ny * width + nx] then
            queued[ny * width + nx] = true
            queue[#queue + 1] = { nx, ny, further }
          end
        end
      end
    end
  end
end

-- Finding and placing maps.

function dgn.find_map(p)
  local function value(v)
    while type(v) == "table" or type(v) == "function" do
      if type(v) == "table" then v = util.random_from(v) else v = v() end
    end
    return v
  end
  if p.map then return p.map end
  if p.tag then return dgn.map_by_tag(value(p.tag)) end
  if p.name then return dgn.map_by_name(value(p.name)) end
  local mini = p.random_mini
  local level = mini or p.random_vault
  if level then
    level = value(level)
    if level == true then level = dgn.level_id() end
    return dgn.map_in_depth(level, mini ~= nil)
  end
  error("dgn.find_map: no map selection criteria provided", 2)
end

function dgn.place_maps(p)
  local placed = 0
  for _ = 1, p.count or 1 do
    local map = dgn.find_map(p)
    if not map then
      if p.die_on_error then error("Could not find map to place", 2) end
      return nil
    end
    if dgn.place_map(map, true, false, nil, nil, p.tag) then
      placed = placed + 1
    elseif p.die_on_error then
      local reason = dgn.last_builder_error()
      error("Failed to place map '" .. dgn.name(map) .. "'" ..
        (reason ~= "" and "; last builder error: " .. reason or ""), 2)
    end
  end
  return placed
end

-- Old portal vaults.

function portal_stair_dst(destination) return one_way_stair { dst = destination } end
function portal_vault(e, tag)
  if tag then e.tags(tag) end
  e.orient("encompass")
end
function portal_next(e, destination)
  for glyph in ("])}"):gmatch(".") do
    e.lua_marker(glyph, portal_stair_dst(destination))
  end
end
