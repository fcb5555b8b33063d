//! Lines of sight as the reference draws them. 0.28 was asked about the cells around a point in
//! forty fields of random walls (tests/recorded/sight-0.28.tsv).
//!
//! Two cells see each other if nothing blocks some straight line from a point of one to a point of
//! the other. A line flatter than a diagonal runs through one cell of each column: the one whose
//! middle is nearest.

use vaultwright_map::Point;

/// How far creatures see, in either direction.
pub const SIGHT_RADIUS: i32 = 7;

const REACH: usize = SIGHT_RADIUS as usize;
/// More lines than lead to any one cell.
const MAX_LINES: usize = 20;

/// The lines to a cell. Each line has a bit for each of its steps that goes sideways, the first
/// step in the lowest bit.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    steps: [u8; MAX_LINES],
    pub(crate) count: usize,
}

impl Lines {
    /// Returns the cell of a line in a column, or in a row if the line is steep.
    pub(crate) const fn cell(&self, line: usize, column: i32, steep: bool) -> (i32, i32) {
        let rise = (self.steps[line] & ((1 << column) - 1)).count_ones() as i32;
        if steep { (rise, column) } else { (column, rise) }
    }
}

/// The lines to each cell of an octant, by its distance along and sideways.
pub(crate) const LINES: [[Lines; REACH + 1]; REACH + 1] = {
    let mut lines = [[Lines { steps: [0; MAX_LINES], count: 0 }; REACH + 1]; REACH + 1];
    let mut along = 0;
    while along <= REACH {
        let mut steps = 0;
        while steps < 1 << along {
            if is_straight(steps as u8, along) {
                let to = &mut lines[along][(steps as u32).count_ones() as usize];
                to.steps[to.count] = steps as u8;
                to.count += 1;
            }
            steps += 1;
        }
        along += 1;
    }
    lines
};

/// Returns whether these steps form a straight line: seen from any of its cells, the others allow a
/// common slope.
const fn is_straight(steps: u8, along: usize) -> bool {
    // The bounds as fractions: between any two columns the line rises less than one more, and more
    // than one less, than the middles of its cells do.
    let (mut least, mut most) = ((-1, 1), (2, 1));
    let mut from = 0;
    while from < along {
        let (mut to, mut rise) = (from + 1, 0);
        while to <= along {
            rise += (steps >> (to - 1) & 1) as i32;
            let run = (to - from) as i32;
            if (rise - 1) * least.1 > least.0 * run {
                least = (rise - 1, run);
            }
            if (rise + 1) * most.1 < most.0 * run {
                most = (rise + 1, run);
            }
            to += 1;
        }
        from += 1;
    }
    least.0 * most.1 < most.0 * least.1
}

/// Returns whether two cells see each other. Their own contents do not matter; `is_opaque` is asked
/// about the cells between them.
pub fn sees(from: Point, to: Point, is_opaque: impl Fn(Point) -> bool) -> bool {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steep = dy.abs() > dx.abs();
    let (along, aside) = if steep { (dy.abs(), dx.abs()) } else { (dx.abs(), dy.abs()) };
    if along > SIGHT_RADIUS {
        return false;
    }
    let lines = &LINES[along as usize][aside as usize];
    (0..lines.count).any(|line| {
        (1..along).all(|column| {
            let (x, y) = lines.cell(line, column, steep);
            !is_opaque(from.offset((x * dx.signum(), y * dy.signum())))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of 20 by 20 cells, from (1, 1) on: the column and row of a cell, what blocks sight
    /// (`#`), and what is seen from there (`1`), row by row.
    const RECORDED: &str = include_str!("../tests/recorded/sight-0.28.tsv");

    #[test]
    fn cells_see_each_other_as_in_the_running_program() {
        for line in RECORDED.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[eye, walls, seen] = &fields[..] else { panic!("{line}") };
            let eye: i32 = eye.parse().expect("a number");
            let eye = Point::new(eye, eye);
            let rows: Vec<&[u8]> = walls.split('/').map(str::as_bytes).collect();
            let is_wall = |p: Point| rows[p.y as usize - 1][p.x as usize - 1] == b'#';
            let ours: Vec<String> = (1..=20)
                .map(|y| {
                    let sees = |x| sees(eye, Point::new(x, y), is_wall);
                    (1..=20).map(|x| if sees(x) { '1' } else { '0' }).collect()
                })
                .collect();
            assert_eq!(ours.join("/"), seen, "from {eye:?} among {walls}");
        }
    }

    #[test]
    fn who_is_seen_sees() {
        let is_opaque = |p: Point| (p.x * 7 + p.y * 13) % 5 == 0;
        let middle = Point::new(30, 30);
        for p in (20..=40).flat_map(|x| (20..=40).map(move |y| Point::new(x, y))) {
            assert_eq!(sees(middle, p, is_opaque), sees(p, middle, is_opaque), "{p:?}");
        }
    }
}
