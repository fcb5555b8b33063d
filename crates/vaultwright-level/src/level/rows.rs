//! Reading and writing the cells of a row together.

use std::ops::Range;

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use super::Level;
use crate::zones::PASSING;

impl Level {
    /// Returns the runs of cells in rows for which `suits` is true, given the index of the cell.
    /// Each run has its first cell and its length.
    pub fn stretches(&self, suits: impl Fn(usize) -> bool) -> Vec<(Point, usize)> {
        let (cells, width) = (self.features.len(), self.size.width().max(1) as usize);
        let mut stretches = Vec::new();
        for start in (0..cells).step_by(width) {
            let (mut at, end) = (start, cells.min(start + width));
            while let Some(first) = (at..end).find(|&at| suits(at)) {
                at = (first..end).find(|&at| !suits(at)).unwrap_or(end);
                stretches.push((self.point_of(first), at - first));
            }
        }
        stretches
    }

    /// Returns whether any of this many cells of a row, starting with `from`, has one of the bits.
    pub fn row_has_mask(&self, from: Point, cells: usize, bits: i64) -> bool {
        let masks = &self.masks[self.cells_of_row(from, cells)];
        masks.iter().fold(0, |all, mask| all | mask) & bits != 0
    }

    /// Returns whether any cell has one of the bits.
    pub fn has_mask(&self, bits: i64) -> bool {
        self.masks.iter().fold(0, |all, mask| all | mask) & bits != 0
    }

    /// Sets the feature of this many cells of a row, starting with `from`. Cells outside the level
    /// are ignored.
    pub fn set_features(&mut self, from: Point, cells: usize, feature: FeatureId) {
        let cells = self.cells_of_row(from, cells);
        self.unwritten = None;
        self.features[cells.clone()].fill(feature);
        self.note_feature(from.y, cells.clone(), feature);
        self.causes.write_all(cells);
    }

    /// Writes these features to the cells of a row, starting with `from`. Cells outside the level
    /// are ignored.
    pub fn set_row(&mut self, from: Point, features: &[FeatureId]) {
        let cells = self.cells_of_row(from, features.len());
        let Some(features) = features.get(from.x.min(0).unsigned_abs() as usize..) else { return };
        let features = &features[..cells.len()];
        self.unwritten = None;
        self.features[cells.clone()].copy_from_slice(features);
        self.passable.note(cells.clone(), &self.features, &self.masks);
        if let Some(had) = self.had.get_mut(from.y as usize) {
            let mut last = None;
            for &feature in features {
                if last != Some(feature) {
                    had.insert(feature);
                    last = Some(feature);
                }
            }
        }
        self.causes.write_all(cells);
    }

    /// Removes some mask bits and the properties from this many cells of a row, starting with
    /// `from`.
    pub fn bare(&mut self, from: Point, cells: usize, masks: i64) {
        let on_level = self.cells_of_row(from, cells);
        if !self.properties.is_empty() {
            self.properties[on_level].fill(0);
        }
        self.change_masks(from, cells, 0, masks);
    }

    /// Sets and clears mask bits of this many cells of a row, starting with `from`. Cells outside
    /// the level are ignored.
    pub fn change_masks(&mut self, from: Point, cells: usize, set: i64, clear: i64) {
        self.unwritten = None;
        if set | clear == 0 {
            return;
        }
        let cells = self.cells_of_row(from, cells);
        self.masks[cells.clone()].iter_mut().for_each(|mask| *mask = (*mask | set) & !clear);
        if (set | clear) & PASSING != 0 {
            self.passable.note(cells, &self.features, &self.masks);
        }
    }

    /// Returns the indices of the cells that are on the level, among this many cells of a row.
    pub(super) fn cells_of_row(&self, from: Point, cells: usize) -> Range<usize> {
        if !(0..self.size.height()).contains(&from.y) {
            return 0..0;
        }
        let row = from.y as usize * self.size.width() as usize;
        let column = |x: i64| row + x.clamp(0, i64::from(self.size.width())) as usize;
        column(i64::from(from.x))..column(i64::from(from.x) + cells as i64)
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::CellTiles;

    use super::*;
    use crate::cause::Cause;
    use crate::mask;

    #[test]
    fn cells_of_a_row_are_written_together_as_they_are_one_by_one() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let floor = content.features().floor();
        let worn = |at: Point| {
            let mut level = Level::solid(&content);
            for p in level.points().collect::<Vec<_>>() {
                level.change_properties(p, 5, 0);
                level.change_mask(p, mask::MIMIC | mask::NO_ITEM, 0);
            }
            for x in -3..8 {
                level.colours.insert(at.offset((x, 0)), "red".to_owned());
                level.tiles.insert(at.offset((0, x)), CellTiles::default());
            }
            level
        };
        for (x, y, cells) in
            [(3, 4, 5), (-2, 0, 6), (77, 69, 9), (90, 3, 2), (5, -1, 4), (5, 70, 4)]
        {
            let from = Point::new(x, y);
            let (mut together, mut alone) = (worn(from), worn(from));
            together.begin(Cause::Step("a step"));
            alone.begin(Cause::Step("a step"));
            let row = from.x..from.x + cells as i32;
            together.strip_where(|_, p| p.y == from.y && row.contains(&p.x));
            together.bare(from, cells, mask::MIMIC);
            together.set_features(from, cells, floor);
            let mut listed = together.clone();
            let kinds: Vec<FeatureId> = (0..cells).map(|cell| FeatureId(cell as u16 / 2)).collect();
            listed.set_row(from, &kinds);
            listed.change_masks(from, cells, mask::VAULT, mask::NO_ITEM);
            let mut marked = together.clone();
            for (step, &kind) in kinds.iter().enumerate() {
                let p = from.offset((step as i32, 0));
                together.set_feature(p, kind);
                marked.change_mask(p, mask::VAULT, mask::NO_ITEM);
            }
            assert_eq!(listed.masks(), marked.masks());
            assert_eq!(listed.features(), together.features());
            assert_eq!(listed.had, together.had);
            together.set_features(from, cells, floor);
            for p in (0..cells as i32).map(|step| from.offset((step, 0))) {
                alone.strip(p);
                alone.change_properties(p, 0, !0);
                alone.change_mask(p, 0, mask::MIMIC);
                alone.set_feature(p, floor);
            }
            assert_eq!(together.features(), alone.features());
            assert_eq!(together.property_bits(), alone.property_bits());
            assert_eq!(together.masks(), alone.masks());
            assert_eq!((&together.colours, &together.tiles), (&alone.colours, &alone.tiles));
            assert!(together.points().all(|p| together.cause(p) == alone.cause(p)));
        }
    }

    #[test]
    fn what_holds_of_cells_is_told_in_stretches_of_rows() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let floor = content.features().floor();
        let mut level = Level::solid(&content);
        let drawn = [(Point::new(78, 3), 2), (Point::new(0, 4), 1), (Point::new(5, 4), 3)];
        drawn.iter().for_each(|&(first, cells)| level.set_features(first, cells, floor));
        assert_eq!(level.stretches(|at| level.features()[at] == floor), drawn);
        level.change_mask(Point::new(6, 4), mask::VAULT, 0);
        let has_mask = |x| level.row_has_mask(Point::new(x, 4), 3, mask::VAULT);
        assert_eq!([3, 4, 6, 7].map(has_mask), [false, true, true, false]);
        assert!(!level.row_has_mask(Point::new(5, -1), 9, mask::VAULT));
        assert!(level.has_mask(mask::VAULT | mask::MIMIC) && !level.has_mask(mask::MIMIC));
    }
}
