//! Levels as maps of the Tiled editor, as JSON (TMJ) and as XML (TMX)
//! (<https://doc.mapeditor.org/en/stable/reference/>).

use std::fmt::Write;

use serde_json::{Value, json};
use vaultwright_content::Content;
use vaultwright_level::Level;
use vaultwright_map::Point;
use vaultwright_map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};

use crate::{Colour, escape_xml};

/// Pixels of a tile's side.
const TILE: i32 = 16;

/// A map for Tiled: layers of tiles, and layers of objects. The class of a tile says what it is; a
/// game gives the tile set its own images.
#[derive(Clone, Debug)]
pub struct TiledMap {
    /// In cells.
    pub width: usize,
    /// In cells.
    pub height: usize,
    /// Properties of the map as a whole: name, value.
    pub properties: Vec<(String, String)>,
    /// What its cells can be.
    pub tiles: Vec<TiledTile>,
    /// The layers of tiles: for each cell, row by row, the number of its tile, from 1; 0 for
    /// nothing.
    pub layers: Vec<(&'static str, Vec<usize>)>,
    /// The layers of objects.
    pub objects: Vec<(&'static str, Vec<TiledObject>)>,
}

/// A tile of a [`TiledMap`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TiledTile {
    /// What it is: the name of the feature.
    pub class: String,
    /// How a picture in letters shows it.
    pub glyph: char,
    /// Its colour.
    pub colour: Colour,
    /// Whether nobody can walk there.
    pub solid: bool,
}

/// An object of a [`TiledMap`].
#[derive(Clone, Debug)]
pub struct TiledObject {
    /// What it is called.
    pub name: String,
    /// What kind of thing it is.
    pub class: &'static str,
    /// Its top left cell.
    pub at: Point,
    /// In cells.
    pub size: (i32, i32),
    /// Name, value.
    pub properties: Vec<(&'static str, String)>,
}

impl TiledObject {
    /// An object on one cell.
    pub fn on_cell(name: String, class: &'static str, at: Point) -> TiledObject {
        TiledObject { name, class, at, size: (1, 1), properties: Vec::new() }
    }
}

impl TiledMap {
    /// What Tiled should know of a level: its features, and its vaults, items, monsters and
    /// markers.
    pub fn of(level: &Level, content: &Content) -> TiledMap {
        let features = content.features();
        let mut used: Vec<_> = level.features().to_vec();
        used.sort_unstable();
        used.dedup();
        let tile = |&id: &_| {
            let feature = features.get(id);
            TiledTile {
                class: feature.name.clone(),
                glyph: feature.glyph,
                colour: Colour::of(&feature.colour),
                solid: feature.flags.solid(),
            }
        };
        let cells = level.features().iter();
        let data = cells.map(|id| used.binary_search(id).map_or(0, |at| at + 1)).collect();
        TiledMap {
            width: LEVEL_WIDTH as usize,
            height: LEVEL_HEIGHT as usize,
            properties: Vec::new(),
            tiles: used.iter().map(tile).collect(),
            layers: vec![("features", data)],
            objects: objects(level, content),
        }
    }
}

fn objects(level: &Level, content: &Content) -> Vec<(&'static str, Vec<TiledObject>)> {
    let single = TiledObject::on_cell;
    let vaults = level.vaults.iter().map(|vault| TiledObject {
        size: vault.size,
        ..single(vault.map.name.clone(), "vault", vault.at)
    });
    let items = level
        .items
        .iter()
        .flat_map(|(&at, items)| items.iter().map(move |i| single(i.spec.clone(), "item", at)));
    let monsters = level.monsters.iter().map(|(&at, monster)| {
        let kind = monster.kind.map_or("", |id| &content.monsters().get(id).name);
        let name = monster.name.as_deref().unwrap_or(kind).to_owned();
        let properties = vec![("kind", kind.to_owned()), ("spec", monster.spec.clone())];
        TiledObject { properties, ..single(name, "monster", at) }
    });
    let markers = level.markers.iter().map(|marker| single(String::new(), "marker", marker.at));
    vec![
        ("vaults", vaults.collect()),
        ("items", items.collect()),
        ("monsters", monsters.collect()),
        ("markers", markers.collect()),
    ]
}

/// The map in Tiled's JSON format.
pub fn to_tmj(map: &TiledMap) -> Value {
    let string =
        |name: &str, value: &str| json!({ "name": name, "type": "string", "value": value });
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
                    string("glyph", &tile.glyph.to_string()),
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
                let properties: Vec<Value> =
                    object.properties.iter().map(|(name, value)| string(name, value)).collect();
                json!({
                    "id": last, "name": object.name, "type": object.class, "visible": true,
                    "rotation": 0, "x": object.at.x * TILE, "y": object.at.y * TILE,
                    "width": object.size.0 * TILE, "height": object.size.1 * TILE,
                    "properties": properties,
                })
            })
            .collect();
        layers.push(json!({
            "id": layers.len() + 1, "name": name, "type": "objectgroup", "x": 0, "y": 0,
            "opacity": 1, "visible": true, "draworder": "topdown", "objects": objects,
        }));
    }
    let properties: Vec<Value> =
        map.properties.iter().map(|(name, value)| string(name, value)).collect();
    json!({
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal",
        "renderorder": "right-down", "infinite": false, "compressionlevel": -1,
        "width": map.width, "height": map.height, "tilewidth": TILE, "tileheight": TILE,
        "nextlayerid": layers.len() + 1, "nextobjectid": last + 1,
        "properties": properties,
        "layers": layers,
        "tilesets": [{
            "firstgid": 1, "name": "features", "type": "tileset", "tilewidth": TILE,
            "tileheight": TILE, "tilecount": map.tiles.len(), "columns": 0, "margin": 0,
            "spacing": 0, "tiles": tiles,
        }],
    })
}

