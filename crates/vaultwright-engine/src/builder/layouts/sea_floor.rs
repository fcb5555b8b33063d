//! Heights of the Shoals once the level stands (spec 05 §13.4).

use std::collections::VecDeque;

use vaultwright_content::FeatureId;
use vaultwright_map::{ADJACENT, ORTHOGONAL, Point};

use crate::place::heights::smooth_at;
use crate::state::site::Site;
use crate::state::tide::feature_of_height;

/// The greatest height of a cell under deep water.
const DEEP: i32 = -31;
/// The greatest height of a cell under water.
const WET: i32 = -1;
/// The greatest height of a cell that one can stand on.
const DRY: i32 = 134;

/// Gives the cells of vaults their heights, and the sea its depth if it has none yet.
pub(crate) fn finish_shoals(site: &mut Site) {
    if site.level.heights.is_none() {
        return;
    }
    if site.ctx.content.rules.shoals_deepened_at_once {
        correct_vaults(site);
    } else {
        slope_vaults(site);
        deepen(site);
    }
}

/// Lowers the sea away from the shore and at the edge, and smoothes it (spec 05 §13.4).
pub(crate) fn deepen(site: &mut Site) {
    let (deep, shallow) = (site.known().deep_water, site.known().shallow_water);
    let mut ring: Vec<Point> =
        site.inner().filter(|&p| site.is(p, deep) && site.next_to(p, shallow)).collect();
    let mut seen: std::collections::HashSet<Point> = ring.iter().copied().collect();
    let mut distance = 0;
    while !ring.is_empty() {
        let mut next = Vec::new();
        for p in ring {
            let height = site.level.height(p);
            site.level.set_height(p, height - 7 * distance);
            for q in ORTHOGONAL.map(|step| p.offset(step)) {
                if site.level.in_bounds(q) && site.is(q, deep) && seen.insert(q) {
                    next.push(q);
                }
            }
        }
        ring = next;
        distance += 1;
    }
    let size = site.level.size();
    let (right, bottom) = (size.width() - 2, size.height() - 2);
    // At once nothing but the sea is there.
    let at_once = site.ctx.content.rules.shoals_deepened_at_once;
    let mut lower = |p: Point| {
        if at_once || site.is(p, deep) {
            let height = site.level.height(p);
            site.level.set_height(p, height - 1000);
        }
    };
    for y in 1..bottom {
        lower(Point::new(1, y));
        lower(Point::new(right, y));
    }
    for x in 1..right {
        lower(Point::new(x, 1));
        lower(Point::new(x, bottom));
    }
    for p in site.level.points() {
        if site.level.height(p) <= DEEP {
            smooth_at(site, p, Some(DEEP));
        }
    }
}

/// Gives vault cells whose feature is not that of their height the height of their feature.
fn correct_vaults(site: &mut Site) {
    let no_tide = site.ctx.content.names().properties.get("no_tide").unwrap_or(0);
    for p in site.inner() {
        if !site.masked(p) || site.level.properties(p) & no_tide != 0 {
            continue;
        }
        let (floor, shallow) = (site.floor(), site.known().shallow_water);
        let here = site.feature(p);
        let counts = here == floor || here == shallow || site.flags(p).solid();
        if counts && here != feature_of_height(site.ctx.content, site.level.height(p)) {
            let height = height_of_feature(site, here);
            site.level.set_height(p, height);
        }
    }
}

/// Returns the height that stands for a feature.
fn height_of_feature(site: &Site, feature: FeatureId) -> i32 {
    if feature == site.known().stone_wall {
        400
    } else if feature == site.known().shallow_water {
        -30
    } else if feature == site.known().deep_water {
        DEEP
    } else if site.flags_of(feature).solid() {
        135
    } else {
        0
    }
}

/// Makes vault cells slope from the sea to the land, where the vault has not given them a height.
fn slope_vaults(site: &mut Site) {
    let from_deep = distances(site, |height| height <= DEEP, |to, from| to >= from);
    let from_land = distances(site, |height| height >= 0, |to, from| to <= from);
    let from_water = distances(site, |height| height <= WET, |to, from| to >= from);
    for p in site.inner().filter(|&p| site.masked(p)).collect::<Vec<_>>() {
        let here = site.feature(p);
        if let Some(&(height, feature)) = site.level.given_heights.get(&p)
            && feature == here
        {
            site.level.set_height(p, height);
            continue;
        }
        let at = site.level.index_of(p);
        let height = if here == site.known().shallow_water {
            match (from_deep[at], from_land[at]) {
                (Some(deep), Some(land)) if deep > 0 && land > 0 => {
                    -30 + 30 * (2 * deep - 1) / ((deep + land) * 2 - 1)
                }
                (Some(deep), _) if deep > 0 => (-30 + 7 * (deep - 1)).min(WET),
                (_, Some(land)) if land > 0 => (-7 * land).max(-30),
                _ => -30,
            }
        } else if here == site.floor() {
            match from_water[at] {
                Some(distance) if distance > 0 => (7 * (distance - 1)).min(DRY),
                _ => DRY,
            }
        } else {
            height_of_feature(site, here)
        };
        site.level.set_height(p, height);
    }
}

/// Returns for each cell the steps from the nearest start, over cells whose heights go one way.
fn distances(
    site: &Site,
    is_start: impl Fn(i32) -> bool,
    may_step: impl Fn(i32, i32) -> bool,
) -> Vec<Option<i32>> {
    let heights: Vec<i32> =
        site.level.features().iter().map(|&id| height_of_feature(site, id)).collect();
    let mut steps: Vec<Option<i32>> = vec![None; heights.len()];
    let mut queue: VecDeque<Point> =
        site.level.points().filter(|&p| is_start(heights[site.level.index_of(p)])).collect();
    queue.iter().for_each(|&p| steps[site.level.index_of(p)] = Some(0));
    while let Some(p) = queue.pop_front() {
        let (height, step) = (heights[site.level.index_of(p)], steps[site.level.index_of(p)]);
        for q in ADJACENT.map(|step| p.offset(step)).into_iter().filter(|&q| site.level.holds(q)) {
            if steps[site.level.index_of(q)].is_none()
                && may_step(heights[site.level.index_of(q)], height)
            {
                steps[site.level.index_of(q)] = step.map(|step| step + 1);
                queue.push_back(q);
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn only_the_sea_is_lower_at_the_edge() {
        let mut drawn = Drawn::of(&["~"]);
        let [sea, land] = [Point::new(1, 10), Point::new(1, 20)];
        let heights = drawn.run(|site| {
            let water = site.known().deep_water;
            site.set(sea, water);
            deepen(site);
            [sea, land].map(|p| site.level.height(p))
        });
        assert_eq!(heights, [-1000, 0]);
    }
}
