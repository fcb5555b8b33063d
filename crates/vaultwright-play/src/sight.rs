//! What a traveller sees.

use vaultwright_content::LevelSize;
use vaultwright_level::{SIGHT_RADIUS, sees};
use vaultwright_map::Point;

/// The width of the square of cells that a creature may see.
const WIDTH: i32 = 2 * SIGHT_RADIUS + 1;

/// The cells that a creature sees. Sight is symmetric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    size: LevelSize,
    /// By cell, row by row; empty if it sees nothing.
    seen: Vec<bool>,
}

impl Sight {
    /// Returns what is visible from a cell of a level of this size.
    pub fn from(eye: Point, size: LevelSize, opaque: &dyn Fn(Point) -> bool) -> Sight {
        let mut sight = Sight { size, seen: vec![false; size.cells()] };
        let corner = eye.offset((-SIGHT_RADIUS, -SIGHT_RADIUS));
        let square = || (0..WIDTH).flat_map(|y| (0..WIDTH).map(move |x| corner.offset((x, y))));
        // Each cell is queried once.
        let blocks: Vec<bool> = square().map(|p| !p.is_within(size, 0) || opaque(p)).collect();
        let blocked = |p: Point| blocks[((p.y - corner.y) * WIDTH + p.x - corner.x) as usize];
        for p in square().filter(|p| p.is_within(size, 0)) {
            sight.seen[(p.y * size.width() + p.x) as usize] = sees(eye, p, blocked);
        }
        sight
    }

    /// Returns the visible cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Point> + '_ {
        let seen = self.seen.iter().enumerate().filter(|(_, seen)| **seen);
        seen.map(|(index, _)| {
            let index = index as i32;
            Point::new(index % self.size.width(), index / self.size.width())
        })
    }

    /// Returns whether a cell is visible.
    pub fn sees(&self, p: Point) -> bool {
        let index = (p.y * self.size.width() + p.x) as usize;
        p.is_within(self.size, 0) && self.seen.get(index).is_some_and(|&seen| seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sight_is_symmetric_and_ends() {
        let opaque = |p: Point| (p.x * 7 + p.y * 13) % 5 == 0;
        let cells = || (20..36).flat_map(|x| (20..36).map(move |y| Point::new(x, y)));
        for a in cells().filter(|&a| !opaque(a)) {
            let from_a = Sight::from(a, LevelSize::CRAWL, &opaque);
            assert!(from_a.sees(a) && !from_a.sees(a.offset((SIGHT_RADIUS + 1, 0))));
            for b in cells().filter(|&b| !opaque(b) && from_a.sees(b)) {
                assert!(
                    Sight::from(b, LevelSize::CRAWL, &opaque).sees(a),
                    "{a:?} sees {b:?}, but not the other way"
                );
            }
        }
    }
}
