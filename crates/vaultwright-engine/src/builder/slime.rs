//! Making the Slime Pits walkable without touching walls, and their stairs (spec 05 §8.7, §8.8).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use vaultwright_level::zones_of;
use vaultwright_map::{ADJACENT, COMPASS, Point};

use super::stairs::{DOWN, UP, place_off_walls};
use crate::observe::veto::Veto;
use crate::state::site::Site;

/// How far stairs down are from stairs up.
const STAIRS_APART: i32 = 12;

const INFINITE: i64 = i32::MAX as i64 - 1000;

/// Opens walls until all open cells of a zone can be reached without touching any.
pub(crate) fn fix_slime(site: &mut Site) {
    let open: Vec<bool> = site
        .level
        .points()
        .map(|p| site.level.in_bounds(p) && !site.flags(p).wall() && !site.masked(p))
        .collect();
    let is_open = |p: Point| open[site.level.index_of(p)];
    let zones = zones_of(site.level, is_open);
    let mut adjacency: Vec<Option<i64>> = vec![None; open.len()];
    for p in site.inner().filter(|&p| is_open(p)) {
        let mut count = 0;
        for q in ADJACENT.map(|step| p.offset(step)) {
            if site.flags(q).wall() {
                count = if site.masked(q) { INFINITE } else { count + 1 };
                if count >= INFINITE {
                    break;
                }
            }
        }
        adjacency[site.level.index_of(p)] = Some(count);
    }
    let safe = zones_of(site.level, |p| adjacency[site.level.index_of(p)] == Some(0));
    for zone in 1..=zones.count() {
        let inside = (1..=safe.count()).map(|number| (number, safe.first(number)));
        let inside: Vec<(usize, Point)> =
            inside.filter(|&(_, first)| zones.zone_of(first) == Some(zone)).collect();
        let Some(((_, base), others)) = inside.split_first() else { continue };
        for &(target, _) in others {
            let path = search(site, *base, &adjacency, |p| safe.zone_of(p) == Some(target));
            for p in path {
                let index = site.level.index_of(p);
                if adjacency[index].is_none_or(|count| count == 0) {
                    continue;
                }
                let floor = site.floor();
                for q in ADJACENT.map(|step| p.offset(step)) {
                    if site.flags(q).wall() {
                        site.set(q, floor);
                    }
                }
                adjacency[index] = Some(0);
            }
        }
    }
}

/// Deals the stairs of a level anew, away from the walls and from each other; those of vaults stay.
pub(crate) fn place_slime_stairs(site: &mut Site) -> Result<(), Veto> {
    let place = site.ctx.place;
    let bottom = place.depth >= site.ctx.dungeon.levels(place.branch);
    let (mut ups, downs) = (keep_vault_stairs(site, UP), keep_vault_stairs(site, DOWN));
    let wanted_up = if place.depth == 1 { 1 } else { 3 };
    for name in UP.into_iter().take(wanted_up) {
        let stair = site.id(name);
        if ups.iter().any(|&p| site.is(p, stair)) {
            continue;
        }
        let Some(p) = place_off_walls(site) else { return Ok(()) };
        site.set(p, stair);
        ups.push(p);
    }
    let mut wanted_down = (if bottom { 0 } else { DOWN.len() }).saturating_sub(downs.len());
    let floor = site.floor();
    let is_apart =
        |p: Point| ups.iter().all(|up| (up.x - p.x).abs().max((up.y - p.y).abs()) >= STAIRS_APART);
    let mut places: Vec<Point> = match wanted_down {
        0 => return Ok(()),
        _ => site.level.points().collect(),
    };
    places
        .retain(|&p| site.is(p, floor) && !site.masked(p) && site.next_to(p, floor) && is_apart(p));
    if places.len() < wanted_down {
        return Err(Veto::NoRoomForSlimeStairs);
    }
    for name in DOWN {
        let stair = site.id(name);
        if wanted_down == 0 || downs.iter().any(|&p| site.is(p, stair)) {
            continue;
        }
        wanted_down -= 1;
        // Of the places some are left, since there are as many as stairs are wanted.
        let p = loop {
            let p = places[site.ctx.rng.random2(places.len() as i32) as usize];
            if site.is(p, floor) {
                break p;
            }
        };
        site.set(p, stair);
    }
    Ok(())
}

/// Takes away the stairs outside of vaults. Returns those that are left.
fn keep_vault_stairs(site: &mut Site, names: [&str; 3]) -> Vec<Point> {
    let kinds = names.map(|name| site.id(name));
    let floor = site.floor();
    let (kept, removed): (Vec<Point>, Vec<Point>) = site
        .level
        .points()
        .filter(|&p| kinds.contains(&site.feature(p)))
        .partition(|&p| site.masked(p));
    for p in removed {
        site.set(p, floor);
    }
    kept
}

