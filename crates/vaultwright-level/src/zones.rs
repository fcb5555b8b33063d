//! Connected parts of a level (spec 04 §10.3).

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use vaultwright_content::{Content, FeatureId, FeatureSet};
use vaultwright_map::{Point, Zones};

use crate::level::Level;
use crate::mask;

/// Returns whether connectivity counts may pass a cell.
pub fn is_passable(level: &Level, content: &Content, p: Point) -> bool {
    let feature = level.feature(p);
    feature.is_some_and(|id| may_pass(content.travelable(), id, level.mask(p)))
}

/// Returns whether connectivity counts may pass a cell with a feature and a mask.
fn may_pass(travelable: &FeatureSet, feature: FeatureId, mask: i64) -> bool {
    // A mimic counts as the floor that it will leave.
    let open = travelable.contains(feature) | (mask & mask::MIMIC != 0);
    (mask & mask::PASSABLE != 0) | (mask & mask::OPAQUE == 0) & open
}

/// Returns whether the feature of a cell is a mimic.
pub fn is_mimic(level: &Level, p: Point) -> bool {
    level.mask(p) & mask::MIMIC != 0
}

/// Returns whether a traveller may walk over a feature, according to [`Content::travelable`].
pub fn is_travelable(content: &Content, id: FeatureId) -> bool {
    content.travelable().contains(id)
}

/// Returns the zones of the cells that `passable` accepts. It is called once for each cell.
pub fn zones_of(level: &Level, passable: impl Fn(Point) -> bool) -> Arc<Zones> {
    level.zones(&level.points().map(passable).collect::<Vec<bool>>())
}

/// Returns the zones used for connectivity counts: those of [`passable_cells`].
pub fn passable_zones(level: &Level, content: &Content) -> Arc<Zones> {
    level.zones(passable_cells(level, content))
}

/// Returns the zones that a teleport can end in: cells that a traveller can walk over, except
/// protected ones. If a whole vault is protected, so are its walls and doors (spec 08 §8.4).
pub fn teleport_zones(level: &Level, content: &Content) -> Arc<Zones> {
    let names = ["no_tele_into", "no_rtele_into"];
    let bits = names.iter().filter_map(|name| content.names().properties.get(name));
    let no_tele = bits.fold(0, |bits, bit| bits | bit);
    zones_of(level, |p| {
        let Some(id) = level.feature(p) else { return false };
        let protected = level.properties(p) & no_tele != 0;
        let kept_out = level.vault_at(p).is_some_and(|vault| vault.map.has_tag("no_tele_into"));
        let solid = content.features().get(id).flags.solid();
        let open = is_travelable(content, id) || is_mimic(level, p);
        open && (!protected || (solid && !kept_out))
    })
}

/// Returns for each cell, row by row, whether `suits` accepts its feature. It is called once for
/// each feature that the level may have.
pub fn cells_of_features(
    level: &Level,
    content: &Content,
    suits: impl Fn(FeatureId) -> bool,
) -> Vec<bool> {
    let suits = level.features_where(content.features(), suits);
    level.features().iter().map(|&id| suits.contains(id)).collect()
}

/// Returns for each cell, row by row, whether [`is_passable`] holds. The level caches the result,
/// so always pass the same content.
pub fn passable_cells<'a>(level: &'a Level, content: &Content) -> &'a [bool] {
    let known = level.passable.0.get_or_init(|| Passable {
        cells: find_passable_cells(level, content),
        travelable: content.travelable().clone(),
    });
    &known.cells
}

fn find_passable_cells(level: &Level, content: &Content) -> Vec<bool> {
    let travelable = content.travelable();
    let mut cells: Vec<bool> = level.features().iter().map(|&id| travelable.contains(id)).collect();
    for part in parts_with(level, PASSING) {
        let kinds = level.features()[part.clone()].iter().zip(&level.masks()[part.clone()]);
        for (cell, (&feature, &mask)) in cells[part].iter_mut().zip(kinds) {
            *cell = may_pass(travelable, feature, mask);
        }
    }
    cells
}

/// Returns for each cell, row by row, whether a traveller can walk there: over its feature,
/// according to [`is_travelable`], or over the floor that a mimic will leave.
pub fn travelable_cells(level: &Level, content: &Content) -> Vec<bool> {
    let mut cells = passable_cells(level, content).to_vec();
    let travelable = content.travelable();
    // In all other parts the masks change nothing.
    for part in parts_with(level, mask::PASSABLE | mask::OPAQUE) {
        let kinds = level.features()[part.clone()].iter().zip(&level.masks()[part.clone()]);
        for (cell, (&feature, mask)) in cells[part].iter_mut().zip(kinds) {
            *cell = travelable.contains(feature) | (mask & mask::MIMIC != 0);
        }
    }
    cells
}

/// Returns the parts of a level's cells, row by row, in which any cell has one of the masks. Most
/// parts have none.
fn parts_with(level: &Level, masks: i64) -> impl Iterator<Item = Range<usize>> {
    level.masks().chunks(PLAIN).zip((0..).step_by(PLAIN)).filter_map(move |(own, start)| {
        let all = own.iter().fold(0, |all, mask| all | mask);
        (all & masks != 0).then(|| start..start + own.len())
    })
}

