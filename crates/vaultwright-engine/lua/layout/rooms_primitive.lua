-- What the simplest rooms are painted with (spec 05 section 16.3): a `paint_callback` each.
rooms = rooms or {}
rooms.primitive = {}

local function whole(room, item)
  item.corner1, item.corner2 = { x = 0, y = 0 }, { x = room.size.x - 1, y = room.size.y - 1 }
  return { item }
end

function rooms.primitive.floor(room) return whole(room, { type = "floor" }) end
function rooms.primitive.wall(room) return whole(room, { type = "wall" }) end
function rooms.primitive.ellipse(room) return whole(room, { type = "floor", shape = "ellipse" }) end
function rooms.primitive.procedural(room, _, generator)
  return whole(room, { type = "proc", callback = generator.callback })
end
