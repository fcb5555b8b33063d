//! Regions around points, where each cell belongs to the nearest point (Voronoi).

use crate::grid::{Grid, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// How the distance from a cell to a point is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Euclidean: straight edges in all directions.
    Crow,
    /// Steps along rows and columns: edges with corners of 45 degrees.
    Steps,
    /// Steps in eight directions: edges that are mostly horizontal or vertical.
    Squares,
}

/// The appearance of regions.
#[derive(Clone, Debug)]
pub struct Regions<'a> {
    /// The points.
    pub points: &'a [Point],
    /// The metric.
    pub metric: Metric,
    /// The glyphs to choose from for each region; empty leaves them as they are.
    pub fills: &'a [u8],
    /// The glyph between regions; `None` for no border.
    pub border: Option<u8>,
}

/// Paints the regions of an area. Returns the pairs of regions that touch, the lower index first,
/// in order. A cell belongs to the nearest point, or to the first of several. A cell is border if
/// one of the eight cells around it belongs to a point before its own. Draws: `random2(fills)` for
/// each point if there are at least two fills.
pub fn paint_regions(
    grid: &mut Grid,
    area: Area,
    regions: &Regions,
    rng: &mut Streams,
) -> Vec<(usize, usize)> {
    let fills = regions.points.iter().map(|_| {
        let index = rng.random2(regions.fills.len() as i32);
        regions.fills.get(index as usize).copied()
    });
    let fills: Vec<Option<u8>> = fills.collect();
    if regions.points.is_empty() || area.width() <= 0 || area.height() <= 0 {
        return Vec::new();
    }
    let nearest = match regions.metric {
        Metric::Crow => owners(area, regions.points, |dx, dy| {
            // Points may be anywhere.
            dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
        }),
        Metric::Steps => owners(area, regions.points, |dx, dy| dx + dy),
        Metric::Squares => owners(area, regions.points, |dx, dy| dx.max(dy)),
    };
    let width = area.width() as usize;
    let owner_of = |p: Point| {
        let (x, y) = ((p.x - area.x1) as usize, (p.y - area.y1) as usize);
        area.contains(p).then(|| nearest[y * width + x])
    };
    let mut touching = std::collections::BTreeSet::new();
    for (p, &own) in area.points().zip(&nearest) {
        let mut on_border = false;
        for step in crate::grid::ADJACENT {
            if let Some(other) = owner_of(p.offset(step))
                && other < own
            {
                on_border = true;
                if step.0 == 0 || step.1 == 0 {
                    touching.insert((other, own));
                }
            }
        }
        let glyph = regions.border.filter(|_| on_border).or(fills[own]);
        if let Some(glyph) = glyph {
            grid.set(p, glyph);
        }
    }
    touching.into_iter().collect()
}

/// Returns the index of the nearest point for each cell of an area, row by row; the first of
/// several. The distance depends on the columns and rows in between, and does not decrease with the
/// number of columns.
fn owners(area: Area, points: &[Point], far: impl Fn(i64, i64) -> i64) -> Vec<usize> {
    let mut by_column: Vec<(Point, usize)> = points.iter().copied().zip(0..).collect();
    by_column.sort_by_key(|(point, _)| point.x);
    let nearest = |p: Point| {
        let mut best = (i64::MAX, usize::MAX);
        // Returns whether points in further columns may be nearer.
        let mut look = |&(q, index): &(Point, usize)| {
            let columns = i64::from(p.x.abs_diff(q.x));
            best = best.min((far(columns, i64::from(p.y.abs_diff(q.y))), index));
            far(columns, 0) <= best.0
        };
        let (left, right) =
            by_column.split_at(by_column.partition_point(|(point, _)| point.x < p.x));
        let _ = left.iter().rev().all(&mut look) & right.iter().all(&mut look);
        best.1
    };
    area.points().map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, filled, reached, rows, streams};
    use super::*;

    #[test]
    fn cells_belong_to_the_nearest_point_and_borders_lie_between() {
        let mut grid = filled(9, 5, "x");
        let points = [Point::new(2, 2), Point::new(6, 2)];
        let regions =
            Regions { points: &points, metric: Metric::Crow, fills: b".", border: Some(b'c') };
        let mut rng = streams(1);
        let area = Area::new(1, 1, 7, 3);
        assert_eq!(paint_regions(&mut grid, area, &regions, &mut rng), [(0, 1)]);
        assert_eq!(rows(&grid)[2], "x....c..x");
        assert_eq!((rows(&grid)[0].as_str(), draws(&rng)), ("xxxxxxxxx", 0));
    }

    #[test]
    fn borders_have_no_gaps_and_regions_without_fills_keep_their_glyphs() {
        let mut grid = filled(30, 20, "x");
        let points: Vec<Point> =
            [(4, 4), (22, 3), (13, 11), (3, 17), (27, 16)].map(|(x, y)| Point::new(x, y)).to_vec();
        for metric in [Metric::Crow, Metric::Steps, Metric::Squares] {
            let regions = Regions { points: &points, metric, fills: b".", border: Some(b'c') };
            let area = Area::of(&grid);
            let touching = paint_regions(&mut grid, area, &regions, &mut streams(2));
            assert!(touching.contains(&(0, 2)) && touching.contains(&(2, 4)), "{touching:?}");
            // No region can be left for another one, not even diagonally.
            let steps = &crate::grid::ADJACENT;
            let cells: usize = points.iter().map(|&p| reached(&grid, p, ".", steps)).sum();
            assert_eq!(cells, rows(&grid).concat().matches('.').count());
        }
        let mut kept = filled(5, 5, "w");
        let regions = Regions { points: &points, metric: Metric::Crow, fills: b"", border: None };
        let area = Area::of(&kept);
        paint_regions(&mut kept, area, &regions, &mut streams(2));
        assert_eq!(kept, filled(5, 5, "w"));
    }

    #[test]
    fn of_points_as_near_as_each_other_the_first_has_the_cell() {
        let mut rng = streams(7);
        let points: Vec<Point> =
            (0..40).map(|_| Point::new(rng.random2(34) - 2, rng.random2(24) - 2)).collect();
        let area = Area::new(1, 1, 28, 18);
        let metrics: [fn(i64, i64) -> i64; 3] =
            [|dx, dy| dx * dx + dy * dy, |dx, dy| dx + dy, |dx, dy| dx.max(dy)];
        for far in metrics {
            let from = |p: Point, q: &Point| {
                far(i64::from((p.x - q.x).abs()), i64::from((p.y - q.y).abs()))
            };
            for (p, own) in area.points().zip(owners(area, &points, far)) {
                let first = points.iter().enumerate().min_by_key(|(_, q)| from(p, q));
                assert_eq!(Some(own), first.map(|(index, _)| index));
            }
        }
    }
}
