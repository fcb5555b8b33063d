-- Kept for maps that ask for it: rooms are decorated by `hyper.rooms.decorate_walls`.
hyper = hyper or {}
hyper.decor = hyper.decor or {}
