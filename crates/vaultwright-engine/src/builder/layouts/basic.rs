//! `dgn.layout_basic` (spec 05 §14.1, §14.2).

use vaultwright_map::{ORTHOGONAL, Point};

use super::big_room::{big_room, diamond_rooms};
use super::extras::extras;
use super::rooms::{RoomPlan, random_rooms};
use crate::place::path::join_the_dots;
use crate::state::site::Site;

/// Digs trails with stairs at their ends, and rooms along them.
pub(crate) fn lay_basic(site: &mut Site) {
    let rng = &mut site.ctx.rng;
    let corridor = 2 + rng.random2(14);
    let steps = match rng.one_chance_in(100) {
        true => 500 + rng.random2(500),
        false => 30 + rng.random2(200),
    };
    let stop = if rng.one_chance_in(20) { 400 } else { rng.random2(20) };
    let mut starts = Vec::new();
    let boxes = [(35, 30, 35, 20), (10, 15, 10, 15), (50, 20, 10, 15)];
    for (number, (x, width, y, height)) in ["i", "ii", "iii"].into_iter().zip(boxes) {
        let start_box = (site.across(x), site.across(width), site.down(y), site.down(height));
        let trail = dig_trail(site, start_box, corridor, steps, stop);
        site.note("basic_trail", |_| {
            let [begin, end] = [trail.0, trail.1].map(|end| end.unwrap_or(Point::new(0, 0)));
            format!("begin={},{} end={},{}", begin.x, begin.y, end.x, end.y)
        });
        if let (Some(start), Some(end)) = trail {
            let down = site.id(&format!("stone_stairs_down_{number}"));
            let up = site.id(&format!("stone_stairs_up_{number}"));
            site.set(start, down);
            site.set(end, up);
            starts.push(Some(start));
        } else {
            starts.push(None);
        }
    }
    for (from, to) in [(0, 1), (0, 2), (1, 2)] {
        if let (Some(from), Some(to)) = (starts[from], starts[to]) {
            join_the_dots(site.level, from, to, site.ctx);
        }
    }
    site.note("basic_joined", |_| String::new());
    let depth = site.absolute_depth();
    if depth > 1 && site.ctx.rng.one_chance_in(16) {
        big_room(site);
    }
    if site.ctx.rng.random2(depth) > 6 && site.ctx.rng.one_chance_in(3) {
        diamond_rooms(site);
    }
    site.note("basic_special_rooms", |_| String::new());
    let rng = &mut site.ctx.rng;
    let doors = rng.random2(11);
    let mut size = 4 + rng.random2(5);
    size += rng.random2(6);
    let many = 5 + rng.random2avg(29, 2);
    let count = [many, 100, 1][rng.weighted_chain(&[636, 49, 15])];
    site.note("basic_room_numbers", |_| format!("rooms={count} doorlevel={doors} roomsize={size}"));
    let most_doors = 2 + site.ctx.rng.random2(8);
    let (most_x, most_y) = (site.across(50), site.down(40));
    let plan = RoomPlan { count, most_doors, doors, most_x, most_y, most_size: size };
    random_rooms(site, plan);
    site.note("basic_rooms", |_| "first".to_owned());
    let count = 1 + site.ctx.rng.random2(3);
    let (most_x, most_y) = (site.across(55), site.down(45));
    random_rooms(site, RoomPlan { count, most_doors: 1, doors, most_x, most_y, most_size: 6 });
    site.note("basic_rooms", |_| "second".to_owned());
    extras(site);
    site.note("basic_extras", |_| String::new());
}

/// Digs a trail. Returns its start and its end, if it has any.
fn dig_trail(
    site: &mut Site,
    start_box: (i32, i32, i32, i32),
    corridor: i32,
    steps: i32,
    stop: i32,
) -> (Option<Point>, Option<Point>) {
    let Some(start) = trail_start(site, start_box) else { return (None, None) };
    let floor = site.floor();
    let mut p = start;
    let (mut length, mut done, mut rounds) = (0, 0, 0);
    while done < steps {
        if rounds >= 200 {
            return (Some(start), None);
        }
        rounds += 1;
        let step = trail_step(site, p);
        if site.masked(p.offset(step)) {
            continue;
        }
        let is_vertical = step.0 == 0;
        if is_vertical || length == 0 {
            length = site.ctx.rng.random2(corridor) + 2;
        }
        p = dig_straight(site, p, step, length, stop);
        if done == steps - 1 && !site.is(p, floor) {
            done -= 2;
        }
        done += 1;
    }
    (Some(start), Some(p))
}

/// Draws a cell beside rock, on which a trail can begin. Returns `None` if no draw finds one.
fn trail_start(site: &mut Site, (x0, width, y0, height): (i32, i32, i32, i32)) -> Option<Point> {
    let (rock, floor) = (site.rock_wall(), site.floor());
    for _ in 0..201 {
        let x = x0 + site.ctx.rng.random2(width);
        let p = Point::new(x, y0 + site.ctx.rng.random2(height));
        let wall_beside = ORTHOGONAL.iter().any(|&step| {
            let q = p.offset(step);
            site.level.in_bounds(q) && site.is(q, rock) && !site.masked(q)
        });
        if (site.is(p, rock) || site.is(p, floor)) && !site.masked(p) && wall_beside {
            return Some(p);
        }
    }
    None
}

/// Draws the direction in which a trail goes on: away from a near edge, more often than not.
fn trail_step(site: &mut Site, p: Point) -> (i32, i32) {
    let level = site.level.size();
    let horizontal = site.ctx.rng.coinflip();
    let (position, size) = if horizontal { (p.x, level.width()) } else { (p.y, level.height()) };
    let mut along = match position {
        near if near < site.margin(15) => 1,
        far if far > size - site.margin(15) => -1,
        _ => 0,
    };
    if along == 0 || site.ctx.rng.x_chance_in_y(2, 5) {
        along = [-1, 1][site.ctx.rng.random2(2) as usize];
    }
    if horizontal { (along, 0) } else { (0, along) }
}

/// Digs in one direction, turning back at the edge of the level, and perhaps stops where it meets
/// floor. Returns the cell that it comes to.
fn dig_straight(
    site: &mut Site,
    mut p: Point,
    mut step: (i32, i32),
    length: i32,
    stop: i32,
) -> Point {
    let (rock, floor) = (site.rock_wall(), site.floor());
    let level = site.level.size();
    for _ in 0..length {
        if p.x < 4 {
            step = (1, 0);
        }
        if p.x > level.width() - 5 {
            step = (-1, 0);
        }
        if p.y < 4 {
            step = (0, 1);
        }
        if p.y > level.height() - 5 {
            step = (0, -1);
        }
        if site.masked(p.offset(step)) {
            break;
        }
        let ahead = p.offset((2 * step.0, 2 * step.1));
        if site.is(ahead, floor) && !site.ctx.rng.one_chance_in(stop) {
            break;
        }
        p = p.offset(step);
        if site.is(p, rock) {
            site.set(p, floor);
        }
    }
    p
}
