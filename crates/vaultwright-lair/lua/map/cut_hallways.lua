-- Ways through the middle of each room (spec 09 §10.1).

function cut_hallways(answer)
  local x, y = where_in_room_gen_x(), where_in_room_gen_y()
  if (x >= 6 and x <= 8) or (y >= 6 and y <= 8) then return "false" end
  return type(answer) == "string" and answer or "false"
end
