//! Connected parts of a grid (spec 04 §10.3).

use crate::grid::{ADJACENT, Point};

/// A partition of cells into eight-connected zones, numbered from 1 in the order in which they are
/// found, row by row.
#[derive(Debug)]
#[must_use]
pub struct Zones {
    width: i32,
    /// The runs, row by row.
    runs: Vec<Run>,
    /// The start of each row's runs, and the end of the last one's.
    rows: Vec<usize>,
    /// The first cell of each zone.
    firsts: Vec<Point>,
}

/// A run of cells of a zone in a row: columns from the first to before the end.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: i32,
    end: i32,
    /// While zones are being computed: an earlier run of the same zone, or this run.
    zone: u32,
}

/// The approximate number of cells for each run.
const USUAL_RUN: usize = 8;

impl Zones {
    /// Returns the zones of a grid of this width. `cells` says for each cell, row by row, whether
    /// it is in a zone.
    pub fn of(width: i32, cells: &[bool]) -> Zones {
        let stride = width.max(1) as usize;
        let mut runs = Vec::with_capacity(cells.len() / USUAL_RUN);
        let mut rows = Vec::with_capacity(cells.len() / stride + 1);
        rows.push(0);
        for row in cells.chunks(stride) {
            find_runs(row, &mut runs);
            rows.push(runs.len());
        }
        for row in rows.windows(3) {
            join_rows(&mut runs, row[0], row[1], row[2]);
        }
        let firsts = number(&mut runs, &rows);
        Zones { width, runs, rows, firsts }
    }

    /// Returns the number of zones.
    #[inline]
    pub fn count(&self) -> usize {
        self.firsts.len()
    }

    /// Returns the zone of a cell, from 1; `None` if it is in no zone.
    #[inline]
    pub fn zone_of(&self, p: Point) -> Option<usize> {
        let y = usize::try_from(p.y).ok().filter(|&y| y + 1 < self.rows.len())?;
        let row = &self.runs[self.rows[y]..self.rows[y + 1]];
        let run = row.get(row.partition_point(|run| run.end <= p.x))?;
        (run.first <= p.x).then_some(run.zone as usize)
    }

    /// Returns the first cell of a zone, in row order.
    ///
    /// # Panics
    ///
    /// If there is no zone with this number.
    pub fn first(&self, zone: usize) -> Point {
        self.firsts[zone - 1]
    }

