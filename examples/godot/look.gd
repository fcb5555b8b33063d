# godot3-server --path examples/godot -s look.gd /path/to/FOLDER/D-1-7.tmj
# prints what has come into the scene, as JSON.
extends SceneTree

func _init():
	var level = preload("res://level.gd").new()
	var arguments = OS.get_cmdline_args()
	var error = level.open(arguments[arguments.size() - 1])
	if error != OK:
		printerr("the level cannot be opened: ", error)
		quit(1)
		return
	get_root().add_child(level)
	var tiles = level.tiles
	var features = {}
	var solid = 0
	for cell in tiles.get_used_cells():
		var id = tiles.get_cellv(cell)
		var name = tiles.tile_set.tile_get_name(id)
		features[name] = features.get(name, 0) + 1
		if tiles.tile_set.tile_get_shape_count(id) > 0:
			solid += 1
	var monsters = []
	for monster in level.get_node("monsters").get_children():
		var cell = monster.get_meta("cell")
		monsters.append([monster.get_meta("name"), cell.x, cell.y])
	print("LEVEL ", JSON.print({"features": features, "solid": solid, "monsters": monsters}))
	level.free()
	quit()