/// Returns the cheapest way from a cell to a target, walls beside it being the cost.
fn search(
    site: &mut Site,
    from: Point,
    adjacency: &[Option<i64>],
    is_target: impl Fn(Point) -> bool,
) -> Vec<Point> {
    let mut order: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut before: Vec<Option<Point>> = vec![None; adjacency.len()];
    before[site.level.index_of(from)] = Some(from);
    let mut closed = 1;
    let mut queue = BinaryHeap::from([Reverse((0i64, from.x, from.y))]);
    while let Some(Reverse((total, x, y))) = queue.pop() {
        let p = Point::new(x, y);
        site.ctx.rng.shuffle(&mut order);
        for direction in order {
            let q = p.offset(COMPASS[direction]);
            let index = site.level.index_of(q);
            if !site.level.in_bounds(q) || before[index].is_some() {
                continue;
            }
            before[index] = Some(p);
            closed += 1;
            if is_target(q) {
                site.note("slime_search", |_| {
                    format!("from={},{} found=1 closed={closed}", from.x, from.y)
                });
                let mut path = vec![q];
                let mut at = q;
                while let Some(earlier) = before[site.level.index_of(at)].filter(|_| at != from) {
                    at = earlier;
                    path.push(at);
                }
                return path;
            }
            if let Some(cost) = adjacency[index].filter(|&cost| cost < INFINITE) {
                queue.push(Reverse((total + cost, q.x, q.y)));
            }
        }
    }
    site.note("slime_search", |_| format!("from={},{} found=0 closed={closed}", from.x, from.y));
    Vec::new()
}

#[cfg(test)]
mod tests {
    use vaultwright_level::mask;

    use super::*;
    use crate::state::drawn::Drawn;

    /// Two rooms and a corridor: in the middle of each room one touches no wall.
    const ROOMS: [&str; 7] = [
        "#################",
        "#.....#####.....#",
        "#.....#####.....#",
        "#...............#",
        "#.....#####.....#",
        "#.....#####.....#",
        "#################",
    ];

    /// Returns how many parts of the level one can walk about in without touching a wall.
    fn parts(drawn: &mut Drawn) -> usize {
        drawn.run(|site| {
            let is_safe = |p: Point| {
                !site.flags(p).wall()
                    && !ADJACENT.iter().any(|&step| site.flags(p.offset(step)).wall())
            };
            zones_of(site.level, is_safe).count()
        })
    }

    #[test]
    fn a_corridor_is_widened_until_nobody_has_to_touch_its_walls() {
        let mut drawn = Drawn::on("Slime:2", &ROOMS);
        assert_eq!(parts(&mut drawn), 2);
        drawn.run(fix_slime);
        assert_eq!(parts(&mut drawn), 1);
    }

    #[test]
    fn walls_of_vaults_stay() {
        let mut drawn = Drawn::on("Slime:2", &ROOMS).masked(mask::VAULT, (6, 0), (10, 6));
        drawn.run(fix_slime);
        assert_eq!(drawn.rows(), ROOMS);
    }

    #[test]
    fn stairs_are_dealt_anew_far_from_each_other() {
        let row = ".".repeat(50);
        let mut rows = vec![row.as_str(); 25];
        let first = format!("1a{}", &row[2..]);
        rows[0] = &first;
        let mut drawn = Drawn::on("Slime:2", &rows).masked(mask::VAULT, (1, 0), (1, 0));
        assert_eq!(drawn.run(place_slime_stairs), Ok(()));
        let shown = drawn.rows();
        assert!(shown[0].starts_with(".a"), "the vault's stays: {}", shown[0]);
        let at = |stairs: &str| -> Vec<(i32, i32)> {
            let cells = shown
                .iter()
                .zip(0..)
                .flat_map(|(row, y)| row.chars().zip(0..).map(move |(glyph, x)| (glyph, x, y)));
            cells.filter(|(glyph, ..)| stairs.contains(*glyph)).map(|(_, x, y)| (x, y)).collect()
        };
        let (ups, downs) = (at("abc"), at("123"));
        assert_eq!((ups.len(), downs.len()), (3, 3), "{shown:#?}");
        for (up, down) in ups.iter().flat_map(|up| downs.iter().map(move |down| (up, down))) {
            assert!((up.0 - down.0).abs().max((up.1 - down.1).abs()) >= STAIRS_APART);
        }
    }

    #[test]
    fn a_level_without_room_for_them_is_thrown_away() {
        let mut drawn = Drawn::on("Slime:2", &["........"; 8]);
        assert_eq!(drawn.run(place_slime_stairs), Err(Veto::NoRoomForSlimeStairs));
    }
}
