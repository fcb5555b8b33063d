//! What a traveller sees.

use symmetric_shadowcasting::compute_fov;
use vaultwright_level::on_map;
use vaultwright_map::Point;
use vaultwright_map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};

/// How far the player sees, in both directions.
pub const SIGHT_RADIUS: i32 = 7;

/// The cells that somebody sees. If one cell sees another, that one sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    seen: Vec<bool>,
}

impl Default for Sight {
    fn default() -> Sight {
        Sight { seen: vec![false; (LEVEL_WIDTH * LEVEL_HEIGHT) as usize] }
    }
}

impl Sight {
    /// What is seen from a cell.
    pub fn from(eye: Point, opaque: &dyn Fn(Point) -> bool) -> Sight {
        let mut sight = Sight::default();
        let point = |(x, y): (isize, isize)| Point::new(x as i32, y as i32);
        let near =
            |p: Point| on_map(p) && (p.x - eye.x).abs().max((p.y - eye.y).abs()) <= SIGHT_RADIUS;
        let mut blocks = |cell| !near(point(cell)) || opaque(point(cell));
        let mut mark = |cell| {
            let p = point(cell);
            if near(p) {
                sight.seen[index(p)] = true;
            }
        };
        compute_fov((eye.x as isize, eye.y as isize), &mut blocks, &mut mark);
        sight
    }

    /// The cells that are seen, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Point> + '_ {
        let seen = self.seen.iter().enumerate().filter(|(_, seen)| **seen);
        seen.map(|(index, _)| {
            let index = index as i32;
            Point::new(index % LEVEL_WIDTH, index / LEVEL_WIDTH)
        })
    }

    /// Whether a cell is seen.
    pub fn sees(&self, p: Point) -> bool {
        on_map(p) && self.seen[index(p)]
    }
}

fn index(p: Point) -> usize {
    (p.y * LEVEL_WIDTH + p.x) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sight_is_symmetric_and_ends() {
        let opaque = |p: Point| (p.x * 7 + p.y * 13) % 5 == 0;
        let cells = || (20..36).flat_map(|x| (20..36).map(move |y| Point::new(x, y)));
        for a in cells().filter(|&a| !opaque(a)) {
            let from_a = Sight::from(a, &opaque);
            assert!(from_a.sees(a) && !from_a.sees(a.offset((SIGHT_RADIUS + 1, 0))));
            for b in cells().filter(|&b| !opaque(b) && from_a.sees(b)) {
                assert!(Sight::from(b, &opaque).sees(a), "{a:?} sees {b:?}, but not the other way");
            }
        }
    }
}