/// The map in Tiled's XML format.
pub fn to_tmx(map: &TiledMap) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let layers = map.objects.len() + map.layers.len();
    let (width, height) = (map.width, map.height);
    let count: usize = map.objects.iter().map(|(_, objects)| objects.len()).sum();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<map version=\"1.10\" tiledversion=\"1.10.2\" orientation=\"orthogonal\" \
         renderorder=\"right-down\" width=\"{width}\" height=\"{height}\" \
         tilewidth=\"{TILE}\" tileheight=\"{TILE}\" infinite=\"0\" nextlayerid=\"{}\" \
         nextobjectid=\"{}\">",
        layers + 1,
        count + 1
    );
    let whole: Vec<(&str, &str, &str)> = map
        .properties
        .iter()
        .map(|(name, value)| (name.as_str(), "string", value.as_str()))
        .collect();
    properties(&mut out, &whole);
    let _ = writeln!(
        out,
        "<tileset firstgid=\"1\" name=\"features\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" \
         tilecount=\"{}\" columns=\"0\">",
        map.tiles.len()
    );
    for (id, tile) in map.tiles.iter().enumerate() {
        let _ = writeln!(out, "<tile id=\"{id}\" type=\"{}\">", escape_xml(&tile.class));
        let glyph = tile.glyph.to_string();
        let solid = tile.solid.to_string();
        properties(
            &mut out,
            &[
                ("colour", "color", &hex(tile.colour)),
                ("glyph", "string", &glyph),
                ("solid", "bool", &solid),
            ],
        );
        out.push_str("</tile>\n");
    }
    out.push_str("</tileset>\n");
    for (index, (name, data)) in map.layers.iter().enumerate() {
        let _ = writeln!(
            out,
            "<layer id=\"{}\" name=\"{name}\" width=\"{width}\" height=\"{height}\">\n\
             <data encoding=\"csv\">",
            index + 1
        );
        let rows: Vec<String> = data
            .chunks(width.max(1))
            .map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
            .collect();
        out.push_str(&rows.join(",\n"));
        out.push_str("\n</data>\n</layer>\n");
    }
    let (mut last, first) = (0, map.layers.len() + 1);
    for (index, (name, objects)) in map.objects.iter().enumerate() {
        let _ = writeln!(out, "<objectgroup id=\"{}\" name=\"{name}\">", first + index);
        for object in objects {
            last += 1;
            let _ = writeln!(
                out,
                "<object id=\"{last}\" name=\"{}\" type=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" \
                 height=\"{}\">",
                escape_xml(&object.name),
                object.class,
                object.at.x * TILE,
                object.at.y * TILE,
                object.size.0 * TILE,
                object.size.1 * TILE
            );
            let own: Vec<(&str, &str, &str)> = object
                .properties
                .iter()
                .map(|(name, value)| (*name, "string", value.as_str()))
                .collect();
            properties(&mut out, &own);
            out.push_str("</object>\n");
        }
        out.push_str("</objectgroup>\n");
    }
    out.push_str("</map>\n");
    out
}

/// `#aarrggbb`.
fn hex(colour: Colour) -> String {
    let [red, green, blue] = colour.rgb();
    format!("#ff{red:02x}{green:02x}{blue:02x}")
}

/// Name, type and value of each.
fn properties(out: &mut String, list: &[(&str, &str, &str)]) {
    if list.is_empty() {
        return;
    }
    out.push_str("<properties>\n");
    for (name, kind, value) in list {
        let _ = writeln!(
            out,
            "<property name=\"{}\" type=\"{kind}\" value=\"{}\"/>",
            escape_xml(name),
            escape_xml(value)
        );
    }
    out.push_str("</properties>\n");
}
