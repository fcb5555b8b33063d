//! Connected parts of a level (spec 04 §10.3).

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use vaultwright_content::{Content, FeatureId, LevelSize};
use vaultwright_map::{ADJACENT, Point};

use crate::level::Level;
use crate::mask;

/// Returns whether connectivity counts may pass a cell.
pub fn is_passable(level: &Level, content: &Content, p: Point) -> bool {
    let mask = level.mask(p);
    if mask & mask::PASSABLE != 0 {
        return true;
    }
    if mask & mask::OPAQUE != 0 {
        return false;
    }
    // A mimic is taken for the floor that it will leave.
    level.feature(p).is_some_and(|id| is_travelable(content, id)) || is_mimic(level, p)
}

/// Returns whether what stands on a cell is a mimic.
pub fn is_mimic(level: &Level, p: Point) -> bool {
    level.mask(p) & mask::MIMIC != 0
}

/// Returns whether a traveller may walk over a feature, as [`Content::travelable`] says.
pub fn is_travelable(content: &Content, id: FeatureId) -> bool {
    content.travelable().contains(id)
}

/// Returns the zones that a teleport can end in: what a traveller can walk over, but for cells that
/// are protected; the walls and doors of those are, too, if the whole vault is (spec 08 §8.4).
pub fn teleport_zones(level: &Level, content: &Content) -> Zones {
    let names = ["no_tele_into", "no_rtele_into"];
    let bits = names.iter().filter_map(|name| content.names().properties.get(name));
    let no_tele = bits.fold(0, |bits, bit| bits | bit);
    Zones::of(level, |p| {
        let Some(id) = level.feature(p) else { return false };
        let protected = level.properties(p) & no_tele != 0;
        let kept_out = level.vault_at(p).is_some_and(|vault| vault.map.has_tag("no_tele_into"));
        let solid = content.features().get(id).flags.solid();
        let open = is_travelable(content, id) || is_mimic(level, p);
        open && (!protected || (solid && !kept_out))
    })
}

/// Returns for each cell, row by row, whether its feature is one that `suits`; that is asked once
/// for each feature of the table.
pub fn cells_of_features(
    level: &Level,
    content: &Content,
    suits: impl Fn(FeatureId) -> bool,
) -> Vec<bool> {
    let suits = content.features().set_of(suits);
    level.features().iter().map(|&id| suits.contains(id)).collect()
}

/// Returns for each cell, row by row, whether connectivity counts may pass it, as [`is_passable`]
/// says. The level remembers them until a cell changes: its content is always the same.
pub fn passable_cells<'a>(level: &'a Level, content: &Content) -> &'a [bool] {
    level.passable.cells.get_or_init(|| find_passable_cells(level, content))
}

fn find_passable_cells(level: &Level, content: &Content) -> Vec<bool> {
    let travelable = content.travelable();
    let mut cells: Vec<bool> = level.features().iter().map(|&id| travelable.contains(id)).collect();
    for part in parts_with(level, PASSING) {
        for (open, &mask) in cells[part.clone()].iter_mut().zip(&level.masks()[part]) {
            let is_open = *open | (mask & mask::MIMIC != 0);
            *open = (mask & mask::PASSABLE != 0) | (mask & mask::OPAQUE == 0) & is_open;
        }
    }
    cells
}

/// Opens those of a level's cells, row by row, on which a mimic stands: it is taken for the floor
/// that it will leave.
pub fn open_mimics(level: &Level, cells: &mut [bool]) {
    for part in parts_with(level, mask::MIMIC) {
        for (open, &mask) in cells[part.clone()].iter_mut().zip(&level.masks()[part]) {
            *open |= mask & mask::MIMIC != 0;
        }
    }
}

/// Returns those parts of a level's cells, row by row, in which any has some of the masks: nothing
/// is special about most cells.
fn parts_with(level: &Level, masks: i64) -> impl Iterator<Item = Range<usize>> {
    level.masks().chunks(PLAIN).zip((0..).step_by(PLAIN)).filter_map(move |(own, start)| {
        let all = own.iter().fold(0, |all, mask| all | mask);
        (all & masks != 0).then(|| start..start + own.len())
    })
}

/// How many cells are looked at together, to see whether something is special about any.
const PLAIN: usize = 64;

/// A stretch of cells of a zone in a row: columns from the first to before the end.
#[derive(Clone, Copy, Debug)]
struct Run {
    row: i32,
    first: i32,
    end: i32,
    zone: usize,
}

/// How many cells of a level there are for each run, about.
const USUAL_RUN: usize = 8;

/// The masks of a cell that decide with its feature whether connectivity counts may pass it.
pub(crate) const PASSING: i64 = mask::PASSABLE | mask::OPAQUE | mask::MIMIC;

