//! Looks of cells, which are removed when the cell changes after it received them (spec 04 §8.7,
//! §18).

use std::collections::BTreeMap;

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use super::Level;

/// What was on cells when they were written, stored until the level is finished.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// What vaults have written, by cell; empty until a vault has written something.
    by_vaults: Vec<Option<FeatureId>>,
    /// The feature of each cell when a map gave it a colour.
    coloured: BTreeMap<Point, FeatureId>,
}

impl Level {
    /// Records that a vault has written this many cells of a row, starting with `from` and going
    /// right.
    pub fn note_written(&mut self, from: Point, cells: usize) {
        let cells = self.cells_of_row(from, cells);
        let written = &mut self.written.by_vaults;
        written.resize(self.features.len(), None);
        for (written, &feature) in written[cells.clone()].iter_mut().zip(&self.features[cells]) {
            *written = Some(feature);
        }
    }

    /// Returns what a vault has written on a cell, whatever is there now.
    pub fn written(&self, p: Point) -> Option<FeatureId> {
        self.cell_of(p).and_then(|at| *self.written.by_vaults.get(at)?)
    }

    /// Gives a cell a colour that belongs to its current feature.
    pub fn colour_feature(&mut self, p: Point, colour: String) {
        self.colours.insert(p, colour);
        if let Some(feature) = self.feature(p) {
            self.written.coloured.insert(p, feature);
        }
    }

    /// Removes colours and feature tiles from vault cells whose feature is no longer what the vault
    /// has written.
    pub fn drop_looks_of_changed_cells(&mut self) {
        let written = std::mem::take(&mut self.written).by_vaults;
        let features = &self.features;
        let width = self.size.width();
        let is_changed = |p: &Point| {
            let at = (p.y * width + p.x) as usize;
            written.get(at).is_some_and(|written| written.is_some_and(|id| id != features[at]))
        };
        self.colours.retain(|p, _| !is_changed(p));
        self.tiles.retain(|p, tiles| {
            if is_changed(p) {
                tiles.feature = None;
            }
            *tiles != Default::default()
        });
    }

    /// Removes colours from cells whose feature has changed since they were coloured, unless it was
    /// floor then. This is the rule where it is not recorded what vaults have written.
    pub fn drop_colours_of_changed_cells(&mut self, floor: FeatureId) {
        for (p, then) in std::mem::take(&mut self.written).coloured {
            if then != floor && self.feature(p) != Some(then) {
                self.colours.remove(&p);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::CellTiles;

    use super::*;

    #[test]
    fn changed_cells_lose_the_looks_of_what_was_written() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let features = content.features();
        let (rock, floor) = (features.rock_wall(), features.floor());
        let mut fresh = Level::solid(&content);
        let cells = [3, 4, 5].map(|x| Point::new(x, 9));
        fresh.note_written(cells[0], 2);
        for &p in &cells {
            fresh.colour_feature(p, "red".to_owned());
            let tile = Some("tile".into());
            fresh.tiles.insert(p, CellTiles { feature: tile, ..CellTiles::default() });
        }
        assert_eq!(cells.map(|p| fresh.written(p)), [Some(rock), Some(rock), None]);
        // The second has changed back; the third was not part of a vault.
        for p in cells {
            fresh.set_feature(p, floor);
        }
        fresh.set_feature(cells[1], rock);
        let mut level = fresh.clone();
        level.drop_looks_of_changed_cells();
        assert!(level.colours.keys().eq(&cells[1..]) && level.tiles.keys().eq(&cells[1..]));
        let mut level = fresh;
        level.drop_colours_of_changed_cells(floor);
        assert!(level.colours.keys().eq(&cells[1..2]) && level.tiles.len() == 3);
    }
}
