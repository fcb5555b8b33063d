-- Levels of a ziggurat (spec 06 section 15.8): a hall that grows with its depth, monsters of one kind, and
-- loot around the way on. What the levels of one ziggurat share is kept in `dgn.persist`.

local WALLS = {
  blue = "wall_zot_blue", red = "wall_zot_red", lightblue = "wall_zot_cyan", magenta = "wall_zot_magenta",
  green = "wall_zot_green", white = "wall_vault",
}

function zig()
  if not dgn.persist.ziggurat then
    dgn.persist.ziggurat = {}
    initialise_ziggurat(dgn.persist.ziggurat)
  end
  return dgn.persist.ziggurat
end

function initialise_ziggurat(state)
  state.depth = 1
  state.eccentricity = crawl.random2(101)
  state.builder = ziggurat_choose_builder()
  state.colour = ziggurat_wall_colour()
end

function ziggurat_choose_builder()
  return util.random_from { "ellipse", "hex", "rectangle" }
end

function ziggurat_wall_colour()
  return util.random_from { "blue", "red", "lightblue", "magenta", "green", "white" }
end

-- The map: an encompass map whose level this builds, once a game has begun.
function ziggurat_level(e)
  e.tags("allow_dup no_dump")
  e.orient("encompass")
  if crawl.game_started() then ziggurat_build_level(e) end
end

-- Shapes. Each cuts its hall out of the rock and answers where one comes in and goes out.

local CENTRE_X, CENTRE_Y = math.floor(dgn.GXM / 2), math.floor(dgn.GYM / 2)

local function clamp(n, low, high) return math.max(low, math.min(high, n)) end

-- Turns the cells of an area into floor where inside(dx, dy) holds.
local function carve(x1, y1, x2, y2, inside)
  for y = clamp(y1, 2, 67), clamp(y2, 2, 67) do
    for x = clamp(x1, 2, 77), clamp(x2, 2, 77) do
      if inside(x - CENTRE_X, y - CENTRE_Y) then dgn.grid(x, y, "floor") end
    end
  end
end

local function everywhere() return true end

ziggurat_builder_map = {}

-- Two rectangles that cross.
function ziggurat_builder_map.rectangle(depth, area)
  area = math.floor(area * 3 / 4)
  local excess = math.floor(depth / 2)
  if depth % 2 == 1 and crawl.coinflip() then excess = excess + 1 end
  local a = math.floor(math.sqrt(area + 4 * excess * excess))
  local b = a - 2 * excess
  local half_x, half_y = math.ceil(a / 2), math.ceil(b / 2)
  local x1, x2 = clamp(CENTRE_X - half_x, 2, 77), clamp(CENTRE_X + half_x, 2, 77)
  carve(x1, CENTRE_Y - half_y, x2, CENTRE_Y + half_y, everywhere)
  local shorter = math.floor(depth / 2 * (200 - zig().eccentricity) / 300)
  carve(CENTRE_X - half_y, CENTRE_Y - half_x + shorter, CENTRE_X + half_y, CENTRE_Y + half_x - shorter, everywhere)
  return x1, x2
end

function ziggurat_builder_map.ellipse(_, area)
  local eccentricity = zig().eccentricity
  local b = math.floor(math.sqrt(200 * area / (200 + eccentricity) * 100 / 314))
  local a = math.floor(b * (200 + eccentricity) / 200)
  carve(CENTRE_X - a, CENTRE_Y - b, CENTRE_X + a, CENTRE_Y + b, function(dx, dy)
    return b * b * dx * dx + a * a * dy * dy <= a * a * b * b
  end)
  return CENTRE_X - a + 2, CENTRE_X + a - 2
end

function ziggurat_builder_map.hex(_, area)
  local a = math.floor(math.sqrt(2 * area / math.sqrt(27))) + 2
  local b = math.floor(a * math.sqrt(3) / 4)
  local left = math.floor(CENTRE_X - (a + math.sqrt(2 * a)) / 2)
  local right = 2 * CENTRE_X - left
  carve(left, CENTRE_Y - b, right, CENTRE_Y + b, function(dx, dy)
    local x = dx + CENTRE_X
    return math.abs(dy) <= x - left and math.abs(dy) <= right - x and math.abs(dy) <= b
  end)
  return left + 1, right - 1
end