/// What a level remembers of where connectivity counts may pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassableMemory {
    cells: OnceLock<Vec<bool>>,
    /// Never known before the cells.
    zones: OnceLock<Arc<Zones>>,
}

impl PassableMemory {
    /// Forgets all, since a cell is another one.
    #[inline]
    pub(crate) fn forget(&mut self) {
        if self.cells.get_mut().is_some() {
            *self = PassableMemory::default();
        }
    }
}

/// A partition of cells into eight-connected zones, numbered from 1 in the order found, row by row.
#[derive(Debug)]
#[must_use]
pub struct Zones {
    size: LevelSize,
    /// Row by row.
    runs: Vec<Run>,
    /// Where the runs of each row begin, and where those of the last one end.
    rows: Vec<usize>,
    /// The first cell of each zone.
    firsts: Vec<Point>,
}

impl Zones {
    /// Returns the zones of the cells that `passable` accepts, found row by row; it is asked once
    /// for each cell.
    pub fn of(level: &Level, passable: impl Fn(Point) -> bool) -> Zones {
        Zones::of_cells(level.size(), &level.points().map(passable).collect::<Vec<bool>>())
    }

    /// Returns the zones that connectivity counts find: those of [`passable_cells`], remembered as
    /// long.
    pub fn passable(level: &Level, content: &Content) -> Arc<Zones> {
        let find = || Zones::of_cells(level.size(), passable_cells(level, content));
        Arc::clone(level.passable.zones.get_or_init(|| Arc::new(find())))
    }

    /// Returns the zones of the cells of a level of a size, of which each says, row by row, whether
    /// it can be passed.
    pub fn of_cells(size: LevelSize, passable: &[bool]) -> Zones {
        let mut runs = Vec::with_capacity(size.cells() / USUAL_RUN);
        let mut rows = Vec::with_capacity(size.height() as usize + 1);
        rows.push(0);
        for (cells, row) in passable.chunks(size.width() as usize).zip(0..) {
            find_runs(cells, row, &mut runs);
            rows.push(runs.len());
        }
        let mut zones = Zones { size, runs, rows, firsts: Vec::new() };
        zones.join();
        zones
    }

    /// Gives the runs that touch each other one number.
    fn join(&mut self) {
        // Each run points to an earlier one of its zone, the first of a zone to itself.
        let mut parents: Vec<usize> = (0..self.runs.len()).collect();
        for row in 1..self.rows.len().saturating_sub(1) {
            let mut above = self.rows[row - 1];
            for below in self.rows[row]..self.rows[row + 1] {
                let Run { first, end, .. } = self.runs[below];
                while above < self.rows[row] && self.runs[above].end < first {
                    above += 1;
                }
                let mut own = below;
                let touching = self.runs[above..self.rows[row]].iter().zip(above..);
                for (_, other) in touching.take_while(|(run, _)| run.first <= end) {
                    let other = root(&mut parents, other);
                    parents[own.max(other)] = own.min(other);
                    own = own.min(other);
                }
            }
        }
        for index in 0..self.runs.len() {
            let first = root(&mut parents, index);
            if first == index {
                let run = self.runs[index];
                self.firsts.push(Point::new(run.first, run.row));
                self.runs[index].zone = self.firsts.len();
            } else {
                self.runs[index].zone = self.runs[first].zone;
            }
        }
    }

    /// Returns how many zones there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.firsts.len()
    }

    /// Returns the zone of a cell, from 1; `None` for cells in no zone.
    #[inline]
    pub fn zone_of(&self, p: Point) -> Option<usize> {
        if !p.is_within(self.size, 0) {
            return None;
        }
        let row = &self.runs[self.rows[p.y as usize]..self.rows[p.y as usize + 1]];
        let run = row.get(row.partition_point(|run| run.end <= p.x))?;
        (run.first <= p.x).then_some(run.zone)
    }

    /// Returns the first cell of a zone, row by row.
    ///
    /// # Panics
    ///
    /// If there is no zone of the number.
    pub fn first(&self, zone: usize) -> Point {
        self.firsts[zone - 1]
    }

    /// Returns how many cells each zone has.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count()];
        for run in &self.runs {
            sizes[run.zone - 1] += (run.end - run.first) as usize;
        }
        sizes
    }

    /// Returns the zones, from 1, that have none of some cells.
    pub fn without(&self, cells: impl IntoIterator<Item = Point>) -> Vec<usize> {
        let mut have = vec![false; self.count()];
        for zone in cells.into_iter().filter_map(|p| self.zone_of(p)) {
            have[zone - 1] = true;
        }
        (1..=self.count()).filter(|zone| !have[zone - 1]).collect()
    }

    /// Returns the cells of a zone as one comes to them who goes from its first cell to all around
    /// it, then to all around those; none if there is no such zone.
    pub fn cells(&self, zone: usize) -> Vec<Point> {
        let Some(&start) = zone.checked_sub(1).and_then(|index| self.firsts.get(index)) else {
            return Vec::new();
        };
        // With a ring around the level no step leads out of the table.
        let stride = self.size.width() as usize + 2;
        let index = |p: Point| (p.y + 1) as usize * stride + (p.x + 1) as usize;
        let mut is_left = vec![false; stride * (self.size.height() as usize + 2)];
        for run in self.runs.iter().filter(|run| run.zone == zone) {
            let from = index(Point::new(run.first, run.row));
            is_left[from..from + (run.end - run.first) as usize].fill(true);
        }
        let mut cells = vec![start];
        is_left[index(start)] = false;
        let mut next = 0;
        while let Some(&here) = cells.get(next) {
            next += 1;
            for step in ADJACENT {
                let there = here.offset(step);
                if std::mem::take(&mut is_left[index(there)]) {
                    cells.push(there);
                }
            }
        }
        cells
    }

    /// Returns the cells of all zones, in order of their numbers, each as [`Zones::cells`] has
    /// them.
    pub fn all(&self) -> Vec<Vec<Point>> {
        (1..=self.count()).map(|zone| self.cells(zone)).collect()
    }
}

