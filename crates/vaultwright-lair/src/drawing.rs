//! Pictures of towers, and their maps for other programs.

use std::collections::BTreeSet;

use vaultwright_map::Point;
use vaultwright_render::{
    Attributes, Cell, Colour, Picture, Shape, TiledMap, TiledObject, TiledTile,
};

use crate::room::key;
use crate::tower::{Entity, Floor, Mobile, PLAIN_TILE, Tower};

/// Returns a picture of a floor: particles, on top of them mobiles, and the player if this is the
/// starting floor.
pub fn floor_picture(tower: &Tower, number: usize) -> Picture {
    let Some(floor) = tower.floors.get(number) else {
        return Picture {
            width: 0,
            height: 0,
            cells: Vec::new(),
            outlines: Vec::new(),
            sprites: Vec::new(),
        };
    };
    let free = Cell { glyph: '.', colour: Colour(7), shape: Shape::Floor };
    let of = |particle: &Option<Entity>| particle.as_ref().map_or(free, particle_cell);
    let mut cells: Vec<Cell> = floor.particles.iter().map(of).collect();
    for mobile in &floor.mobiles {
        if let Some(index) = floor.index(mobile.x.into(), mobile.y.into()) {
            cells[index] = mobile_cell(mobile);
        }
    }
    let player = tower.player.filter(|player| player.floor == number);
    if let Some(index) = player.and_then(|p| floor.index(p.x.into(), p.y.into())) {
        cells[index] = Cell { glyph: '@', colour: Colour(15), shape: Shape::Floor };
    }
    let (width, height) = (floor.width as usize, floor.height as usize);
    Picture { width, height, cells, outlines: Vec::new(), sprites: Vec::new() }
}

/// The look of particles: words, glyph, colour, shape. The first row with a word of the particle
/// counts.
const PARTICLES: [(&[&str], char, u8, Shape); 13] = [
    (&["water", "lake", "river", "pond"], '~', 1, Shape::Liquid),
    (&["lava"], '~', 4, Shape::Liquid),
    (&["tree"], 'T', 2, Shape::Tree),
    (&["bush", "hedge", "flowers", "garden"], '"', 10, Shape::Tree),
    (&["door"], '+', 6, Shape::Door),
    (&["chest", "treasure", "gold", "item"], '*', 14, Shape::Item),
    (&["painting", "picture", "tapestry"], '%', 13, Shape::Wall),
    (&["torch", "lamp", "candle"], '!', 14, Shape::Wall),
    (&["pillar", "column"], 'I', 15, Shape::Wall),
    (&["statue", "idol"], '8', 15, Shape::Other),
    (&["fountain", "well"], '{', 9, Shape::Other),
    (&["altar", "shrine"], '_', 11, Shape::Other),
    (&["fence", "window"], '=', 6, Shape::Wall),
];

fn particle_cell(particle: &Entity) -> Cell {
    let is = |words: &[&str]| particle.tags.iter().any(|tag| words.contains(&tag.as_str()));
    let known = PARTICLES.iter().find(|(words, ..)| is(words));
    let (glyph, colour, shape) = match known {
        Some(&(_, glyph, colour, shape)) => (glyph, colour, shape),
        None if is(&["wall"]) => ('#', if is(&["mossy"]) { 10 } else { 7 }, Shape::Wall),
        None => ('o', 11, Shape::Other),
    };
    Cell { glyph, colour: Colour(colour), shape }
}

/// Returns the cell for a mobile: the first letter of its kind, in a colour of its kind.
fn mobile_cell(mobile: &Mobile) -> Cell {
    let name = mobile.entity.tags.first().map_or("", String::as_str);
    let letter = name.chars().find(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase());
    let sum = name.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    // The bright colours except white, which is the player's.
    let colour = 9 + (sum % 6) as u8;
    Cell { glyph: letter.unwrap_or('m'), colour: Colour(colour), shape: Shape::Monster }
}

