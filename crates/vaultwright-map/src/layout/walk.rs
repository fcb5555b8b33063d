//! Caves dug by randomly staggering walkers (drunkard's walk).

use super::Spend;
use crate::grid::{Grid, ORTHOGONAL, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// How walkers dig.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// The start of the first walker.
    pub start: Point,
    /// Digging ends when this percentage of the area's cells is floor.
    pub share: i32,
    /// The number of steps of a walker. The next one starts on a random dug cell.
    pub life: i32,
    /// The chance to continue in the same direction, in percent.
    pub straight: i32,
    /// The glyph of dug cells.
    pub floor: u8,
}

/// Digs until the given share of the area is open. The dug cells are connected. Returns the cells
/// dug.
///
/// Draws: `random2(cells dug)` for each walker but the first. For each step `random2(100)`, unless
/// it is a walker's first step or `straight` is 0 or below; and `random2(4)` (east, west, south,
/// north), unless the walker continues straight on. Steps out of the area are not taken.
pub fn walk_cave<E>(
    grid: &mut Grid,
    area: Area,
    walk: &Walk,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<i32, E> {
    let inside = |p: Point| area.contains(p) && grid.contains(p);
    let cells: Vec<Point> = area.points().filter(|&p| inside(p)).collect();
    if !inside(walk.start) {
        return Ok(0);
    }
    let wanted = cells.len() as i64 * i64::from(walk.share.clamp(0, 100));
    let mut open = cells.iter().filter(|&&p| grid.glyph(p) == walk.floor).count() as i64;
    let mut dug = Vec::new();
    let mut dig = |at: Point, grid: &mut Grid, dug: &mut Vec<Point>| {
        if grid.glyph(at) != walk.floor {
            grid.set(at, walk.floor);
            dug.push(at);
            open += 1;
        }
        open * 100 < wanted
    };
    let mut at = walk.start;
    let mut on = dig(at, grid, &mut dug);
    while on {
        spend(walk.life.max(1) as u64)?;
        let mut before = None;
        for _ in 0..walk.life.max(1) {
            let goes_on = walk.straight > 0 && before.is_some() && rng.random2(100) < walk.straight;
            let step = match before {
                Some(step) if goes_on => step,
                _ => ORTHOGONAL[rng.random2(4) as usize],
            };
            before = Some(step);
            let next = at.offset(step);
            if area.contains(next) && grid.contains(next) {
                at = next;
                on = dig(at, grid, &mut dug);
                if !on {
                    break;
                }
            }
        }
        if on && !dug.is_empty() {
            at = dug[rng.random2(dug.len() as i32) as usize];
        }
    }
    Ok(dug.len() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{filled, freely, reached, rows, streams};
    use super::*;

    #[test]
    fn the_share_of_the_area_is_open_and_hangs_together() {
        for seed in 1..=20 {
            let mut grid = filled(20, 12, "x");
            let walk =
                Walk { start: Point::new(9, 5), share: 40, life: 30, straight: 50, floor: b'.' };
            let area = Area::new(1, 1, 18, 10);
            let dug = walk_cave(&mut grid, area, &walk, &mut streams(seed), &mut freely).unwrap();
            assert_eq!(dug, 72, "two fifths of 180");
            let text = rows(&grid).concat();
            assert_eq!(text.matches('.').count(), 72);
            let found = reached(&grid, walk.start, ".", &ORTHOGONAL);
            assert_eq!(found, 72, "seed {seed}");
            assert!(rows(&grid)[0].chars().all(|glyph| glyph == 'x'));
        }
    }

    #[test]
    fn who_may_not_start_digs_nothing() {
        let mut grid = filled(5, 5, "x");
        let walk = Walk { start: Point::new(7, 7), share: 50, life: 9, straight: 0, floor: b'.' };
        let area = Area::of(&grid);
        assert_eq!(walk_cave(&mut grid, area, &walk, &mut streams(1), &mut freely), Ok(0));
        let walk = Walk { start: Point::new(2, 2), share: 0, ..walk };
        assert_eq!(walk_cave(&mut grid, area, &walk, &mut streams(1), &mut freely), Ok(1));
    }

    #[test]
    fn work_that_is_not_allowed_ends_it() {
        let mut grid = filled(9, 9, "x");
        let walk = Walk { start: Point::new(4, 4), share: 100, life: 1, straight: 0, floor: b'.' };
        let area = Area::of(&grid);
        let mut left = 5;
        let mut spend = |_| {
            left -= 1;
            if left < 0 { Err("spent") } else { Ok(()) }
        };
        assert_eq!(walk_cave(&mut grid, area, &walk, &mut streams(1), &mut spend), Err("spent"));
    }
}