-- Walks over the hall from a cell outwards.
local function outwards(from, passable, visit)
  local queue, seen = { from }, { [from.x + dgn.GXM * from.y] = true }
  local index = 1
  while queue[index] do
    local at = queue[index]
    index = index + 1
    if visit(at) == false then return end
    for dy = -1, 1 do
      for dx = -1, 1 do
        local x, y = at.x + dx, at.y + dy
        if dgn.in_bounds(x, y) and not seen[x + dgn.GXM * y] and passable(x, y) then
          seen[x + dgn.GXM * y] = true
          queue[#queue + 1] = { x = x, y = y }
        end
      end
    end
  end
end

local function all_floor(x, y, width, height)
  for cy = y, y + height - 1 do
    for cx = x, x + width - 1 do
      if not dgn.in_bounds(cx, cy) or dgn.grid(cx, cy) ~= dgn.fnum("floor") then return false end
    end
  end
  return true
end

-- One set of pillars: in the middle, or four times around it.
local function place_pillars()
  for _ = 1, 5 do
    local map = dgn.map_by_tag("ziggurat_pillar")
    if not map then return end
    local resolved, placement = dgn.resolve_map(map)
    if resolved then
      local width, height = dgn.mapsize(resolved)
      -- Between blanks: the first and the last tag do not count, nor do they in the reference.
      if dgn.tags(resolved):find(" centered ", 1, true) then
        local x, y = CENTRE_X - math.floor(width / 2), CENTRE_Y - math.floor(height / 2)
        if all_floor(x, y, width, height) then
          dgn.reuse_map(placement, x, y)
          return
        end
      else
        for _ = 1, 100 do
          local dx, dy = crawl.random_range(-15, -width), crawl.random_range(-15, -height)
          local left, top = CENTRE_X + dx, CENTRE_Y + dy
          local right, bottom = CENTRE_X - dx - width + 1, CENTRE_Y - dy - height + 1
          if all_floor(left, top, width, height) and all_floor(right, top, width, height)
            and all_floor(left, bottom, width, height) and all_floor(right, bottom, width, height) then
            dgn.reuse_map(placement, left, top)
            dgn.reuse_map(placement, right, top, true)
            dgn.reuse_map(placement, right, bottom, false, true)
            dgn.reuse_map(placement, left, bottom, true)
            return
          end
        end
      end
    end
  end
end

-- Monsters: sets of those that live in one place, or are of one kind. `at` is the depth from which a set
-- comes.

local function place(where, ...) return "place:" .. where .. " w:25 / " .. table.concat({ ... }, " / ") end

local function monster_sets(depth)
  local sets = {
    { weight = 5, spec = place("Lair:$", "catoblepas", "dire elephant", "hydra") },
    { spec = place("Snake:$", "guardian serpent", "naga ritualist", "quicksilver dragon w:" .. depth) },
    { spec = place("Swamp:$", "hydra", "swamp dragon", "green death w:" .. depth) },
    { weight = 5, spec = place("Shoals:$", "merfolk aquamancer", "water nymph", "kraken w:5") },
    { spec = place("Spider:$", "ghost moth", "hornet", "emperor scorpion w:" .. depth) },
    { spec = place("Slime:$", "azure jelly", "acid blob", "jelly") },
    { spec = place("Orc:$", "orc warlord", "orc high priest", "orc sorcerer", "stone giant") },
    { spec = place("Elf:$", "deep elf high priest", "deep elf blademaster", "deep elf annihilator") },
    { spec = place("Vaults:$", "sphinx", "titan", "golden dragon", "ancient lich") },
    { spec = place("Crypt:$", "curse skull", "ancient lich", "revenant") },
    { spec = place("Tomb:$", "guardian mummy", "royal mummy w:" .. depth, "mummy priest") },
    { spec = place("Abyss", "starcursed mass", "wretched star", "tentacled monstrosity") },
    { weight = 5, spec = place("Geh:$", "hellion", "balrug", "brimstone fiend w:" .. depth) },
    { weight = 5, spec = place("Coc:$", "ice fiend w:" .. depth, "blizzard demon", "ice devil") },
    { weight = 5, spec = place("Dis:$", "iron dragon", "iron golem", "hell sentinel w:" .. depth) },
    { weight = 5, spec = place("Tar:$", "reaper", "tzitzimitl w:" .. depth, "soul eater") },
    { weight = 2, spec = "fire elemental / fire crab / fire dragon / efreet / fire giant / salamander" },
    { weight = 2, spec = "ice beast / freezing wraith / ice dragon / frost giant / blizzard demon" },
    { weight = 2, spec = "air elemental / spark wasp / storm dragon / raiju / electric golem" },
    { weight = 2, spec = "earth elemental / iron dragon / stone giant / gargoyle / boulder beetle" },
    { weight = 2, spec = "acid dragon / acid blob / oklob plant / yellow draconian" },
    { weight = 2, spec = "wraith / soul eater / shadow dragon / ghost crab / lich w:5" },
    { weight = 2, spec = "angel / cherub / daeva / ophan / apis" },
    { spec = "chaos spawn / neqoxec / glowing shapeshifter / ugly thing / killer klown" },
    { weight = 2, spec = "cyclops / stone giant / fire giant / frost giant / titan w:" .. depth },
    { weight = 2, spec = "swamp dragon / fire dragon / ice dragon / storm dragon / golden dragon w:" .. depth },
    { spec = "red draconian / white draconian / green draconian / black draconian / purple draconian" },
    { weight = 2, spec = "centaur warrior / yaktaur captain / deep elf master archer / faun" },
    { weight = 2, spec = "deep elf annihilator / deep elf sorcerer / lich w:5 / ogre mage" },
    { weight = 2, spec = "deep elf demonologist / orc sorcerer / draconian shifter / pandemonium lord w:2" },
    { spec = place("Pan", "pandemonium lord w:5", "chaos spawn") },
  }
  if depth >= 14 then
    sets[#sets + 1] = { weight = 5, spec = "place:Snake:$ / place:Swamp:$ / place:Shoals:$ / place:Spider:$" }
    sets[#sets + 1] = { spec = "place:Geh:$ / place:Coc:$ / place:Dis:$ / place:Tar:$" }
  end
  return sets
end

-- The sets of this level, ready to be chosen from.
function ziggurat_monster_creators()
  local sets = {}
  for _, set in ipairs(monster_sets(zig().depth)) do
    sets[#sets + 1] = { weight = set.weight or 10, spec = set.spec, create = dgn.monster_fn(set.spec) }
  end
  return sets
end

function ziggurat_awaken_all(monsters)
  for _, monster in ipairs(monsters) do monster.handle_behaviour("alert") end
end

local function place_monsters(exit, entry, create, depth, completed)
  local pool = math.floor(10 + depth * (depth + 8 * (1 + 2 * completed)) * (1 + 0.17 * completed))
  local placed = {}
  local function passable(x, y)
    return dgn.is_passable(x, y) and not feat.is_closed_door(x, y)
  end
  outwards(exit, passable, function(at)
    if pool <= 0 then return false end
    if at.x == entry.x and at.y == entry.y then return end
    for _ = 1, 10 do
      local monster = create(at.x, at.y)
      if monster then
        if monster.experience > 0 and monster.hd <= pool * 1.3 then
          pool = pool - monster.hd
          placed[#placed + 1] = monster
          return
        end
        monster.dismiss()
      end
    end
    -- Nothing that is left fits.
    return false
  end)
  return placed
end

-- Loot lies nearest to the way on.
local function place_loot(exit, area, depth, completed)
  local count = depth + crawl.random2(math.floor(depth / 2))
  if completed > 0 then
    count = math.min(count + crawl.random2(math.floor(completed * depth / 4)), math.floor(area / 9))
  end
  local spots = {}
  outwards(exit, function(x, y) return dgn.grid(x, y) == dgn.fnum("floor") end, function(at)
    if at.x ~= exit.x or at.y ~= exit.y then spots[#spots + 1] = at end
    if #spots >= 4 * count then return false end
  end)
  if #spots == 0 then return end
  local good = "* no_pickup w:7000 / " .. dgn.good_scrolls
  local super = "| no_pickup w:7000 / potion of experience no_pickup w:" .. math.max(10, 190 - 30 * completed) ..
    " / potion of mutation no_pickup w:" .. math.min(470, 290 + 30 * completed) ..
    " / potion of cancellation q:5 no_pickup / potion of heal wounds q:5 no_pickup" ..
    " / potion of magic q:5 no_pickup / potion of haste q:5 no_pickup / " .. dgn.good_scrolls
  local next_spot = 0
  local function put(spec)
    local at = spots[next_spot % #spots + 1]
    next_spot = next_spot + 1
    dgn.create_item(at.x, at.y, spec)
  end
  for _ = 1, count do
    if crawl.one_chance_in(depth) then
      for _ = 1, 4 do put(good) end
    else
      put(super)
    end
  end
end

function ziggurat_build_level(e)
  if you.depth() == 1 then dgn.persist.ziggurat = nil end
  local state = zig()
  local depth, completed = you.depth(), you.zigs_completed()
  state.depth = depth
  local awake = depth > 4 + crawl.random2(21)

  local area = 30 + 18 * depth + depth * depth
  dgn.fill_grd_area(0, 0, dgn.GXM - 1, dgn.GYM - 1, "permarock_wall")
  local entry_x, exit_x = ziggurat_builder_map[state.builder](depth, area)
  if depth % 2 == 0 then entry_x, exit_x = exit_x, entry_x end
  local entry, exit = { x = entry_x, y = CENTRE_Y }, { x = exit_x, y = CENTRE_Y }
  dgn.grid(entry.x, entry.y, "stone_arch")
  dgn.register_feature_marker(entry.x, entry.y, "stone_stairs_up_i")
  if depth < dgn.br_depth("Zig") then
    dgn.grid(exit.x, exit.y, "stone_stairs_down_i")
  else
    dgn.create_item(exit.x, exit.y, "figurine of a ziggurat")
  end
  dgn.grid(exit.x, exit.y - 1, "exit_ziggurat")
  dgn.grid(exit.x, exit.y + 1, "exit_ziggurat")

  local set = util.random_weighted_from("weight", ziggurat_monster_creators())
  dgn.set_random_mon_list(set.spec)
  place_pillars()
  place_loot(exit, area, depth, completed)
  local monsters = place_monsters(exit, entry, set.create, depth, completed)
  if awake then ziggurat_awaken_all(monsters) end

  for y = 0, dgn.GYM - 1 do
    for x = 0, dgn.GXM - 1 do
      if dgn.grid(x, y) == dgn.fnum("permarock_wall") and not dgn.in_vault(x, y) then
        dgn.colour_at(x, y, state.colour)
      end
    end
  end
  e.lrocktile(WALLS[state.colour])
end
