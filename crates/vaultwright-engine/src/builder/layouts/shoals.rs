//! `dgn.layout_shoals` (spec 05 §13.3).

use vaultwright_map::Point;

use super::sea_floor::deepen;
use crate::builder::heights::{
    Island, distance_squared, initialise, keeps_margin, raise_island, smooth_all, smooth_at,
};
use crate::builder::stairs::place_stone_stairs;
use crate::observe::trace::heights_hash;
use crate::place::path::{find_path, find_target};
use crate::state::site::{Site, Veto, direction, quadrants};
use crate::state::tide::feature_of_height;

/// Islands and cliffs in an open sea.
pub(crate) fn lay_shoals(site: &mut Site) -> Result<(), Veto> {
    let (rock, sea) = (site.rock_wall(), site.id("open_sea"));
    for p in site.level.points() {
        if site.is(p, rock) && !site.masked(p) {
            site.set(p, sea);
        }
    }
    site.note("shoals_sea", |_| String::new());
    initialise(site, -33);
    islands(site);
    site.note("shoals_islands", |site| heights_hash(site.level));
    for _ in 0..site.ctx.rng.random_range_avg(0, 6, 2) {
        cliff(site);
    }
    site.note("shoals_cliffs", |site| heights_hash(site.level));
    smooth_all(site);
    apply_heights(site, |site, p| !site.masked(p));
    site.note("shoals_level", |site| heights_hash(site.level));
    if site.ctx.content.rules.shoals_deepened_at_once {
        deepen(site);
        site.note("shoals_deepened", |site| heights_hash(site.level));
    }
    place_stone_stairs(site, false)?;
    site.note("shoals_stairs", |_| String::new());
    Ok(())
}

fn islands(site: &mut Site) {
    let count = 20 - 2 * (site.ctx.place.depth - 1);
    let mut centres: Vec<Point> = Vec::new();
    for _ in 0..count {
        let mut centre = Point::new(0, 0);
        for _ in 0..15 {
            centre = site.random_in_margin(12);
            if centres.iter().all(|&other| distance_squared(other, centre) >= 25) {
                break;
            }
        }
        centres.push(centre);
        let points = site.ctx.rng.random_range(50, 60);
        let radius = site.ctx.rng.random_range(3, 10);
        let atoll = site.ctx.rng.x_chance_in_y(10, 100);
        let island = Island { centre, points, radius, heights: (80, 110), margin: 6 };
        raise_island(site, island, atoll);
        for _ in 0..site.ctx.rng.random_range(0, 3) {
            let offset = site.ctx.rng.random_range(2, 10);
            if let Some(centre) = site.point_from(centre, offset, 6) {
                let points = site.ctx.rng.random_range(25, 45);
                let radius = site.ctx.rng.random_range(2, 7);
                let atoll = site.ctx.rng.x_chance_in_y(10, 100);
                let island = Island { centre, points, radius, heights: (50, 65), margin: 6 };
                raise_island(site, island, atoll);
            }
        }
    }
}

fn cliff(site: &mut Site) {
    let start = site.random_in_margin(12);
    let length = site.ctx.rng.random_range(6, 15);
    let (cos, sin) = direction(site.ctx.rng.random2(360));
    for i in (0..length).step_by(3) {
        let along = f64::from(i - length / 2);
        let x = start.x + (along * cos) as i32 + site.ctx.rng.random_range(-2, 2);
        let y = start.y + (along * sin) as i32 + site.ctx.rng.random_range(-2, 2);
        let points = site.ctx.rng.random_range(40, 60);
        let centre = Point::new(x, y);
        let island = Island { centre, points, radius: 3, heights: (100, 130), margin: 6 };
        raise_island(site, island, false);
    }
}

/// Gives cells the feature of their height.
fn apply_heights(site: &mut Site, wanted: impl Fn(&Site, Point) -> bool) {
    for p in site.inner() {
        if wanted(site, p) {
            let feature = feature_of_height(site.ctx.content, site.level.height(p));
            site.set(p, feature);
        }
    }
}

/// Joins an exit by raising land along a path (spec 05 §13.7).
pub(crate) fn connect_in_shoals(site: &mut Site, exit: Point) -> bool {
    if site.level.heights.is_none() {
        return false;
    }
    let Some(target) = find_target(site.level, exit, site.ctx) else { return false };
    let path = find_path(site.level, exit, target, site.ctx).unwrap_or_default();
    let path: Vec<Point> = path.into_iter().filter(|&p| !site.masked(p)).collect();
    if path.is_empty() {
        return false;
    }
    for &centre in &path {
        let mut sum = 0;
        for y in -4..=4 {
            for x in -4..=4 {
                let p = centre.offset((x, y));
                if x * x + y * y <= 16 && vaultwright_level::in_bounds(p) {
                    sum += site.level.height(p);
                }
            }
        }
        if sum < 0 {
            let rise = (-sum / 15 + 1).max(1);
            let heights = (rise, rise + 20);
            raise_island(site, Island { centre, points: 15, radius: 4, heights, margin: 3 }, false);
        }
    }
    for &centre in path.iter().rev() {
        // By columns, which matters: each cell is smoothed with the cells smoothed before it.
        for a in 0..=5 {
            for b in 0..=5 {
                for (y, x) in quadrants((b, a)) {
                    let p = centre.offset((x, y));
                    if keeps_margin(p, 3) {
                        smooth_at(site, p, 1, None);
                    }
                }
            }
        }
    }
    for &centre in path.iter().rev() {
        for p in vaultwright_level::Level::rectangle(centre.offset((-6, -6)), centre.offset((6, 6)))
        {
            let height = site.level.height(p).min(134);
            site.level.set_height(p, height);
        }
        let height = site.level.height(centre).max(-15);
        site.level.set_height(centre, height);
    }
    let (rock, stone, floor) = (site.rock_wall(), site.id("stone_wall"), site.floor());
    apply_heights(site, |site, p| {
        let here = site.feature(p);
        !site.masked(p) && (site.flags(p).water() || here == rock || here == stone || here == floor)
    });
    site.note("shoals_connect", |site| {
        let ends = format!("{},{} to {},{}", exit.x, exit.y, target.x, target.y);
        format!("{ends} path={} {}", path.len(), heights_hash(site.level))
    });
    true
}