/// Returns a floor as a map for Tiled: tiles are lists of tags; there is a layer of floor tiles, a
/// layer of particles, and objects for mobiles and the player.
pub fn floor_for_tiled(tower: &Tower, number: usize) -> Option<TiledMap> {
    let floor = tower.floors.get(number)?;
    let plain = TiledTile {
        class: PLAIN_TILE.to_owned(),
        glyph: '.',
        colour: Colour(7),
        shape: Shape::Floor,
        solid: false,
        layers: Vec::new(),
    };
    let tile_of = |tile: &Option<Entity>| match tile {
        Some(tile) => TiledTile { class: tile.tags.join(" "), ..plain.clone() },
        None => plain.clone(),
    };
    let wall_of = |particle: &Entity| {
        let Cell { glyph, colour, shape } = particle_cell(particle);
        let class = particle.tags.join(" ");
        TiledTile { class, glyph, colour, shape, solid: true, layers: Vec::new() }
    };
    let under: Vec<TiledTile> = floor.tiles.iter().map(tile_of).collect();
    let walls: Vec<Option<TiledTile>> =
        floor.particles.iter().map(|particle| particle.as_ref().map(wall_of)).collect();
    let kinds: BTreeSet<&TiledTile> = under.iter().chain(walls.iter().flatten()).collect();
    let kinds: Vec<TiledTile> = kinds.into_iter().cloned().collect();
    let number_of = |tile: &TiledTile| kinds.binary_search(tile).map_or(0, |at| at + 1);
    let point = |x: u32, y: u32| Point::new(x as i32, y as i32);
    let mobiles = floor.mobiles.iter().map(|mobile| {
        let name = mobile.entity.tags.first().cloned().unwrap_or_default();
        let tags = ("tags", mobile.entity.tags.join(" "));
        let image = mobile.entity.image().map(|image| ("image", image.to_owned()));
        let properties = [tags, ("ai", mobile.ai.clone())].into_iter().chain(image);
        let properties = properties.map(|(name, text)| (name.to_owned(), text.into())).collect();
        let at = point(mobile.x, mobile.y);
        TiledObject { properties, ..TiledObject::on_cell(name, "mobile", at) }
    });
    let player = tower.player.filter(|player| player.floor == number);
    let player = player.map(|p| TiledObject::on_cell(String::new(), "player", point(p.x, p.y)));
    Some(TiledMap {
        width: floor.width as usize,
        height: floor.height as usize,
        properties: Attributes::from_iter([("floor".to_owned(), (number + 1).into())]),
        side: TiledMap::LETTER_SIDE,
        image: None,
        layers: vec![
            ("floor", under.iter().map(number_of).collect()),
            ("particles", walls.iter().map(|wall| wall.as_ref().map_or(0, number_of)).collect()),
        ],
        objects: vec![("mobiles", mobiles.collect()), ("player", player.into_iter().collect())],
        tiles: kinds,
    })
}

/// Returns the index of a floor as the original writes it to files: an assignment for each cell,
/// first particles, then mobiles (spec 09 §8.2).
pub fn floor_to_lua(floor: &Floor) -> String {
    let line = |table: &str, (x, y): (u32, u32), entity: &Entity| {
        let tags = entity.tags.join(" ");
        let tags = tags.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("{table}[\"{}\"] = \"{tags}\"\n", key(x.into(), y.into()))
    };
    let cells = (0..floor.width).flat_map(|x| (0..floor.height).map(move |y| (x, y)));
    let particles =
        cells.filter_map(|(x, y)| Some(line("cell", (x, y), floor.particle(x.into(), y.into())?)));
    let mobiles = floor.mobiles.iter().map(|m| line("mobs", (m.x, m.y), &m.entity));
    let cell = std::iter::once("cell = {}\n".to_owned()).chain(particles);
    cell.chain(std::iter::once("mobs = {}\n".to_owned())).chain(mobiles).collect()
}
