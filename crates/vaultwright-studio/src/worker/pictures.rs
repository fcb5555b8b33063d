//! Pictures as tables of symbols.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use vaultwright::content::Content;
use vaultwright::level::Level;
use vaultwright::render::{Cell, Sprite, TileSet, level_picture};

use super::colours::symbol;

/// A picture as indices into a table.
pub struct Symbols {
    pub width: usize,
    pub height: usize,
    pub cells: Vec<usize>,
}

/// The symbols of pictures, each once.
#[derive(Default)]
pub struct Table {
    known: HashMap<(Cell, String, Option<*const Sprite>), usize>,
    pub rows: Vec<Value>,
}

impl Table {
    pub fn index(&mut self, cell: Cell, name: &str) -> usize {
        self.index_of_tile(cell, name, None)
    }

    /// Returns the same where the game's own tile is known, which the picture keeps meanwhile.
    pub fn index_of_tile(&mut self, cell: Cell, name: &str, tile: Option<&Arc<Sprite>>) -> usize {
        let Table { known, rows } = self;
        *known.entry((cell, name.to_owned(), tile.map(Arc::as_ptr))).or_insert_with(|| {
            let mut row = symbol(&cell, name);
            if let Some(tile) = tile {
                row["tile"] = STANDARD.encode(tile.to_png()).into();
            }
            rows.push(row);
            rows.len() - 1
        })
    }
}

/// Returns a level of a branch with what stands on it.
pub fn level_symbols(
    level: &Level,
    branch: &str,
    content: &Content,
    tiles: Option<&TileSet>,
) -> (Symbols, Vec<Value>) {
    let mut picture = level_picture(level, content);
    if let Some(tiles) = tiles {
        picture = picture.in_tiles(tiles, level, branch, content);
    }
    let mut table = Table::default();
    let cells = level.points().zip(&picture.cells).map(|(p, cell)| {
        let tile = picture.sprites.get(level.index_of(p)).and_then(Option::as_ref);
        let feature = level.feature(p).map_or("", |id| content.features().get(id).name.as_str());
        let monster = level.monsters.get(&p).map(|monster| {
            let kind = monster.kind.map(|id| content.monsters().get(id).name.as_str());
            kind.unwrap_or(if monster.spec.is_empty() { "a monster" } else { &monster.spec })
        });
        let item = level.items.get(&p).and_then(|items| items.first());
        let item = item.map(|item| item.spec.as_str());
        match monster.or(item) {
            Some(occupant) => table.index_of_tile(*cell, &format!("{occupant} on {feature}"), tile),
            None => table.index_of_tile(*cell, feature, tile),
        }
    });
    let cells = cells.collect();
    (Symbols { width: picture.width, height: picture.height, cells }, table.rows)
}
