//! Making the Slime Pits walkable without touching walls (spec 05 §8.7).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use vaultwright_level::{Zones, in_bounds};
use vaultwright_map::{ADJACENT, COMPASS, Point};

use super::site::Site;

const INFINITE: i64 = i32::MAX as i64 - 1000;

/// Opens walls until all open cells of a zone can be reached without touching any.
pub(super) fn fix_slime(site: &mut Site) {
    let open: Vec<bool> = site
        .level
        .points()
        .map(|p| in_bounds(p) && !site.flags(p).wall() && !site.masked(p))
        .collect();
    let is_open = |p: Point| open[(p.y * 80 + p.x) as usize];
    let zones = Zones::of(site.level, is_open);
    let mut adjacency: HashMap<Point, i64> = HashMap::new();
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
        adjacency.insert(p, count);
    }
    let safe = Zones::of(site.level, |p| adjacency.get(&p) == Some(&0));
    for zone in &zones.cells {
        let first = zone.first().and_then(|&p| zones.zone_of(p));
        let inside = safe.cells.iter().filter(|cells| zones.zone_of(cells[0]) == first);
        let inside: Vec<&Vec<Point>> = inside.collect();
        let Some((base, others)) = inside.split_first() else { continue };
        for other in others {
            let target = safe.zone_of(other[0]);
            let path = search(site, base[0], &adjacency, |p| safe.zone_of(p) == target);
            for p in path {
                if adjacency.get(&p).is_none_or(|&count| count == 0) {
                    continue;
                }
                let floor = site.floor();
                for q in ADJACENT.map(|step| p.offset(step)) {
                    if site.flags(q).wall() {
                        site.set(q, floor);
                    }
                }
                adjacency.insert(p, 0);
            }
        }
    }
}

/// The cheapest way from a cell to a target, walls beside it being the cost.
fn search(
    site: &mut Site,
    from: Point,
    adjacency: &HashMap<Point, i64>,
    is_target: impl Fn(Point) -> bool,
) -> Vec<Point> {
    let cost = |p: Point| adjacency.get(&p).copied().unwrap_or(INFINITE);
    let mut order: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut before: HashMap<Point, Point> = HashMap::from([(from, from)]);
    let mut queue = BinaryHeap::from([Reverse((0i64, from.x, from.y))]);
    while let Some(Reverse((total, x, y))) = queue.pop() {
        let p = Point::new(x, y);
        site.ctx.rng.shuffle(&mut order);
        for direction in order {
            let q = p.offset(COMPASS[direction]);
            if !in_bounds(q) || before.contains_key(&q) {
                continue;
            }
            before.insert(q, p);
            if is_target(q) {
                let mut path = vec![q];
                let mut at = q;
                while at != from {
                    at = before[&at];
                    path.push(at);
                }
                return path;
            }
            if cost(q) < INFINITE {
                queue.push(Reverse((total + cost(q), q.x, q.y)));
            }
        }
    }
    Vec::new()
}
