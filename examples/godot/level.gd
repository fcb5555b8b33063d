# A level that `vaultwright generate D:1 --format tmj --out FOLDER` wrote, as nodes of Godot 3:
#
#   var level = preload("res://level.gd").new()
#   level.open("/path/to/FOLDER/D-1-7.tmj")
#   add_child(level)
#
# `tiles` is a TileMap whose tiles have the names of features; solid ones have a collision shape. Monsters, items, shops and
# markers are children of nodes of those names, at their cells, with what the level says of them as metadata.
extends Node2D

var tiles = TileMap.new()

# Returns an error as Godot has them; OK if all is there.
func open(path):
	var file = File.new()
	var error = file.open(path, File.READ)
	if error != OK:
		return error
	var parsed = JSON.parse(file.get_as_text())
	file.close()
	if parsed.error != OK:
		return parsed.error
	var map = parsed.result
	var source = map.tilesets[0]
	tiles.tile_set = tile_set(source, path.get_base_dir())
	if tiles.tile_set == null:
		return ERR_FILE_CANT_READ
	tiles.cell_size = Vector2(map.tilewidth, map.tileheight)
	add_child(tiles)
	for layer in map.layers:
		if layer.type == "tilelayer":
			lay(layer, int(source.firstgid))
		elif layer.name != "vaults":
			place(layer, tiles.cell_size)
	return OK

func tile_set(source, folder):
	# An exported game loads what it has imported; here the image lies beside the level.
	var image = Image.new()
	if image.load(folder.plus_file(source.image)) != OK:
		return null
	var texture = ImageTexture.new()
	texture.create_from_image(image, 0)
	var size = Vector2(source.tilewidth, source.tileheight)
	var wall = RectangleShape2D.new()
	wall.extents = size / 2
	var made = TileSet.new()
	for tile in source.tiles:
		var id = int(tile.id)
		made.create_tile(id)
		made.tile_set_name(id, tile.type)
		made.tile_set_texture(id, texture)
		var at = Vector2(id % int(source.columns), floor(id / int(source.columns)))
		made.tile_set_region(id, Rect2(at * size, size))
		if properties(tile).get("solid", false):
			made.tile_add_shape(id, wall, Transform2D(0, size / 2))
	return made

func lay(layer, first):
	var width = int(layer.width)
	for index in range(layer.data.size()):
		var id = int(layer.data[index]) - first
		if id >= 0:
			tiles.set_cell(index % width, index / width, id)

func place(layer, size):
	var group = Node2D.new()
	group.name = layer.name
	add_child(group)
	for object in layer.objects:
		var node = Node2D.new()
		node.name = object.name
		# Tiled has the lower left corner of objects with a picture.
		var corner = Vector2(object.x, object.y - (object.height if object.has("gid") else 0))
		node.position = corner
		node.set_meta("cell", corner / size)
		node.set_meta("name", object.name)
		var told = properties(object)
		for key in told:
			node.set_meta(key, told[key])
		group.add_child(node)

func properties(of):
	var found = {}
	for property in of.get("properties", []):
		found[property.name] = property.value
	return found
