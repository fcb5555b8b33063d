//! The looks of a cell, and its shop.

use std::sync::Arc;

use vaultwright_map::Point;

use crate::level::Level;

impl Level {
    /// Removes the looks and the shop of a cell.
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

    /// Removes them from all cells for which `holds` is true. It is only called for cells that have
    /// any.
    pub fn strip_where(&mut self, holds: impl Fn(&Level, Point) -> bool) {
        let furnished = self.colours.keys().chain(self.tiles.keys()).chain(self.shops.keys());
        let stripped: Vec<Point> = furnished.copied().filter(|&p| holds(self, p)).collect();
        stripped.into_iter().for_each(|p| self.strip(p));
    }

    /// Gives a cell the looks and the shop of a cell of `other`.
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

    /// Moves the looks and the shop of a cell to another cell.
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
