//! The wall: many rolls of a map.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vaultwright::map::{Point, SUBVAULT_GLYPH};
use vaultwright::render::{Picture, TileSet, legend};
use vaultwright::{Engine, Resolved};

use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::pictures::Table;
use super::{cell, params};

/// How many rolls one request may ask for.
pub const MAX_ROLLS: u64 = 96;

/// Rolls that have not begun by then are left out, so that the others are seen.
const PATIENCE: Duration = Duration::from_secs(7);

pub fn rolls(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let first = params::seed(params)?;
    let count = params::count(params, "count", 24, MAX_ROLLS)?;
    let folder = pack.opener().folder().to_owned();
    let tiles = pack.tiles();
    let (engine, index) = pack.with_map(params, Need::File)?;
    let began = Instant::now();
    let mut rolls = Vec::new();
    for seed in first..first.saturating_add(count) {
        if began.elapsed() > PATIENCE {
            let message = "left out: the rolls before it took too long";
            rolls.push(json!({ "seed": seed, "error": { "message": message } }));
            continue;
        }
        rolls.push(match engine.resolve_with_lines(index, seed) {
            Ok(resolved) => roll(engine, seed, &resolved, tiles.as_deref()),
            Err(error) => {
                json!({ "seed": seed, "error": Fault::of_roll(&error).to_json(&folder) })
            }
        });
    }
    let messages = engine.take_placed_messages();
    Ok(json!({ "rolls": rolls, "messages": messages }))
}

/// Returns a roll as pages draw it.
fn roll(engine: &Engine, seed: u64, resolved: &Resolved, tiles: Option<&TileSet>) -> Value {
    let (content, map, lines) = (engine.content(), &resolved.map, resolved.lines.as_ref());
    let mut picture = Picture::of(map, content);
    if let Some(tiles) = tiles {
        picture = picture.of_map_in_tiles(tiles, map, content);
    }
    let names: HashMap<u8, String> = legend(map, content)
        .into_iter()
        .map(|entry| (entry.glyph, cell::in_words(&entry.outcomes)))
        .collect();
    let mut table = Table::default();
    let mut symbols = Vec::with_capacity(picture.cells.len());
    for (index, look) in picture.cells.iter().enumerate() {
        let p = Point::new(
            (index % picture.width.max(1)) as i32,
            (index / picture.width.max(1)) as i32,
        );
        let name = match map.grid.glyph(p) {
            SUBVAULT_GLYPH => cell::private_name(map, p),
            glyph => names.get(&glyph).cloned().unwrap_or_default(),
        };
        let tile = picture.sprites.get(index).and_then(Option::as_ref);
        symbols.push(table.index_of_tile(*look, &name, tile));
    }
    let rows: Vec<String> =
        picture.rows().map(|row| row.iter().map(|cell| cell.glyph).collect()).collect();
    let mut value = json!({
        "seed": seed,
        "width": picture.width,
        "height": picture.height,
        "rows": rows,
        "symbols": symbols,
        "table": table.rows,
    });
    if let Some(lines) = lines {
        let indices = lines.indices().iter();
        let indices: Vec<Value> =
            indices.map(|&index| if index == 0 { Value::Null } else { index.into() }).collect();
        let from_zero = |list: &Vec<u32>| list.iter().map(|line| line.saturating_sub(1)).collect();
        let lists: Vec<Vec<u32>> = lines.lists().iter().map(from_zero).collect();
        value["lines"] = indices.into();
        value["lineTable"] = json!(lists);
    }
    value
}
