-- What map scripts of LAIR expect of the library (spec 09 §9). Written for Vaultwright.

function greater_than(a, b) return a > b end
function lesser_than(a, b) return a < b end

-- Counts of tags (§7): the global of a tag is a table, or nothing yet.
function get_tag_count(tag)
  if type(tag) == "table" then return tag.c or 0 end
  return 0
end

function get_tag_table(tag)
  if type(tag) == "table" then return tag end
  return 0
end

-- Where the cursor is.
function where_in_floor_get_x() return room_coarse_x.x + generator_coarse_x.x end
function where_in_floor_get_y() return room_coarse_y.y + generator_coarse_y.y end
where_in_floor_get_x_bare = where_in_floor_get_x
where_in_floor_get_y_bare = where_in_floor_get_y
function where_in_room_gen_x() return generator_coarse_x.x end
function where_in_room_gen_y() return generator_coarse_y.y end
function what_pixel_is_gen_x() return generator_x.x end
function what_pixel_is_gen_y() return generator_y.y end

-- The room.
function how_long_room_gen_w() return generator_coarse_w.w end
function how_long_room_gen_h() return generator_coarse_h.h end
function how_long_room_pixels_w() return generator_w.w end
function how_long_room_pixels_h() return generator_h.h end
function where_is_room_corner_x() return room_coarse_x.x end
function where_is_room_corner_y() return room_coarse_y.y end
function where_is_room_farcorner_x() return room_coarse_xw.x end
function where_is_room_farcorner_y() return room_coarse_yh.y end
function what_pixel_is_room_corner_x() return room_x.x end
function what_pixel_is_room_corner_y() return room_y.y end
function what_pixel_is_room_farcorner_x() return room_xw.x end
function what_pixel_is_room_farcorner_y() return room_yh.y end
function what_is_tile_w() return 32 end
function what_is_tile_h() return 32 end

-- The floor. The original has these two crossed, which shows on floors that are not square only.
function where_is_floor_farcorner_x() return floor_coarse_w.w end
function where_is_floor_farcorner_y() return floor_coarse_h.h end
function what_pixel_is_floor_farcorner_x() return floor_w.w end
function what_pixel_is_floor_farcorner_y() return floor_h.h end

function how_many_particles_so_far() return generator_particle_count.c end
function how_many_mobiles_so_far() return generator_mobile_count.c end

-- Chance: the answers are strings, as decision functions give them.
function coin()
  if math.random() < 0.5 then return "false" end
  return "true"
end

function percent_chance(percent)
  if math.random(100) > percent then return "false" end
  return "true"
end

function reseed_random() end

-- The index of what stands where (§8). The host keeps it; what the original wrote to files is here at once.
local function key_of(x, y) return tostring(x) .. "_" .. tostring(y) end
local function pixels(coarse) return tonumber(coarse) and tonumber(coarse) * 32 end

function particle_index_byxy(x, y) return cell[key_of(x, y)] or "false" end
function mobile_index_byxy(x, y) return mobs[key_of(x, y)] or "false" end
function particle_index_by_coarse_xy(x, y) return particle_index_byxy(pixels(x), pixels(y)) end
function mobile_index_by_coarse_xy(x, y) return mobile_index_byxy(pixels(x), pixels(y)) end
particle_coarse_index_byxy = particle_index_by_coarse_xy
mobile_coarse_index_byxy = mobile_index_by_coarse_xy
function is_blocked_particle_here() return particle_index_byxy(generator_x.x, generator_y.y) end
function is_blocked_mobile_here() return mobile_index_byxy(generator_x.x, generator_y.y) end

function reload_map() cell = cell or {} end
function reload_mobs() mobs = mobs or {} end
setup_new_map = reload_map
setup_new_mob = reload_mobs
function record_cell(value) cell[key_of(generator_x.x, generator_y.y)] = value end
function record_mobile(value) mobs[key_of(generator_x.x, generator_y.y)] = value end

local function assignment(of, value)
  return string.format("%s[\"%s\"] = \"%s\"\n", of, key_of(generator_x.x, generator_y.y), value)
end

function stringup_cell(value) return assignment("cell", value) end
function stringup_mob(value) return assignment("mobs", value) end

local function emptied(of)
  for key in pairs(of) do of[key] = nil end
end

function archive_old_map()
  emptied(cell)
  emptied(mobs)
  return "archived"
end

function delete_old_map() emptied(cell) end

function get_map_savepath() return "sandbox/map_table.lua" end
function get_mob_savepath() return "sandbox/mob_table.lua" end
function get_map_archivepath() return "sandbox/map_table-0.lua" end
function get_mob_archivepath() return "sandbox/mob_table-0.lua" end
function file_exists() return false end

-- Cells of the floor and what is around them (§20.4). Outside the floor everything is solid.
function is_inside_floor(x, y)
  return x >= 0 and y >= 0 and x < floor_coarse_w.w and y < floor_coarse_h.h
end

function particle_tags_at(x, y)
  local text = particle_index_by_coarse_xy(x, y)
  if text == "false" then return nil end
  local tags = {}
  for tag in text:gmatch("%S+") do tags[#tags + 1] = tag end
  return tags
end

local function has_tag(x, y, tag)
  if not is_inside_floor(x, y) then return true end
  local text = particle_index_by_coarse_xy(x, y)
  if text == "false" then return false end
  return tag == nil or (" " .. text .. " "):find(" " .. tag .. " ", 1, true) ~= nil
end

function particles_around(x, y, distance, tag)
  local count = 0
  for row = y - distance, y + distance do
    for column = x - distance, x + distance do
      if (column ~= x or row ~= y) and has_tag(column, row, tag) then count = count + 1 end
    end
  end
  return count
end

function print_general_props()
  for _, name in ipairs {"floor_w", "floor_h", "room_x", "room_y", "generator_w", "generator_h",
                         "generator_x", "generator_y", "generator_coarse_x", "generator_coarse_y",
                         "generator_particle_count", "generator_mobile_count"} do
    for field, value in pairs(_G[name] or {}) do print(name .. "." .. field .. " = " .. tostring(value)) end
  end
end
