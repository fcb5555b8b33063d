//! Levels as maps of the Tiled editor, as JSON (TMJ) and as XML (TMX)
//! (<https://doc.mapeditor.org/en/stable/reference/>), with an image of their tiles.

mod tmj;
mod tmx;

use serde_json::Value;
use vaultwright_content::Content;
use vaultwright_level::{Level, LevelItem, LevelMonster};
use vaultwright_map::Point;

pub use self::tmj::to_tmj;
pub use self::tmx::to_tmx;
use crate::attributes::{item_attributes, marker_attributes, monster_attributes};
use crate::level::{item_cell, monster_cell, terrain_cell};
use crate::level_json::{cell_marks, shops, vault_attributes};
use crate::png::{CELL, cell_pixels, encode_rgba};
use crate::tiles::{SIDE, Stacks, TileSet};
use crate::{Attributes, Cell, Colour, Shape};

/// The number of tiles in a row of the image.
const COLUMNS: usize = 16;

/// A map for Tiled: layers of tiles, and layers of objects. The class of a tile is the kind of
/// thing it shows.
#[derive(Clone, Debug)]
#[must_use]
pub struct TiledMap {
    /// The width in cells.
    pub width: usize,
    /// The height in cells.
    pub height: usize,
    /// The properties of the whole map.
    pub properties: Attributes,
    /// The tiles that its cells can have.
    pub tiles: Vec<TiledTile>,
    /// The layers of tiles: for each cell, row by row, the number of its tile, from 1; 0 for none.
    pub layers: Vec<(&'static str, Vec<usize>)>,
    /// The layers of objects.
    pub objects: Vec<(&'static str, Vec<TiledObject>)>,
    /// The side of a tile, in pixels.
    pub side: i32,
    /// The file with the image of the tiles ([`tileset_png`]), if there is one.
    pub image: Option<String>,
}

/// A tile of a [`TiledMap`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TiledTile {
    /// What the tile shows: the name of the feature, `monster` or `item`.
    pub class: String,
    /// The glyph used in pictures made of letters.
    pub glyph: char,
    /// The colour of the glyph.
    pub colour: Colour,
    /// The kind of thing shown.
    pub shape: Shape,
    /// Whether the cell cannot be walked on.
    pub solid: bool,
    /// The images that make up the game's own tile; empty for a letter.
    pub layers: Vec<String>,
}

impl TiledTile {
    fn of(class: &str, cell: Cell, layers: Option<Vec<String>>) -> TiledTile {
        let Cell { glyph, colour, shape } = cell;
        let layers = layers.unwrap_or_default();
        TiledTile { class: class.to_owned(), glyph, colour, shape, solid: false, layers }
    }

    fn of_monster(monster: &LevelMonster, content: &Content, stacks: Option<&Stacks>) -> TiledTile {
        let layers = stacks.and_then(|stacks| stacks.monster(monster));
        TiledTile::of("monster", monster_cell(monster, content), layers)
    }

    fn of_item(item: &LevelItem, content: &Content, stacks: Option<&Stacks>) -> TiledTile {
        let layers = stacks.and_then(|stacks| stacks.item(item));
        TiledTile::of("item", item_cell(item, content), layers)
    }
}

/// An object of a [`TiledMap`].
#[derive(Clone, Debug)]
pub struct TiledObject {
    /// The name of the object.
    pub name: String,
    /// The kind of object.
    pub class: &'static str,
    /// Its top left cell.
    pub at: Point,
    /// Its size in cells.
    pub size: (i32, i32),
    /// The number of the tile that shows it, from 1; 0 for a plain rectangle.
    pub tile: usize,
    /// Its attributes.
    pub properties: Attributes,
}

impl TiledObject {
    /// Returns an object on one cell.
    pub fn on_cell(name: String, class: &'static str, at: Point) -> TiledObject {
        let properties = Attributes::new();
        TiledObject { name, class, at, size: (1, 1), tile: 0, properties }
    }

    /// Returns the position of an object in pixels: for tiles it is the lower left corner, for
    /// rectangles the upper left one.
    fn corner(&self, side: i32) -> (i32, i32) {
        let rows = if self.tile > 0 { self.at.y + self.size.1 } else { self.at.y };
        (self.at.x * side, rows * side)
    }
}

impl TiledMap {
    /// The side of a tile in pixels when tiles are letters.
    pub const LETTER_SIDE: i32 = CELL as i32;

    /// Returns a level as a map for Tiled: its features, what else cells have, and its vaults,
    /// items, monsters, shops and markers.
    pub fn of(level: &Level, content: &Content) -> TiledMap {
        TiledMap::drawn(level, content, None)
    }

