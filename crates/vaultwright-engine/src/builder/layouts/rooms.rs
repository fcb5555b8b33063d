//! Rooms of the host layouts (spec 05 §14.3, §14.7, §14.8).

use vaultwright_content::{FeatureId, FeatureSet};
use vaultwright_level::mask;
use vaultwright_map::{ORTHOGONAL, Point};

use crate::state::site::Site;

/// Bounds of random rooms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomPlan {
    pub(crate) count: i32,
    pub(crate) most_doors: i32,
    pub(crate) doors: i32,
    pub(crate) most_x: i32,
    pub(crate) most_y: i32,
    pub(crate) most_size: i32,
}

/// Rooms at random places that touch what has been dug.
pub(crate) fn random_rooms(site: &mut Site, plan: RoomPlan) {
    let meets_vaults = site.level.has_mask(mask::VAULT);
    let ways_in = site.ctx.content.features().set_of(|id| {
        let flags = site.flags_of(id);
        (!flags.solid() || flags.closed_door()) && !flags.critical()
    });
    let mut failures = 0;
    let mut made = 0;
    while made < plan.count {
        let mut room = None;
        for _ in 0..201 {
            let rng = &mut site.ctx.rng;
            let (sx, sy) = (8 + rng.random2(plan.most_x), 8 + rng.random2(plan.most_y));
            let (ex, ey) =
                (sx + 2 + rng.random2(plan.most_size), sy + 2 + rng.random2(plan.most_size));
            let corners = (Point::new(sx, sy), Point::new(ex, ey));
            // The walls of a room lie around it.
            let fits = corners.1.is_within(site.level.size(), 2);
            if fits && (!meets_vaults || site.is_open_area(corners.0, corners.1)) {
                room = Some(corners);
                break;
            }
        }
        let Some((a, b)) = room else { return };
        if make_room(site, a, b, plan, &ways_in) {
            made += 1;
        } else {
            failures += 1;
            if failures > 30 {
                made += 1;
                failures = 0;
            }
        }
    }
}

fn make_room(site: &mut Site, a: Point, b: Point, plan: RoomPlan, ways_in: &FeatureSet) -> bool {
    let among = |left: Point, right: Point| {
        let level = &*site.level;
        let row = &level.features()[level.index_of(left)..=level.index_of(right)];
        row.iter().filter(|&&id| ways_in.contains(id)).count() as i32
    };
    let good = |p: Point| among(p, p);
    let corners = [a, b, Point::new(b.x, a.y), Point::new(a.x, b.y)];
    let mut perimeter = among(a, corners[2]) + among(corners[3], b);
    for y in a.y + 1..b.y {
        perimeter += good(Point::new(a.x, y)) + good(Point::new(b.x, y));
    }
    let corners: i32 = corners.into_iter().map(good).sum();
    if (perimeter + corners > 1 && plan.most_doors == 1)
        || perimeter == 0
        || perimeter > plan.most_doors
    {
        return false;
    }
    let floor = site.floor();
    for p in site.level.rectangle(a, b) {
        if !site.flags(p).dry_floor() {
            site.set(p, floor);
        }
    }
    let door = site.known().closed_door;
    let mut try_door = |p: Point, along: (i32, i32)| {
        let sides = [p.offset(along), p.offset((-along.0, -along.1))];
        if site.is(p, floor)
            && sides.iter().all(|&side| site.flags(side).solid())
            && site.ctx.rng.x_chance_in_y(plan.doors, 10)
        {
            site.set(p, door);
        }
    };
    for y in a.y + 1..b.y {
        try_door(Point::new(a.x - 1, y), (0, 1));
        try_door(Point::new(b.x + 1, y), (0, 1));
    }
    for x in a.x + 1..b.x {
        try_door(Point::new(x, a.y - 1), (1, 0));
        try_door(Point::new(x, b.y + 1), (1, 0));
    }
    true
}

/// Fills an octagon; right and bottom edge are left out (spec 05 §14.7).
pub(crate) fn octagon(site: &mut Site, a: Point, b: Point, oblique: i32, mut feature: FeatureId) {
    let shallow = site.known().shallow_water;
    let traits = site.traits();
    if (traits.no_lava || traits.no_lava_octagons) && site.flags_of(feature).lava() {
        feature = shallow;
    }
    let (floor, solid) = (site.floor(), site.flags_of(feature).solid());
    let mut cut = oblique;
    for x in a.x..b.x {
        for y in a.y + cut..b.y - cut {
            let p = Point::new(x, y);
            if site.masked(p) {
                continue;
            }
            let flags = site.flags(p);
            if flags.wall() {
                site.set(p, feature);
            } else if site.is(p, floor) && feature == shallow {
                site.set(p, shallow);
            } else if flags.closed_door() && !solid {
                site.set(p, floor);
            }
        }
        if x > b.x - oblique {
            cut += 2;
        }
        if cut > 0 {
            cut -= 1;
        }
    }
}

/// Walls around a box, with doors (spec 05 §14.8).
pub(crate) fn box_room(site: &mut Site, a: Point, b: Point, wall: FeatureId) {
    let floor = site.floor();
    let mut sides: Vec<Point> = Vec::new();
    for x in a.x..=b.x {
        sides.extend([Point::new(x, a.y), Point::new(x, b.y)]);
    }
    for y in a.y + 1..b.y {
        sides.extend([Point::new(a.x, y), Point::new(b.x, y)]);
    }
    for &p in &sides {
        if site.is(p, floor) && !site.masked(p) {
            site.set(p, wall);
        }
    }
    let too_long = (b.x - a.x) + (b.y - a.y) > 100;
    let mut walls: Vec<Point> = Vec::new();
    for x in a.x + 1..b.x {
        walls.extend([Point::new(x, a.y), Point::new(x, b.y)]);
    }
    for y in a.y + 1..b.y {
        walls.extend([Point::new(a.x, y), Point::new(b.x, y)]);
    }
    let door = site.known().closed_door;
    let mut forced = 0;
    if !too_long {
        for &p in &walls {
            if joins_door(site, p) {
                site.set(p, door);
                forced += 1;
            }
        }
    }
    let mut wanted = [2, 1, 3][site.ctx.rng.weighted_chain(&[54, 23, 23])];
    if (b.x - a.x) * (b.y - a.y) < 36 && wanted > 1 {
        wanted -= 1;
    }
    wanted -= forced;
    if wanted <= 0 || too_long {
        return;
    }
    let mut good: Vec<bool> = walls.iter().map(|&p| is_door_spot(site, p)).collect();
    let most = good.iter().filter(|&&good| good).count() as i32;
    for _ in 0..wanted.min(most) {
        loop {
            let index = site.ctx.rng.random2(walls.len() as i32) as usize;
            if good[index] {
                good[index] = false;
                site.set(walls[index], door);
                break;
            }
        }
    }
}

/// Returns whether a cell lies beside a door that is set between two walls.
fn joins_door(site: &Site, p: Point) -> bool {
    ORTHOGONAL.iter().any(|&step| {
        let q = p.offset(step);
        let wall = |step| site.flags(q.offset(step)).wall();
        site.flags(q).closed_door()
            && ((wall((1, 0)) && wall((-1, 0))) || (wall((0, 1)) && wall((0, -1))))
    })
}

/// Returns whether exactly one axis through a cell has walls on both sides.
fn is_door_spot(site: &Site, p: Point) -> bool {
    let wall = |step| site.flags(p.offset(step)).wall();
    let across = wall((1, 0)) && wall((-1, 0));
    let along = wall((0, 1)) && wall((0, -1));
    across != along
}
