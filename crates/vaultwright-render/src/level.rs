//! Pictures and JSON of whole levels.

use serde_json::{Value, json};
use vaultwright_content::Content;
use vaultwright_level::{Level, MarkerKind};
use vaultwright_map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};

use crate::picture::feature_cell;
use crate::{Cell, Colour, Picture, Shape};

/// A picture of a level: features, on them items, on them monsters.
pub fn level_picture(level: &Level, content: &Content) -> Picture {
    let features = content.features();
    let themed = [
        (features.floor(), level.floor_colour.as_deref()),
        (features.rock_wall(), level.rock_colour.as_deref()),
    ];
    let cells = level.points().map(|p| {
        let Some(feature) = level.feature(p) else { return Cell::OUTSIDE };
        let mut cell = feature_cell(feature, content);
        for (of, colour) in themed {
            if let Some(colour) = colour.filter(|_| of == feature) {
                cell.colour = Colour::of(colour);
            }
        }
        if let Some(colour) = level.colours.get(&p) {
            cell.colour = Colour::of(colour);
        }
        if level.items.contains_key(&p) {
            cell = Cell { glyph: '*', colour: Colour(14), shape: Shape::Item };
        }
        if let Some(monster) = level.monsters.get(&p) {
            let kind = monster.kind.map(|id| content.monsters().get(id));
            let glyph = kind.and_then(|kind| kind.glyph.chars().next()).unwrap_or('&');
            let colour = kind.map_or(Colour(12), |kind| Colour::of(&kind.colour));
            cell = Cell { glyph, colour, shape: Shape::Monster };
        }
        cell
    });
    let cells = cells.collect();
    Picture { width: LEVEL_WIDTH as usize, height: LEVEL_HEIGHT as usize, cells }
}

/// A level as JSON: the rows of features by name, vaults, monsters, items and markers
/// (`docs/level.schema.json`).
pub fn level_to_json(level: &Level, content: &Content) -> Value {
    let features = content.features();
    let rows: Vec<Vec<&str>> = level
        .features()
        .chunks(LEVEL_WIDTH as usize)
        .map(|row| row.iter().map(|&id| features.get(id).name.as_str()).collect())
        .collect();
    let vaults: Vec<Value> = level
        .vaults
        .iter()
        .map(|vault| {
            json!({
                "name": vault.map.name,
                "x": vault.at.x,
                "y": vault.at.y,
                "width": vault.size.0,
                "height": vault.size.1,
                "orient": vault.orient.map_or("", |orient| orient.name()),
                "subvaults": vault.map.subvaults.iter().map(|s| &s.map.name).collect::<Vec<_>>(),
                "exits": vault.exits.iter().map(|exit| [exit.x, exit.y]).collect::<Vec<_>>(),
            })
        })
        .collect();
    let monsters: Vec<Value> = level
        .monsters
        .iter()
        .map(|(p, monster)| {
            json!({
                "x": p.x,
                "y": p.y,
                "kind": monster.kind.map(|id| content.monsters().get(id).name.clone()),
                "name": monster.name,
                "spec": monster.spec,
                "origin": monster.origin,
                "awake": monster.awake,
                "patrolling": monster.patrolling,
            })
        })
        .collect();
    let items: Vec<Value> = level
        .items
        .iter()
        .flat_map(|(p, items)| items.iter().map(|i| json!({"x": p.x, "y": p.y, "spec": i.spec})))
        .collect();
    let markers: Vec<Value> = level
        .markers
        .iter()
        .map(|marker| {
            let kind = match marker.kind {
                MarkerKind::Feature(_) => "feature",
                MarkerKind::Lua(_) => "lua",
                MarkerKind::Properties(_) => "properties",
                MarkerKind::Position { .. } => "position",
                MarkerKind::Terrain(_) => "terrain",
            };
            json!({ "x": marker.at.x, "y": marker.at.y, "kind": kind })
        })
        .collect();
    json!({
        "width": LEVEL_WIDTH,
        "height": LEVEL_HEIGHT,
        "floor_colour": level.floor_colour,
        "rock_colour": level.rock_colour,
        "features": rows,
        "vaults": vaults,
        "monsters": monsters,
        "items": items,
        "markers": markers,
    })
}