    /// Like [`TiledMap::of`], with the game's own tiles where they are known, for a level of the
    /// branch with this abbreviation.
    pub fn in_tiles(level: &Level, content: &Content, tiles: &TileSet, branch: &str) -> TiledMap {
        TiledMap::drawn(level, content, Some(&Stacks { tiles, content, branch }))
    }

    fn drawn(level: &Level, content: &Content, stacks: Option<&Stacks>) -> TiledMap {
        let features = content.features();
        let terrain = level.points().zip(level.features()).map(|(p, &id)| {
            let feature = features.get(id);
            let cell = terrain_cell(level, p, content);
            let layers = stacks.and_then(|stacks| stacks.terrain(level, p));
            let tile = TiledTile::of(&feature.name, Cell { glyph: feature.glyph, ..cell }, layers);
            TiledTile { solid: feature.flags.solid(), ..tile }
        });
        let cells: Vec<TiledTile> = terrain.collect();
        let monsters = level.monsters.values();
        let shown = monsters.map(|monster| TiledTile::of_monster(monster, content, stacks));
        let items = level.items.values().flatten();
        let shown = shown.chain(items.map(|item| TiledTile::of_item(item, content, stacks)));
        let mut tiles: Vec<TiledTile> = cells.iter().cloned().chain(shown).collect();
        tiles.sort_unstable();
        tiles.dedup();
        let number = |tile: &TiledTile| tiles.binary_search(tile).map_or(0, |at| at + 1);
        let data = cells.iter().map(&number).collect();
        TiledMap {
            width: level.size().width() as usize,
            height: level.size().height() as usize,
            properties: level_properties(level),
            layers: vec![("features", data)],
            objects: objects(level, content, &number, stacks),
            tiles,
            side: if stacks.is_some() { SIDE as i32 } else { TiledMap::LETTER_SIDE },
            image: None,
        }
    }

    /// Returns the size of the tile image in pixels.
    fn image_size(&self) -> (usize, usize) {
        let side = self.side as usize;
        (COLUMNS * side, self.tiles.len().div_ceil(COLUMNS).max(1) * side)
    }
}

/// Returns the image of a map's tiles as PNG, sixteen in a row. The game's tiles have a transparent
/// background.
pub fn tileset_png(map: &TiledMap, tiles: Option<&TileSet>) -> Vec<u8> {
    let ((width, height), side) = (map.image_size(), map.side as usize);
    let mut pixels = vec![[0; 4]; width * height];
    for (index, tile) in map.tiles.iter().enumerate() {
        let sprite = tiles.and_then(|tiles| tiles.drawn(&tile.layers));
        let square = match sprite {
            Some(sprite) => sprite.scaled(side),
            None => {
                let cell = Cell { glyph: tile.glyph, colour: tile.colour, shape: tile.shape };
                let letter = cell_pixels(&cell, side).into_iter();
                letter.map(|[r, g, b]| [r, g, b, 255]).collect()
            }
        };
        let (x, y) = (index % COLUMNS * side, index / COLUMNS * side);
        for (row, line) in square.chunks(side).enumerate() {
            let at = (y + row) * width + x;
            pixels[at..at + side].copy_from_slice(line);
        }
    }
    encode_rgba(width, height, pixels.as_flattened())
}

fn level_properties(level: &Level) -> Attributes {
    let texts = [
        ("floor_colour", &level.floor_colour),
        ("rock_colour", &level.rock_colour),
        ("floor_tile", &level.floor_tile),
        ("rock_tile", &level.rock_tile),
        ("random_monsters", &level.random_monsters),
    ];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.clone()?)));
    let mut out: Attributes =
        texts.map(|(name, text)| (name.to_owned(), Value::from(text))).collect();
    if level.spawn_rate != 0 {
        out.insert("spawn_rate".to_owned(), level.spawn_rate.into());
    }
    if !level.flags.is_empty() {
        let flags: Vec<&str> = level.flags.iter().map(String::as_str).collect();
        out.insert("flags".to_owned(), flags.join(" ").into());
    }
    out
}

