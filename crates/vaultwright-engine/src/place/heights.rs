//! Height maps (spec 05 §13.1).

use vaultwright_map::Point;

use crate::state::site::Site;

/// An island to be raised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Island {
    /// Its middle.
    pub(crate) centre: Point,
    /// How many cells are raised.
    pub(crate) points: i32,
    /// How far from the middle.
    pub(crate) radius: i32,
    /// By how much, lowest and highest.
    pub(crate) heights: (i32, i32),
    /// Distance from the edge of the level.
    pub(crate) margin: i32,
}

/// Gives every cell a height.
pub(crate) fn initialise(site: &mut Site, height: i32) {
    site.level.heights = Some(vec![height; site.level.features().len()]);
}

/// Raises an island that is lowered in the middle first.
pub(crate) fn raise_atoll(site: &mut Site, island: Island) {
    let (low, high) = island.heights;
    raise_island(site, Island { heights: (-high, -low), ..island });
    raise_island(site, Island { radius: island.radius + 3, ..island });
}

/// Raises an island.
pub(crate) fn raise_island(site: &mut Site, island: Island) {
    for _ in 0..island.points {
        let radius = site.ctx.rng.random2(island.radius + 1);
        if let Some(p) = site.point_from(island.centre, radius, island.margin) {
            let rise = site.ctx.rng.random_range(island.heights.0, island.heights.1);
            site.level.set_height(p, site.level.height(p) + rise);
        }
    }
}

/// Smoothes one cell over those around it, of which the nearer count more; cells above the limit
/// neither change nor count.
pub(crate) fn smooth_at(site: &mut Site, c: Point, limit: Option<i32>) {
    let size = site.level.size();
    let (at, width) = (site.level.index_of(c), size.width() as usize);
    if let (None, Some(heights), true) = (limit, &mut site.level.heights, c.is_within(size, 2)) {
        // All nine count, as nearly everywhere.
        let row = |at: usize, weights: [i32; 3]| {
            let weighed = heights[at - 1..=at + 1].iter().zip(weights);
            weighed.map(|(height, weight)| height * weight).sum::<i32>()
        };
        let sum = row(at - width, [2, 3, 2]) + row(at, [3, 4, 3]) + row(at + width, [2, 3, 2]);
        heights[at] = sum / 24;
        return;
    }
    let above = |height: i32| limit.is_some_and(|limit| height > limit);
    let level = &*site.level;
    if !level.in_bounds(c) || above(level.height(c)) {
        return;
    }
    let (mut sum, mut weights) = (0, 0);
    for y in (c.y - 1).max(1)..=(c.y + 1).min(size.height() - 2) {
        for x in (c.x - 1).max(1)..=(c.x + 1).min(size.width() - 2) {
            let height = level.height(Point::new(x, y));
            if !above(height) {
                let weight = 4 - (x - c.x).abs() - (y - c.y).abs();
                sum += height * weight;
                weights += weight;
            }
        }
    }
    if weights > 0 {
        site.level.set_height(c, sum / weights);
    }
}

/// Smoothes everything, from the middle outwards.
pub(crate) fn smooth_all(site: &mut Site) {
    let size = site.level.size();
    let (right, bottom) = (size.width() - 1, size.height() - 1);
    for y in (0..=bottom / 2).rev() {
        for x in (0..=right / 2).rev() {
            for p in [(x, y), (right - x, y), (x, bottom - y), (right - x, bottom - y)] {
                smooth_at(site, Point::new(p.0, p.1), None);
            }
        }
    }
}

pub(crate) fn distance_squared(a: Point, b: Point) -> i32 {
    (a.x - b.x).pow(2) + (a.y - b.y).pow(2)
}

/// Returns whether a cell keeps the margin of an island.
pub(crate) fn keeps_margin(site: &Site, p: Point, margin: i32) -> bool {
    p.is_within(site.level.size(), margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    /// A limit above all heights leaves none out, so that what is summed cell by cell is the same.
    #[test]
    fn where_all_nine_count_they_do_as_one_by_one() {
        let rows = vec![".".repeat(9); 9];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let smoothed = |limit: Option<i32>| {
            Drawn::of(&rows).seeded(3).run(|site| {
                for p in site.level.points() {
                    let height = site.ctx.rng.random_range(-90, 90);
                    site.level.set_height(p, height);
                }
                for p in site.level.points() {
                    smooth_at(site, p, limit);
                }
                site.level.heights.clone()
            })
        };
        assert_eq!(smoothed(None), smoothed(Some(1000)));
    }
}