/// How many cells are checked at once.
const PLAIN: usize = 64;

/// The masks that, together with the feature, decide whether connectivity counts may pass a cell.
pub(crate) const PASSING: i64 = mask::PASSABLE | mask::OPAQUE | mask::MIMIC;

/// The cached result of where connectivity counts may pass, from the first query on.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassableMemory(OnceLock<Passable>);

#[derive(Clone, Debug)]
struct Passable {
    cells: Vec<bool>,
    travelable: FeatureSet,
}

impl PassableMemory {
    /// Updates cells whose features or masks may have changed, given all of the level's.
    #[inline]
    pub(crate) fn note(&mut self, changed: Range<usize>, features: &[FeatureId], masks: &[i64]) {
        if let Some(Passable { cells, travelable }) = self.0.get_mut() {
            for at in changed {
                cells[at] = may_pass(travelable, features[at], masks[at]);
            }
        }
    }
}

/// The zones computed last for a level. Copies of a level share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZoneMemory(Arc<Mutex<Vec<Remembered>>>);

#[derive(Debug)]
struct Remembered {
    cells: Vec<bool>,
    zones: Arc<Zones>,
}

impl ZoneMemory {
    /// Walkers, those whom traps do not stop, and fliers.
    const MAX_KEPT: usize = 3;

    /// Returns the zones of cells, in rows of this width.
    pub(crate) fn of(&self, width: i32, cells: &[bool]) -> Arc<Zones> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.iter().position(|zones| zones.cells == cells) {
            Some(at) => known[..=at].rotate_right(1),
            None => {
                known.truncate(Self::MAX_KEPT - 1);
                let zones = Arc::new(Zones::of(width, cells));
                known.insert(0, Remembered { cells: cells.to_vec(), zones });
            }
        }
        Arc::clone(&known[0].zones)
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    #[test]
    fn a_teleport_may_end_beyond_a_mimic() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let mut level = Level::solid(&content);
        let [left, gap, right] = [20, 21, 22].map(|x| Point::new(x, 20));
        level.set_feature(left, content.features().floor());
        level.set_feature(right, content.features().floor());
        let statue = content.features().by_name("granite_statue").expect("a statue");
        level.set_feature(gap, statue);
        assert_eq!(teleport_zones(&level, &content).count(), 2);
        level.change_mask(gap, mask::MIMIC, 0);
        assert_eq!(teleport_zones(&level, &content).count(), 1);
    }

    #[test]
    fn what_can_be_passed_is_found_out_anew_when_a_cell_changes() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let (mut level, p) = (Level::solid(&content), Point::new(20, 20));
        let floor = content.features().floor();
        let zones = |level: &Level| passable_zones(level, &content).count();
        assert_eq!(zones(&level), 0);
        level.set_feature(p, floor);
        assert_eq!(zones(&level), 1);
        level.set_features(Point::new(30, 20), 3, floor);
        assert_eq!(zones(&level), 2);
        level.change_mask(p, mask::OPAQUE, 0);
        assert_eq!(zones(&level), 1);
        level.bare(p, 1, mask::OPAQUE);
        assert_eq!(zones(&level), 2);
        level.change_mask(Point::new(40, 20), mask::MIMIC, 0);
        assert_eq!(zones(&level), 3);
        level.change_mask(Point::new(50, 20), mask::PASSABLE, 0);
        assert_eq!(zones(&level), 4);
        level.reset(content.features());
        assert_eq!(zones(&level), 0);
    }

    #[test]
    fn a_traveller_does_not_care_what_maps_say_of_passing() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut level = Level::solid(&content);
        for x in 10..20 {
            let p = Point::new(x, 10);
            let masks = [mask::OPAQUE, mask::PASSABLE, mask::MIMIC, mask::VAULT];
            for (_, mask) in masks.into_iter().enumerate().filter(|(bit, _)| x >> bit & 1 != 0) {
                level.change_mask(p, mask, 0);
            }
        }
        level.set_features(Point::new(14, 10), 40, content.features().floor());
        let cells = travelable_cells(&level, &content);
        for (p, can_walk) in level.points().zip(cells) {
            let id = level.feature(p).expect("a cell of the level");
            assert_eq!(can_walk, is_travelable(&content, id) || is_mimic(&level, p), "{p:?}");
        }
    }

    #[test]
    fn zones_of_the_same_cells_are_those_that_were_found_before() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut level = Level::solid(&content);
        level.set_features(Point::new(10, 10), 5, content.features().floor());
        let open = passable_cells(&level, &content).to_vec();
        let zones = level.zones(&open);
        let none = vec![false; open.len()];
        assert_eq!((zones.count(), level.zones(&none).count()), (1, 0));
        assert!(Arc::ptr_eq(&zones, &passable_zones(&level.clone(), &content)));
        level.set_feature(Point::new(12, 10), content.features().rock_wall());
        assert_eq!(passable_zones(&level, &content).count(), 2);
        level.set_feature(Point::new(12, 10), content.features().floor());
        assert!(Arc::ptr_eq(&zones, &passable_zones(&level, &content)));
    }
}