fn objects(
    level: &Level,
    content: &Content,
    number: &impl Fn(&TiledTile) -> usize,
    stacks: Option<&Stacks>,
) -> Vec<(&'static str, Vec<TiledObject>)> {
    let single = TiledObject::on_cell;
    let vaults = level.vaults.iter().map(|vault| {
        let mut properties = vault_attributes(vault, content);
        properties.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
        let object = single(vault.map.name.clone(), "vault", vault.at);
        TiledObject { size: vault.size, properties, ..object }
    });
    let items = level.items.iter().flat_map(|(&at, items)| items.iter().map(move |i| (at, i)));
    let items = items.map(|(at, item)| TiledObject {
        tile: number(&TiledTile::of_item(item, content, stacks)),
        properties: item_attributes(item, content),
        ..single(item.spec.clone(), "item", at)
    });
    let monsters = level.monsters.iter().map(|(&at, monster)| {
        let properties = monster_attributes(monster, content);
        let kind = properties.get("kind").and_then(Value::as_str).unwrap_or("").to_owned();
        let name = monster.name.clone().unwrap_or(kind);
        let tile = number(&TiledTile::of_monster(monster, content, stacks));
        TiledObject { tile, properties, ..single(name, "monster", at) }
    });
    let markers = level.markers.iter().map(|marker| {
        let values = level.marker_values.get(&marker.id);
        let properties = marker_attributes(marker, values, content);
        let word = |name: &str| properties.get(name).and_then(Value::as_str).map(str::to_owned);
        let name = word("class").or(word("feature")).or(word("kind")).unwrap_or_default();
        TiledObject { properties, ..single(name, "marker", marker.at) }
    });
    let shops = shops(level, content).map(|(at, properties)| {
        let name = properties.get("kind").and_then(Value::as_str).unwrap_or("").to_owned();
        TiledObject { properties, ..single(name, "shop", at) }
    });
    vec![
        ("vaults", vaults.collect()),
        ("cells", cells(level, content)),
        ("shops", shops.collect()),
        ("items", items.collect()),
        ("monsters", monsters.collect()),
        ("markers", markers.collect()),
    ]
}

/// Returns what cells have besides their features, with one object for adjacent cells in a row that
/// have the same.
fn cells(level: &Level, content: &Content) -> Vec<TiledObject> {
    let mut found: Vec<TiledObject> = Vec::new();
    for p in level.points() {
        let properties = cell_attributes(level, p, content);
        if properties.is_empty() {
            continue;
        }
        match found.last_mut() {
            Some(last)
                if last.at.y == p.y
                    && last.at.x + last.size.0 == p.x
                    && last.properties == properties =>
            {
                last.size.0 += 1;
            }
            _ => found
                .push(TiledObject { properties, ..TiledObject::on_cell(String::new(), "cell", p) }),
        }
    }
    found
}

/// Returns the attributes of a cell, without those that placing sets on every cell of a vault.
pub fn cell_attributes(level: &Level, p: Point, content: &Content) -> Attributes {
    let mut out = Attributes::new();
    let plain = level.mask(p) == 0 && level.properties(p) == 0;
    if !plain {
        let (mut masks, properties) = cell_marks(level, p, content);
        masks.retain(|mask| !matches!(mask.as_str(), "vault" | "opaque"));
        for (name, words) in [("masks", masks), ("properties", properties)] {
            if !words.is_empty() {
                out.insert(name.to_owned(), words.join(" ").into());
            }
        }
        if vaultwright_level::is_mimic(level, p) {
            out.insert("mimic".to_owned(), true.into());
        }
    }
    if let Some(colour) = level.colours.get(&p) {
        out.insert("colour".to_owned(), colour.as_str().into());
    }
    if let Some(tiles) = level.tiles.get(&p) {
        let named =
            [("floor_tile", &tiles.floor), ("rock_tile", &tiles.rock), ("tile", &tiles.feature)];
        for (name, tile) in named {
            if let Some(tile) = tile {
                out.insert(name.to_owned(), (&**tile).into());
            }
        }
    }
    if level.height(p) != 0 {
        out.insert("height".to_owned(), level.height(p).into());
    }
    out
}

/// Returns the type and the value of a property. Lists and tables are stored as JSON text.
fn property(value: &Value) -> (&'static str, Value) {
    match value {
        Value::Bool(_) => ("bool", value.clone()),
        Value::Number(number) if number.is_i64() => ("int", value.clone()),
        Value::Number(_) => ("float", value.clone()),
        Value::String(_) => ("string", value.clone()),
        Value::Null => ("string", "".into()),
        Value::Array(list) if list.iter().all(Value::is_string) => {
            let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            ("string", words.join(", ").into())
        }
        Value::Array(_) | Value::Object(_) => ("string", value.to_string().into()),
    }
}

/// Returns a colour as `#aarrggbb`.
fn hex(colour: Colour) -> String {
    let [red, green, blue] = colour.rgb();
    format!("#ff{red:02x}{green:02x}{blue:02x}")
}
