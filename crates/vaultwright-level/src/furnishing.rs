//! What a cell looks like, and what is sold there.

use std::collections::BTreeMap;
use std::sync::Arc;

use vaultwright_map::Point;

use crate::level::Level;

impl Level {
    /// Takes from a cell what it looks like and what is sold there.
    #[inline]
    pub fn strip(&mut self, p: Point) {
        if !self.colours.is_empty() {
            self.colours.remove(&p);
        }
        if !self.tiles.is_empty() {
            self.tiles.remove(&p);
        }
        if !self.shops.is_empty() {
            self.shops.remove(&p);
        }
    }

    /// Takes it from so many cells of a row, from one to the right.
    pub(crate) fn strip_row(&mut self, from: Point, cells: usize) {
        clear_row(&mut self.colours, from, cells);
        clear_row(&mut self.tiles, from, cells);
        clear_row(&mut self.shops, from, cells);
    }

    /// Gives a cell what a cell of `other` looks like, and what is sold there.
    pub fn furnish_as(&mut self, p: Point, other: &Level, from: Point) {
        if let Some(colour) = other.colours.get(&from) {
            self.colours.insert(p, colour.clone());
        }
        if let Some(tiles) = other.tiles.get(&from) {
            self.tiles.insert(p, tiles.clone());
        }
        if let Some(shop) = other.shops.get(&from) {
            self.shops.insert(p, Arc::clone(shop));
        }
    }

    /// Moves what a cell looks like, and what is sold there, to another cell.
    pub fn move_furnishing(&mut self, from: Point, to: Point) {
        if let Some(colour) = self.colours.remove(&from) {
            self.colours.insert(to, colour);
        }
        if let Some(tiles) = self.tiles.remove(&from) {
            self.tiles.insert(to, tiles);
        }
        if let Some(shop) = self.shops.remove(&from) {
            self.shops.insert(to, shop);
        }
    }
}

/// Removes what so many cells of a row have, from one to the right.
fn clear_row<T>(of_cells: &mut BTreeMap<Point, T>, from: Point, cells: usize) {
    let row = from.x..from.x + cells as i32;
    if of_cells.len() > cells {
        row.for_each(|x| _ = of_cells.remove(&Point::new(x, from.y)));
        return;
    }
    // Mostly they are few, and elsewhere.
    let is_there = |p: &Point| p.y == from.y && row.contains(&p.x);
    if of_cells.keys().any(is_there) {
        of_cells.retain(|p, _| !is_there(p));
    }
}