    /// Returns the number of cells of each zone.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count()];
        for run in &self.runs {
            sizes[run.zone as usize - 1] += (run.end - run.first) as usize;
        }
        sizes
    }

    /// Returns the runs of cells, row by row: the zone, the first cell, and the number of cells.
    pub fn stretches(&self) -> impl Iterator<Item = (usize, Point, usize)> + '_ {
        self.rows.windows(2).zip(0..).flat_map(|(row, y)| {
            self.runs[row[0]..row[1]].iter().map(move |run| {
                let length = (run.end - run.first) as usize;
                (run.zone as usize, Point::new(run.first, y), length)
            })
        })
    }

    /// Returns the zones, from 1, that contain none of the given cells.
    pub fn without(&self, cells: impl IntoIterator<Item = Point>) -> Vec<usize> {
        let mut have = vec![false; self.count()];
        for zone in cells.into_iter().filter_map(|p| self.zone_of(p)) {
            have[zone - 1] = true;
        }
        (1..=self.count()).filter(|zone| !have[zone - 1]).collect()
    }

    /// Returns the cells of a zone in breadth-first order from its first cell; empty if there is no
    /// such zone.
    pub fn cells(&self, zone: usize) -> Vec<Point> {
        let Some(&start) = zone.checked_sub(1).and_then(|index| self.firsts.get(index)) else {
            return Vec::new();
        };
        // With a ring around the grid, no step leaves the table.
        let stride = self.width as usize + 2;
        let index = |p: Point| (p.y + 1) as usize * stride + (p.x + 1) as usize;
        let mut is_left = vec![false; stride * (self.rows.len() + 1)];
        for (_, first, length) in self.stretches().filter(|&(of, ..)| of == zone) {
            is_left[index(first)..][..length].fill(true);
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

    /// Returns the cells of all zones, ordered by zone number, each as in [`Zones::cells`].
    pub fn all(&self) -> Vec<Vec<Point>> {
        (1..=self.count()).map(|zone| self.cells(zone)).collect()
    }
}

/// Adds the runs of cells of a row, each joined with itself.
fn find_runs(cells: &[bool], runs: &mut Vec<Run>) {
    // 64 cells at a time, with a bit for each; a run may continue into the next group.
    let mut open: Option<i32> = None;
    let mut before = 0;
    for (part, start) in cells.chunks(64).zip((0..).step_by(64)) {
        let bits = bits_of(part);
        // Where a cell differs from the one before it, a run starts or has ended.
        let mut edges = bits ^ (bits << 1 | before);
        before = bits >> 63;
        while edges != 0 {
            let x = start + edges.trailing_zeros() as i32;
            edges &= edges - 1;
            open = match open {
                None => Some(x),
                Some(first) => {
                    runs.push(Run { first, end: x, zone: runs.len() as u32 });
                    None
                }
            };
        }
    }
    if let Some(first) = open {
        runs.push(Run { first, end: cells.len() as i32, zone: runs.len() as u32 });
    }
}

/// Returns a bit for each of up to 64 cells, the first in the lowest bit.
fn bits_of(cells: &[bool]) -> u64 {
    let (eights, rest) = cells.as_chunks::<8>();
    let eight = |cells: [bool; 8]| {
        // Moves each byte's bit to its place in the highest byte.
        u64::from_le_bytes(cells.map(u8::from)).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    let bits = eights.iter().zip((0..).step_by(8)).map(|(&cells, at)| eight(cells) << at);
    let others = rest.iter().zip(eights.len() * 8..).map(|(&cell, at)| u64::from(cell) << at);
    bits.chain(others).fold(0, |bits, more| bits | more)
}

/// Joins the runs of a row, from `row` to before `end`, with the runs that they touch in the row
/// above, which start at `above`.
fn join_rows(runs: &mut [Run], mut above: usize, row: usize, end: usize) {
    for below in row..end {
        let run = runs[below];
        // A run that ends before this one touches none of the later ones either.
        while above < row && runs[above].end < run.first {
            above += 1;
        }
        let (mut own, mut other) = (below, above);
        while other < row && runs[other].first <= run.end {
            let earliest = earliest(runs, other);
            runs[own.max(earliest)].zone = own.min(earliest) as u32;
            own = own.min(earliest);
            other += 1;
        }
    }
}

/// Returns the earliest run that this one is joined with.
fn earliest(runs: &mut [Run], run: usize) -> usize {
    let mut run = run;
    loop {
        let joined = runs[run].zone as usize;
        if joined == run {
            return run;
        }
        // Shortens the path for the next time.
        runs[run].zone = runs[joined].zone;
        run = joined;
    }
}

/// Gives joined runs the same number. Returns the first cell of each zone.
fn number(runs: &mut [Run], rows: &[usize]) -> Vec<Point> {
    let mut firsts = Vec::new();
    for (row, y) in rows.windows(2).zip(0..) {
        for index in row[0]..row[1] {
            // Joined with itself, or with a run that already has its number.
            let joined = runs[index].zone as usize;
            if joined == index {
                firsts.push(Point::new(runs[index].first, y));
                runs[index].zone = firsts.len() as u32;
            } else {
                runs[index].zone = runs[joined].zone;
            }
        }
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes zones by walking over all cells, one after the other.
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
        let mut state = 7_u32;
        for round in 0..400 {
            let width = [23, 64, 131][round as usize % 3];
            let open: Vec<bool> = (0..width * 20)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 16) % 10 < 1 + round % 9
                })
                .collect();
            let (zones, expected) = (Zones::of(width, &open), walked(width, &open));
            assert_eq!(zones.all(), expected);
            assert_eq!(zones.sizes(), expected.iter().map(Vec::len).collect::<Vec<_>>());
            for (zone, cells) in expected.iter().enumerate() {
                assert!(cells.iter().all(|&p| zones.zone_of(p) == Some(zone + 1)));
            }
            for (index, _) in open.iter().enumerate().filter(|(_, open)| !**open) {
                let (x, y) = (index as i32 % width, index as i32 / width);
                assert_eq!(zones.zone_of(Point::new(x, y)), None);
            }
            let firsts = expected.iter().step_by(2).map(|zone| zone[0]);
            let others: Vec<usize> = (1..=expected.len()).filter(|zone| zone % 2 == 0).collect();
            assert_eq!(zones.without(firsts), others);
        }
    }
}
