//! `dgn.layout_bigger_room` and `dgn.layout_chaotic_city` (spec 05 §14.11, §14.12).

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use super::extras::{lake, pools, river};
use super::rooms::{box_room, octagon};
use crate::builder::stairs::place_stone_stairs;
use crate::observe::veto::Veto;
use crate::place::zones::Hatches;
use crate::state::site::Site;

/// Lays one big room with pools.
pub(crate) fn lay_bigger_room(site: &mut Site) -> Result<(), Veto> {
    let size = site.level.size();
    clear(site, Point::new(10, 10), Point::new(size.width() - 11, size.height() - 11));
    let (deep, tree) = (site.known().deep_water, site.known().tree);
    let feature = if site.ctx.rng.one_chance_in(15) { tree } else { deep };
    pools(site, feature);
    if site.ctx.rng.one_chance_in(3) {
        match site.ctx.rng.coinflip() {
            true => river(site, deep),
            false => lake(site, deep),
        }
    }
    place_stone_stairs(site, Hatches::Count)
}

fn clear(site: &mut Site, a: Point, b: Point) {
    let (rock, floor) = (site.rock_wall(), site.floor());
    for p in site.level.rectangle(a, b) {
        if site.is(p, rock) && !site.masked(p) {
            site.set(p, floor);
        }
    }
}

/// Lays a city of boxes, in one material or many.
pub(crate) fn lay_chaotic_city(site: &mut Site, material: Option<FeatureId>) {
    let boxes = [4000, 3000, 5000, 2000, 1000][site.ctx.rng.weighted_chain(&[32, 24, 16, 8, 1])];
    let walls = ["rock_wall", "stone_wall", "metal_wall"].map(|name| site.id(name));
    let mut wall = match material {
        Some(material) => material,
        None => walls[site.ctx.rng.weighted_chain(&[10, 5, 3])],
    };
    let size = site.level.size();
    clear(site, Point::new(10, 10), Point::new(size.width() - 10, size.height() - 10));
    let floor = site.floor();
    for _ in 0..boxes {
        let rng = &mut site.ctx.rng;
        let mut width = 3 + rng.random2(7);
        width += rng.random2(5);
        let mut height = 3 + rng.random2(7);
        height += rng.random2(5);
        let x1 = 11 + rng.random2(size.width() - 21 - width);
        let y1 = 11 + rng.random2(size.height() - 21 - height);
        let (a, b) = (Point::new(x1, y1), Point::new(x1 + width, y1 + height));
        let mut around = site.level.rectangle(a.offset((-1, -1)), b.offset((1, 1)));
        if !site.is_open_area(a, b) || !around.all(|p| site.is(p, floor)) {
            continue;
        }
        if material.is_none() && site.ctx.rng.one_chance_in(3) {
            wall = walls[site.ctx.rng.weighted_chain(&[261, 116, 40])];
        }
        if site.ctx.rng.one_chance_in(3) {
            box_room(site, a, b, wall);
        } else {
            for p in site.level.rectangle(a, b) {
                if site.is(p, floor) {
                    site.set(p, wall);
                }
            }
        }
    }
    site.note("city_boxes", |_| format!("n={boxes}"));
    let a = Point::new(site.across(25), site.down(25));
    let b = Point::new(site.across(55), site.down(45));
    if site.is_open_area(a, b) && site.ctx.rng.one_chance_in(4) {
        let oblique = match !site.ctx.rng.one_chance_in(4) {
            true => 5 + site.ctx.rng.random2(20),
            false => 0,
        };
        let feature = match site.ctx.rng.one_chance_in(10) {
            true => {
                let liquids = ["deep_water", "lava"].map(|name| site.id(name));
                liquids[site.ctx.rng.random2(2) as usize]
            }
            false => floor,
        };
        octagon(site, a, b, oblique, feature);
    }
}
