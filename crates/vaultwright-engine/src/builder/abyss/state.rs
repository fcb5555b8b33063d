//! Where the window lies on the unbounded Abyss, and how its terrain changes with time (spec 05
//! §19.1, §19.8).

use std::collections::BTreeSet;

use vaultwright_map::Point;

use super::terrain::{Sample, sample};
use crate::state::abyss::{AbyssState, CopiedLevel};

/// The phase at which the beat of the Abyss begins anew.
const FULL_PHASE: f32 = std::f32::consts::PI;

impl AbyssState {
    pub(crate) fn new(major: Point, depth: u32, copied: Option<CopiedLevel>) -> AbyssState {
        AbyssState { major, depth, phase: 0.0, copied, changes: BTreeSet::new() }
    }

    /// Returns the terrain of a cell now; when it may change is noted.
    pub(crate) fn sample(&mut self, cell: Point) -> Sample {
        let p = self.point_of(cell);
        let there = sample(p, self.depth, self.copied.as_ref());
        self.changes.insert((there.until, p));
        there
    }

    /// Moves the window, and forgets the changes of all cells but those kept.
    pub(crate) fn shift(&mut self, (dx, dy): (i32, i32), is_kept: impl Fn(Point) -> bool) {
        self.major = Point::new(self.major.x.wrapping_sub(dx), self.major.y.wrapping_sub(dy));
        let changes = std::mem::take(&mut self.changes);
        let kept = changes.into_iter().filter(|&(_, p)| is_kept(self.cell_of(p)));
        self.changes = kept.collect();
    }

    /// Lets time pass, and returns the cells whose terrain may be something else now, the longest
    /// due first.
    pub(crate) fn pass(&mut self, delta: i32) -> Vec<Point> {
        let beat = (f64::from(self.phase) / 2.0).sin().powi(10);
        self.depth = self.depth.wrapping_add((f64::from(delta) * (0.2 + 2.8 * beat)) as u32);
        self.phase += delta as f32 / 100.0;
        if self.phase > FULL_PHASE {
            self.phase -= FULL_PHASE;
        }
        let later =
            self.changes.split_off(&(self.depth.saturating_add(1), Point::new(i32::MIN, 0)));
        let due = std::mem::replace(&mut self.changes, later);
        due.into_iter().map(|(_, p)| self.cell_of(p)).collect()
    }

    fn point_of(&self, cell: Point) -> Point {
        Point::new(self.major.x.wrapping_add(cell.x), self.major.y.wrapping_add(cell.y))
    }

    fn cell_of(&self, p: Point) -> Point {
        Point::new(p.x.wrapping_sub(self.major.x), p.y.wrapping_sub(self.major.y))
    }
}
