//! Pictures and JSON of towers.

use serde_json::{Value, json};
use vaultwright_render::{Cell, Colour, Picture, Shape};

use crate::tower::{Entity, Floor, Tower};

/// A picture of a floor: particles, on them mobiles, and the player if he begins there.
pub fn floor_picture(tower: &Tower, number: usize) -> Picture {
    let Some(floor) = tower.floors.get(number) else {
        return Picture { width: 0, height: 0, cells: Vec::new() };
    };
    let mut cells: Vec<Cell> = floor.particles.iter().map(particle_cell).collect();
    for mobile in &floor.mobiles {
        if let Some(index) = floor.index(mobile.x.into(), mobile.y.into()) {
            cells[index] = Cell { glyph: 'm', colour: Colour(12), shape: Shape::Monster };
        }
    }
    let player = tower.player.filter(|player| player.floor == number);
    if let Some(index) = player.and_then(|p| floor.index(p.x.into(), p.y.into())) {
        cells[index] = Cell { glyph: '@', colour: Colour(15), shape: Shape::Floor };
    }
    Picture { width: floor.width as usize, height: floor.height as usize, cells }
}

fn particle_cell(particle: &Option<Entity>) -> Cell {
    let Some(particle) = particle else {
        return Cell { glyph: '.', colour: Colour(7), shape: Shape::Floor };
    };
    let is = |words: &[&str]| particle.tags.iter().any(|tag| words.contains(&tag.as_str()));
    let (glyph, colour, shape) = match () {
        () if is(&["water", "lake", "river"]) => ('~', 1, Shape::Liquid),
        () if is(&["lava"]) => ('~', 4, Shape::Liquid),
        () if is(&["tree", "bush"]) => ('T', 2, Shape::Tree),
        () if is(&["door"]) => ('+', 6, Shape::Door),
        () if is(&["chest", "treasure", "gold", "item"]) => ('*', 14, Shape::Item),
        () if is(&["wall"]) => ('#', if is(&["mossy"]) { 10 } else { 7 }, Shape::Wall),
        () => ('o', 11, Shape::Other),
    };
    Cell { glyph, colour: Colour(colour), shape }
}

/// A tower as JSON: every floor with its particles, mobiles and chosen tiles, x to the right, y down, from 0.
pub fn tower_to_json(tower: &Tower) -> Value {
    let floors: Vec<Value> = tower.floors.iter().map(floor_json).collect();
    let player = tower.player.map(|p| json!({ "floor": p.floor, "x": p.x, "y": p.y }));
    json!({ "floors": floors, "player": player })
}

fn floor_json(floor: &Floor) -> Value {
    let placed = |list: &[Option<Entity>]| -> Vec<Value> {
        let entities = list.iter().enumerate().filter_map(|(i, e)| Some((i, e.as_ref()?)));
        let place = |index: usize| (index as u32 % floor.width, index as u32 / floor.width);
        entities.map(|(index, entity)| entity_json(entity, place(index))).collect()
    };
    let mobiles: Vec<Value> = floor
        .mobiles
        .iter()
        .map(|mobile| {
            let mut value = entity_json(&mobile.entity, (mobile.x, mobile.y));
            value["ai"] = json!(mobile.ai);
            value
        })
        .collect();
    json!({
        "width": floor.width,
        "height": floor.height,
        "particles": placed(&floor.particles),
        "tiles": placed(&floor.tiles),
        "mobiles": mobiles,
    })
}

fn entity_json(entity: &Entity, (x, y): (u32, u32)) -> Value {
    let Entity { tags, sounds, fonts, image, sound, font } = entity;
    let mut value = json!({ "x": x, "y": y, "tags": tags, "sounds": sounds, "fonts": fonts });
    for (key, resource) in [("image", image), ("sound", sound), ("font", font)] {
        if let Some(path) = resource {
            value[key] = json!(path);
        }
    }
    value
}
