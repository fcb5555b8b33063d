//! The JSON of Tiled.

use serde_json::{Value, json};

use super::{COLUMNS, TiledMap, hex, property};
use crate::Attributes;

/// Returns the map in Tiled's JSON format.
pub fn to_tmj(map: &TiledMap) -> Value {
    let side = map.side;
    let list = |properties: &Attributes| -> Vec<Value> {
        let all = properties.iter().map(|(name, value)| {
            let (kind, value) = property(value);
            json!({ "name": name, "type": kind, "value": value })
        });
        all.collect()
    };
    let tiles: Vec<Value> = map
        .tiles
        .iter()
        .enumerate()
        .map(|(id, tile)| {
            json!({
                "id": id,
                "type": tile.class,
                "properties": [
                    { "name": "colour", "type": "color", "value": hex(tile.colour) },
                    { "name": "glyph", "type": "string", "value": tile.glyph.to_string() },
                    { "name": "solid", "type": "bool", "value": tile.solid },
                ],
            })
        })
        .collect();
    let of_tiles = map.layers.iter().enumerate().map(|(index, (name, data))| {
        json!({
            "id": index + 1, "name": name, "type": "tilelayer", "x": 0, "y": 0, "opacity": 1,
            "visible": true, "width": map.width, "height": map.height, "data": data,
        })
    });
    let mut layers: Vec<Value> = of_tiles.collect();
    let mut last = 0;
    for (name, objects) in &map.objects {
        let objects: Vec<Value> = objects
            .iter()
            .map(|object| {
                last += 1;
                let (x, y) = object.corner(side);
                let mut value = json!({
                    "id": last, "name": object.name, "type": object.class, "visible": true,
                    "rotation": 0, "x": x, "y": y, "width": object.size.0 * side,
                    "height": object.size.1 * side, "properties": list(&object.properties),
                });
                if object.tile > 0 {
                    value["gid"] = object.tile.into();
                }
                value
            })
            .collect();
        layers.push(json!({
            "id": layers.len() + 1, "name": name, "type": "objectgroup", "x": 0, "y": 0,
            "opacity": 1, "visible": true, "draworder": "topdown", "objects": objects,
        }));
    }
    let mut tileset = json!({
        "firstgid": 1, "name": "features", "type": "tileset", "tilewidth": side,
        "tileheight": side, "tilecount": map.tiles.len(), "columns": 0, "margin": 0,
        "spacing": 0, "tiles": tiles,
    });
    if let Some(image) = &map.image {
        let (width, height) = map.image_size();
        tileset["image"] = image.as_str().into();
        tileset["columns"] = COLUMNS.into();
        (tileset["imagewidth"], tileset["imageheight"]) = (width.into(), height.into());
    }
    json!({
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal",
        "renderorder": "right-down", "infinite": false, "compressionlevel": -1,
        "width": map.width, "height": map.height, "tilewidth": side, "tileheight": side,
        "nextlayerid": layers.len() + 1, "nextobjectid": last + 1,
        "properties": list(&map.properties),
        "layers": layers,
        "tilesets": [tileset],
    })
}