/// Adds the stretches of open cells of a row.
fn find_runs(cells: &[bool], row: i32, runs: &mut Vec<Run>) {
    let mut first = None;
    let mut change_at = |x: usize| match first.take() {
        None => first = Some(x as i32),
        Some(first) => runs.push(Run { row, first, end: x as i32, zone: 0 }),
    };
    let mut last = false;
    let (words, rest) = cells.as_chunks::<8>();
    for (word, start) in words.iter().zip((0..).step_by(8)) {
        // A byte for each cell, and in `changes` for each that is not as the one before.
        let word = u64::from_le_bytes(word.map(u8::from));
        let mut changes = word ^ (word << 8 | u64::from(last));
        last = word >> 56 != 0;
        while changes != 0 {
            change_at(start + changes.trailing_zeros() as usize / 8);
            changes &= changes - 1;
        }
    }
    for (&open, x) in rest.iter().zip(words.len() * 8..) {
        if open != last {
            change_at(x);
            last = open;
        }
    }
    if last {
        change_at(cells.len());
    }
}

/// Returns the first run that one is joined with.
fn root(parents: &mut [usize], run: usize) -> usize {
    let mut run = run;
    while parents[run] != run {
        // The way is shorter the next time.
        parents[run] = parents[parents[run]];
        run = parents[run];
    }
    run
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
        let zones = |level: &Level| Zones::passable(level, &content).count();
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

    /// Zones by a walk over all cells, one after the other.
    fn walked(width: i32, cells: &[bool]) -> Vec<Vec<Point>> {
        let mut left: Vec<bool> = cells.to_vec();
        let height = cells.len() as i32 / width;
        let mut zones = Vec::new();
        let all = (0..height).flat_map(|y| (0..width).map(move |x| Point::new(x, y)));
        for start in all {
            if !std::mem::take(&mut left[(start.y * width + start.x) as usize]) {
                continue;
            }
            let (mut zone, mut next) = (vec![start], 0);
            while let Some(&here) = zone.get(next) {
                next += 1;
                for there in ADJACENT.map(|step| here.offset(step)) {
                    let inside = (0..width).contains(&there.x) && (0..height).contains(&there.y);
                    if inside && std::mem::take(&mut left[(there.y * width + there.x) as usize]) {
                        zone.push(there);
                    }
                }
            }
            zones.push(zone);
        }
        zones
    }

    #[test]
    fn zones_are_those_that_a_walk_finds() {
        let size = LevelSize::new(23, 20).expect("a size");
        let mut state = 7_u32;
        for round in 0..400 {
            let open: Vec<bool> = (0..23 * 20)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 16) % 10 < 1 + round % 9
                })
                .collect();
            let (zones, expected) = (Zones::of_cells(size, &open), walked(23, &open));
            assert_eq!(zones.all(), expected);
            assert_eq!(zones.sizes(), expected.iter().map(Vec::len).collect::<Vec<_>>());
            for (zone, cells) in expected.iter().enumerate() {
                assert!(cells.iter().all(|&p| zones.zone_of(p) == Some(zone + 1)));
            }
            for (index, _) in open.iter().enumerate().filter(|(_, open)| !**open) {
                assert_eq!(zones.zone_of(Point::new(index as i32 % 23, index as i32 / 23)), None);
            }
            let firsts = expected.iter().step_by(2).map(|zone| zone[0]);
            let others: Vec<usize> = (1..=expected.len()).filter(|zone| zone % 2 == 0).collect();
            assert_eq!(zones.without(firsts), others);
        }
    }
}
