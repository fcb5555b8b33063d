//! Looks that cells lose when something else stands there than what got them (spec 04 §8.7, §18).

use std::collections::BTreeMap;

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use super::Level;

/// What stood on cells when they were written, until the level is finished.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// What vaults have written, by cell; empty as long as none has.
    by_vaults: Vec<Option<FeatureId>>,
    /// What stood where a map has given a colour.
    coloured: BTreeMap<Point, FeatureId>,
}

impl Level {
    /// Notes that a vault has written so many cells of a row, from one to the right.
    pub fn note_written(&mut self, from: Point, cells: usize) {
        let cells = self.cells_of_row(from, cells);
        let written = &mut self.written.by_vaults;
        written.resize(self.features.len(), None);
        for (written, &feature) in written[cells.clone()].iter_mut().zip(&self.features[cells]) {
            *written = Some(feature);
        }
    }

    /// Returns what a vault has written on a cell, whatever stands there now.
    pub fn written(&self, p: Point) -> Option<FeatureId> {
        self.cell_of(p).and_then(|at| *self.written.by_vaults.get(at)?)
    }

    /// Gives a cell a colour that belongs to what stands there now.
    pub fn colour_feature(&mut self, p: Point, colour: String) {
        self.colours.insert(p, colour);
        if let Some(feature) = self.feature(p) {
            self.written.coloured.insert(p, feature);
        }
    }

    /// Takes their colours and the tiles of their features from cells of vaults on which something
    /// else stands now than the vault has written.
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

    /// Takes their colours from cells that were coloured as something else than floor, and as what
    /// does not stand there any more: so it is where what vaults have written is not kept.
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
        // The second is what it was again, the third was no vault's.
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
