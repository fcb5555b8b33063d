-- What AI scripts of LAIR expect of the library (spec 09 §15). Written for Vaultwright.

function sleep() end

function table_length(list)
  local count = 0
  for _ in pairs(list or {}) do count = count + 1 end
  return count
end

function get_vision_length() return table_length(vision) end

function print_seen_details()
  print("seen:")
  for key, detail in pairs(vision or {}) do print(key .. ": " .. detail) end
  return false
end

function print_self_details()
  if self then print(self.self) end
  if self_speed then print(self_speed.speed) end
  return false
end

-- The directions make no difference in the original; seen_towards tells them apart.
local function check(pattern)
  for _, detail in pairs(vision or {}) do
    if detail:find(pattern) then return true end
  end
  return false
end

check_right_for_detail = check
check_left_for_detail = check
check_up_for_detail = check
check_down_for_detail = check

local function place_of(detail)
  local x, y = detail:match("x:(%d*) y:(%d*)")
  return tonumber(x) or 0, tonumber(y) or 0
end

function seen_towards(direction, pattern)
  if not (vision and self) then return false end
  local own_x, own_y = place_of(self.self)
  for _, detail in pairs(vision) do
    if detail:find(pattern) then
      local x, y = place_of(detail)
      local dx, dy = x - own_x, y - own_y
      local towards = {
        right = dx > 0 and math.abs(dy) <= dx, left = dx < 0 and math.abs(dy) <= -dx,
        down = dy > 0 and math.abs(dx) <= dy, up = dy < 0 and math.abs(dx) <= -dy,
      }
      if towards[direction] then return true end
    end
  end
  return false
end

function stats_default() return "10 10 10 10 10" end

for _, direction in ipairs {"up", "down", "left", "right"} do
  local word = "step_" .. direction .. "()"
  _G["step_" .. direction] = function() return word end
end
step_north, step_south, step_west, step_east = step_up, step_down, step_left, step_right
function stand_still() return "stand_still()" end
