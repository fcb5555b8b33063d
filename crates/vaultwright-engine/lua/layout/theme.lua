-- Materials of walls (spec 06 section 15.11).
theme = { D = {} }

function theme.level_material(e)
  if you.in_branch("Lair") or you.in_branch("Zot") or you.in_branch("Dis") then return end
  if you.absdepth() >= 4 and crawl.one_chance_in(20) then e.subst("x : ccv") end
end

local CAVES = {
  { rock = "lightgray", floor = "brown" },
  { emerald = true, floor = "green", weight = 1 },
  { rock = "darkgray", floor = "brown" },
  { rock = "lightgray", floor = "darkgray" },
  { rock = "brown", floor = "darkgray" },
  { rock = "brown", floor = "darkbrown" },
  { rock = "lightgray", floor = "darkbrown" },
  { rock = "white", floor = "darkbrown" },
  { rock = "darkbrown", floor = "darkgray" },
  { rock = "midbrown", floor = "darkgray" },
  { rock = "darkbrown", floor = "darkbrown" },
  { rock = "midbrown", floor = "darkbrown" },
}

local function emerald(e)
  e.subst("x = b")
  e.tile("b = wall_emerald")
end

function theme.D.caves(e)
  if you.branch() ~= "D" then return end
  local look = util.random_weighted_from("weight", CAVES)
  if look.emerald then emerald(e) else e.lrocktile("wall_pebble_" .. look.rock) end
  e.lfloortile("floor_pebble_" .. look.floor)
end

function theme.D.caves_classic(e)
  if you.branch() ~= "D" then return end
  e.lrocktile("wall_pebble_lightgray")
  if crawl.one_chance_in(5) then
    emerald(e)
    e.lfloortile("floor_pebble_green")
  else
    e.lfloortile("floor_pebble_brown")
  end
end

function theme.room_material(glyph)
  if you.in_branch("Dis") then return "x" end
  if crawl.one_chance_in(250) then return "b" end
  return util.random_choose_weighted { { glyph or "x", 216 }, { "c", 9 }, { "x", 9 }, { "v", 5 } }
end

function theme.add_gehenna_buildings(e)
  local depth = you.depth_fraction()
  local width, height = dgn.builder_bounds()
  local border, most = 4, 6 + 4 * depth
  local separation = crawl.random_range(1, 4 - 2 * depth)
  local count = crawl.random_range((150 + 850 * depth) / most, (300 + 1700 * depth) / most)
  for _ = 1, count do
    local size = crawl.random_range(4, most)
    local x = crawl.random_range(border, width - border - 1 - size)
    local y = crawl.random_range(border, height - border - 1 - size)
    local box = { x1 = x, y1 = y, x2 = x + size, y2 = y + size }
    local around = {
      x1 = x - separation, y1 = y - separation, x2 = x + size + separation, y2 = y + size + separation,
      find = "c", find_vault = true,
    }
    if not e.find_in_area(around) then
      local walls = e.count_feature_in_box { x1 = box.x1, y1 = box.y1, x2 = box.x2, y2 = box.y2, feat = "xv" }
      if walls >= size * size / 2 and walls < size * size then
        box.door_count = crawl.random_range(1, 3)
        box.wall, box.veto_gates, box.veto_if_no_doors = "c", true, true
        e.make_round_box(box)
      end
    end
  end
end
