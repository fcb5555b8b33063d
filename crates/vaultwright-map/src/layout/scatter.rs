//! Points that keep a distance from each other (Poisson discs).

use crate::grid::{GlyphSet, Grid, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// Where to put points.
#[derive(Clone, Copy, Debug)]
pub struct Scatter {
    /// The minimum Euclidean distance of two points, in cells.
    pub distance: i32,
    /// The glyphs of cells that can be points; `None` for all.
    pub on: Option<GlyphSet>,
    /// The maximum number of points.
    pub most: i32,
}

/// Puts the cells in random order and keeps each that is far enough from those kept before. The
/// result has no room for another point, unless it has `most` points. Draws: `random2(n)` for n
/// from the number of cells down to 2 (a shuffle).
pub fn scatter_points(grid: &Grid, area: Area, scatter: &Scatter, rng: &mut Streams) -> Vec<Point> {
    let mut cells = area.cells_on(grid, scatter.on.as_ref());
    rng.shuffle(&mut cells);
    let distance = scatter.distance.clamp(1, 1 << 14);
    let width = area.width().max(0) as usize;
    let place = |x: i32, y: i32| (y - area.y1) as usize * width + (x - area.x1) as usize;
    let mut is_too_near = vec![false; width * area.height().max(0) as usize];
    let mut points = Vec::new();
    for p in cells {
        if points.len() as i64 >= i64::from(scatter.most) {
            break;
        }
        if is_too_near[place(p.x, p.y)] {
            continue;
        }
        points.push(p);
        let (first, last) = (p.y - distance + 1, p.y + distance - 1);
        for y in first.max(area.y1)..=last.min(area.y2) {
            let dy = y - p.y;
            let reach = (distance * distance - dy * dy - 1).isqrt();
            let (left, right) = ((p.x - reach).max(area.x1), (p.x + reach).min(area.x2));
            is_too_near[place(left, y)..=place(right, y)].fill(true);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, filled, streams};
    use super::*;

    fn apart(a: Point, b: Point) -> i32 {
        (a.x - b.x).pow(2) + (a.y - b.y).pow(2)
    }

    #[test]
    fn no_point_is_too_near_to_another_and_none_more_has_room() {
        let grid = filled(50, 30, ".");
        let area = Area::new(2, 3, 47, 26);
        for (seed, distance) in [(1, 1), (2, 3), (3, 5), (4, 11), (5, 400)] {
            let scatter = Scatter { distance, on: None, most: i32::MAX };
            let mut rng = streams(seed);
            let points = scatter_points(&grid, area, &scatter, &mut rng);
            assert_eq!(draws(&rng), 46 * 24 - 1);
            for (index, &p) in points.iter().enumerate() {
                assert!(area.contains(p));
                assert!(points[..index].iter().all(|&q| apart(p, q) >= distance * distance));
            }
            for p in area.points() {
                assert!(points.iter().any(|&q| p == q || apart(p, q) < distance * distance));
            }
        }
    }

    #[test]
    fn points_lie_on_wanted_glyphs_and_are_no_more_than_wanted() {
        let grid = Grid::from_rows(["..x..", "x...x", "....."]);
        let on = Some(GlyphSet::new(b"x"));
        let scatter = Scatter { distance: 1, on, most: 9 };
        let points = scatter_points(&grid, Area::of(&grid), &scatter, &mut streams(1));
        assert_eq!(points.len(), 3);
        let few = Scatter { on: None, most: 2, ..scatter };
        assert_eq!(scatter_points(&grid, Area::of(&grid), &few, &mut streams(1)).len(), 2);
    }
}
