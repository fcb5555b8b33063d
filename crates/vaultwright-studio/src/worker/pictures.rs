//! Pictures as tables of symbols.

use std::collections::HashMap;

use serde_json::Value;
use vaultwright::content::Content;
use vaultwright::level::Level;
use vaultwright::render::{Cell, level_picture};

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
    known: HashMap<(Cell, String), usize>,
    pub rows: Vec<Value>,
}

impl Table {
    pub fn index(&mut self, cell: Cell, name: &str) -> usize {
        let Table { known, rows } = self;
        *known.entry((cell, name.to_owned())).or_insert_with(|| {
            rows.push(symbol(&cell, name));
            rows.len() - 1
        })
    }
}

/// A level with what stands on it.
pub fn level_symbols(level: &Level, content: &Content) -> (Symbols, Vec<Value>) {
    let picture = level_picture(level, content);
    let mut table = Table::default();
    let cells = level.points().zip(&picture.cells).map(|(p, cell)| {
        let feature = level.feature(p).map_or("", |id| content.features().get(id).name.as_str());
        let monster = level.monsters.get(&p).map(|monster| {
            let kind = monster.kind.map(|id| content.monsters().get(id).name.as_str());
            kind.unwrap_or(if monster.spec.is_empty() { "a monster" } else { &monster.spec })
        });
        let item = level.items.get(&p).and_then(|items| items.first());
        let item = item.map(|item| item.spec.as_str());
        match monster.or(item) {
            Some(occupant) => table.index(*cell, &format!("{occupant} on {feature}")),
            None => table.index(*cell, feature),
        }
    });
    let cells = cells.collect();
    (Symbols { width: picture.width, height: picture.height, cells }, table.rows)
}
