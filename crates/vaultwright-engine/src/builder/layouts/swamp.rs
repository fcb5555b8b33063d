//! `dgn.layout_swamp` (spec 05 §13.2).

use vaultwright_content::FeatureId;
use vaultwright_level::{Level, mask};
use vaultwright_map::Point;

use crate::observe::trace::heights_hash;
use crate::place::heights::{Island, distance_squared, initialise, raise_island, smooth_all};
use crate::state::site::Site;

/// Lays water, land and mangroves by height.
pub(crate) fn lay_swamp(site: &mut Site) {
    let depth = site.ctx.place.depth;
    let damp = 3 * (depth - 1);
    initialise(site, -19);
    let size = site.level.size();
    let margin = site.margin(15);
    let middle = Point::middle_of(size);
    let reach = middle.x * middle.x;
    for y in (margin..size.height() - 1 - margin).step_by(4) {
        for x in (margin..size.width() - 1 - margin).step_by(4) {
            let centre = site.point_from(Point::new(x, y), 9, margin).unwrap_or(Point::new(0, 0));
            let closeness = reach - distance_squared(centre, middle);
            let offset = closeness * 10 / reach;
            let points = site.ctx.rng.random_range(5, 25 - damp / 2);
            let radius = site.ctx.rng.random_range(2, 6);
            let heights = (8 + offset, 17 + offset);
            raise_island(site, Island { centre, points, radius, heights, margin });
        }
    }
    site.note("swamp_patches", |site| heights_hash(site.level));
    smooth_all(site);
    site.note("swamp_smoothed", |site| heights_hash(site.level));
    let (mangrove, floor) = (site.known().mangrove, site.floor());
    let shallow = site.known().shallow_water;
    let feature_at = |level: &Level, p: Point| {
        let height = level.height(p);
        let outside = !p.is_within(size, 6);
        if outside {
            mangrove
        } else if height > 8 - 2 * depth {
            shallow
        } else if height > -8 {
            floor
        } else if height > -10 {
            shallow
        } else {
            mangrove
        }
    };
    let is_free = |at: usize| site.level.masks()[at] & mask::VAULT == 0;
    for (first, cells) in site.level.stretches(is_free) {
        let places = (0..cells as i32).map(|step| first.offset((step, 0)));
        let row: Vec<FeatureId> = places.map(|p| feature_at(site.level, p)).collect();
        site.level.set_row(first, &row);
    }
    site.level.heights = None;
    site.note("swamp_level", |_| String::new());
}
