-- options: --memory 16
local kept = {}
function map_cares_insert()
  for i = 1, 100000 do kept[#kept + 1] = "some words and the number " .. i end
  return false
end
function mob_cares_insert() return false end
