//! Ways to vaults in the Shoals (spec 05 §13.7).

use vaultwright_map::Point;

use super::heights::{Island, keeps_margin, raise_island, smooth_at};
use super::path::{find_path, find_target};
use crate::observe::trace::heights_hash;
use crate::state::site::{Site, quadrants};
use crate::state::tide::feature_of_height;

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
                if x * x + y * y <= 16 && site.level.in_bounds(p) {
                    sum += site.level.height(p);
                }
            }
        }
        if sum < 0 {
            let rise = (-sum / 15 + 1).max(1);
            let heights = (rise, rise + 20);
            raise_island(site, Island { centre, points: 15, radius: 4, heights, margin: 3 });
        }
    }
    for &centre in path.iter().rev() {
        // By columns, which matters: each cell is smoothed with the cells smoothed before it.
        for a in 0..=5 {
            for b in 0..=5 {
                for (y, x) in quadrants((b, a)) {
                    let p = centre.offset((x, y));
                    if keeps_margin(site, p, 3) {
                        smooth_at(site, p, None);
                    }
                }
            }
        }
    }
    for &centre in path.iter().rev() {
        for p in site.level.rectangle(centre.offset((-6, -6)), centre.offset((6, 6))) {
            let height = site.level.height(p).min(134);
            site.level.set_height(p, height);
        }
        let height = site.level.height(centre).max(-15);
        site.level.set_height(centre, height);
    }
    let (rock, stone, floor) = (site.rock_wall(), site.known().stone_wall, site.floor());
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

/// Gives cells the feature of their height.
pub(crate) fn apply_heights(site: &mut Site, wanted: impl Fn(&Site, Point) -> bool) {
    for p in site.inner() {
        if wanted(site, p) {
            let feature = feature_of_height(site.ctx.content, site.level.height(p));
            site.set(p, feature);
        }
    }
}
