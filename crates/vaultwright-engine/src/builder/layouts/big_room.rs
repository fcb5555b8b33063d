//! Big rooms and diamond rooms of the basic layout (spec 05 §14.4, §14.5).

use vaultwright_map::Point;

use super::rooms::{box_room, octagon};
use crate::state::site::Site;

/// Lays one room that takes up much of the level, perhaps with a pattern.
pub(crate) fn big_room(site: &mut Site) {
    let depth = site.absolute_depth();
    let (deep, lava, floor) = (site.known().deep_water, site.known().lava, site.floor());
    let mut fill = floor;
    if site.ctx.rng.one_chance_in(4) {
        let oblique = 5 + site.ctx.rng.random2(20);
        let Some((a, b)) = rectangle(site) else { return };
        if !site.ctx.rng.one_chance_in(5) || depth < 8 + site.ctx.rng.random2(8) {
            octagon(site, a, b, oblique, floor);
            return;
        }
        fill = lava;
        if depth > 7 {
            fill = if site.ctx.rng.x_chance_in_y(14, depth) { deep } else { lava };
        }
        octagon(site, a, b, oblique, fill);
    }
    let Some((a, b)) = rectangle(site) else { return };
    if depth > 7 && site.ctx.rng.one_chance_in(4) {
        fill = if site.ctx.rng.x_chance_in_y(14, depth) { deep } else { lava };
    }
    let (rock, door) = (site.rock_wall(), site.known().closed_door);
    for p in site.level.rectangle(a, b) {
        if site.is(p, rock) || site.is(p, door) {
            site.set(p, fill);
        }
    }
    let mut second = floor;
    if fill == floor {
        let walls = ["metal_wall", "crystal_wall", "rock_wall", "slimy_wall", "stone_wall"];
        loop {
            let index = site.ctx.rng.random2(walls.len() as i32) as usize;
            if walls[index] != "slimy_wall" {
                second = site.id(walls[index]);
                break;
            }
        }
    }
    if fill == lava && site.traits().no_lava {
        fill = site.known().shallow_water;
    }
    if site.ctx.rng.one_chance_in(4) {
        for p in site.level.rectangle(a, b) {
            if site.is(p, fill) && (p.x + p.y) % 2 == 1 {
                site.set(p, second);
            }
        }
    } else if site.ctx.rng.one_chance_in(6) {
        nested_boxes(site, a, b);
    }
}

fn nested_boxes(site: &mut Site, mut a: Point, mut b: Point) {
    let wall = site.known().stone_wall;
    loop {
        a.x += 2 + site.ctx.rng.random2(3);
        a.y += 2 + site.ctx.rng.random2(3);
        b.x -= 2 + site.ctx.rng.random2(3);
        b.y -= 2 + site.ctx.rng.random2(3);
        if a.x >= b.x - 3 || a.y >= b.y - 3 {
            return;
        }
        box_room(site, a, b, wall);
    }
}

/// Returns a large free rectangle: its first and last cell.
fn rectangle(site: &mut Site) -> Option<(Point, Point)> {
    for _ in 0..201 {
        let (columns, rows) = (site.across(30), site.down(22));
        let rng = &mut site.ctx.rng;
        let a = Point::new(8 + rng.random2(columns), 8 + rng.random2(rows));
        let (width, height) = (21 + rng.random2(10), 21 + rng.random2(8));
        let b = a.offset((width - 1, height - 1));
        if site.level.in_bounds(b) && site.is_open_area(a, b) {
            return Some((a, b));
        }
    }
    None
}

/// Rooms with cut corners, filled with something.
pub(crate) fn diamond_rooms(site: &mut Site) {
    let depth = site.absolute_depth();
    let count = 1 + site.ctx.rng.random2(10);
    if site.traits().no_diamonds {
        return;
    }
    let mut name = "deep_water";
    let rng = &mut site.ctx.rng;
    if depth > 5 + rng.random2(5) && rng.coinflip() {
        name = "shallow_water";
    }
    if depth > 10 + rng.random2(5) && rng.coinflip() {
        name = "deep_water";
    }
    if depth > 17 && rng.coinflip() {
        name = "lava";
    }
    if depth > 10 && rng.one_chance_in(15) {
        name = ["stone_wall", "rock_wall"][rng.random2(2) as usize];
    }
    if depth > 12 && rng.one_chance_in(20) {
        name = "metal_wall";
    }
    name = site.traits().liquid.as_deref().unwrap_or(name);
    let feature = site.id(name);
    for _ in 0..count {
        let mut found = None;
        for _ in 0..201 {
            let (columns, rows) = (site.across(43), site.down(35));
            let rng = &mut site.ctx.rng;
            let a = Point::new(8 + rng.random2(columns), 8 + rng.random2(rows));
            let (width, height) = (6 + rng.random2(15), 6 + rng.random2(10));
            let b = a.offset((width - 1, height - 1));
            if site.level.in_bounds(b) && site.is_open_area(a, b) {
                found = Some((a, b, width));
                break;
            }
        }
        let Some((a, b, width)) = found else { return };
        octagon(site, a, b, width / 2, feature);
    }
}
