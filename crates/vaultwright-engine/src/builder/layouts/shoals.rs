//! `dgn.layout_shoals` (spec 05 §13.3).

use vaultwright_map::Point;

use super::sea_floor::deepen;
use crate::builder::stairs::place_stone_stairs;
use crate::observe::trace::heights_hash;
use crate::observe::veto::Veto;
use crate::place::heights::{
    Island, distance_squared, initialise, raise_atoll, raise_island, smooth_all,
};
use crate::place::shoals_exits::apply_heights;
use crate::place::zones::Hatches;
use crate::state::site::{Site, direction};

/// Lays islands and cliffs in an open sea.
pub(crate) fn lay_shoals(site: &mut Site) -> Result<(), Veto> {
    let (rock, sea) = (site.rock_wall(), site.known().open_sea);
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
    place_stone_stairs(site, Hatches::Ignored)?;
    site.note("shoals_stairs", |_| String::new());
    Ok(())
}

fn islands(site: &mut Site) {
    let count = 20 - 2 * (site.ctx.place.depth - 1);
    let mut centres: Vec<Point> = Vec::new();
    for _ in 0..count {
        let mut centre = Point::new(0, 0);
        for _ in 0..15 {
            centre = site.random_in_margin(site.margin(12));
            if centres.iter().all(|&other| distance_squared(other, centre) >= 25) {
                break;
            }
        }
        centres.push(centre);
        let points = site.ctx.rng.random_range(50, 60);
        let radius = site.ctx.rng.random_range(3, 10);
        let atoll = site.ctx.rng.x_chance_in_y(10, 100);
        let island = Island { centre, points, radius, heights: (80, 110), margin: 6 };
        if atoll {
            raise_atoll(site, island)
        } else {
            raise_island(site, island)
        }
        for _ in 0..site.ctx.rng.random_range(0, 3) {
            let offset = site.ctx.rng.random_range(2, 10);
            if let Some(centre) = site.point_from(centre, offset, 6) {
                let points = site.ctx.rng.random_range(25, 45);
                let radius = site.ctx.rng.random_range(2, 7);
                let atoll = site.ctx.rng.x_chance_in_y(10, 100);
                let island = Island { centre, points, radius, heights: (50, 65), margin: 6 };
                if atoll { raise_atoll(site, island) } else { raise_island(site, island) }
            }
        }
    }
}

fn cliff(site: &mut Site) {
    let start = site.random_in_margin(site.margin(12));
    let length = site.ctx.rng.random_range(6, 15);
    let (cos, sin) = direction(site.ctx.rng.random2(360));
    for i in (0..length).step_by(3) {
        let along = f64::from(i - length / 2);
        let x = start.x + (along * cos) as i32 + site.ctx.rng.random_range(-2, 2);
        let y = start.y + (along * sin) as i32 + site.ctx.rng.random_range(-2, 2);
        let points = site.ctx.rng.random_range(40, 60);
        let centre = Point::new(x, y);
        let island = Island { centre, points, radius: 3, heights: (100, 130), margin: 6 };
        raise_island(site, island);
    }
}
