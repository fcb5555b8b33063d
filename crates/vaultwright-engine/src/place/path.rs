//! Joining two cells by an orthogonal path (spec 04 §9.4, §9.5).

use std::collections::BTreeMap;

use vaultwright_level::{Level, mask};
use vaultwright_map::{Context, FLOOD, ORTHOGONAL, Point};

/// Returns the floor cell that an exit is joined to: the nearest one through anything, outside
/// vaults.
pub(crate) fn find_target(level: &Level, from: Point, ctx: &Context) -> Option<Point> {
    let floor = ctx.content.features().floor();
    let mut seen = vec![false; level.features().len()];
    if !level.holds(from) {
        return None;
    }
    seen[level.index_of(from)] = true;
    let mut ring = vec![from];
    while !ring.is_empty() {
        let mut next = Vec::new();
        for p in ring.into_iter().filter(|&p| level.in_bounds(p)) {
            let mut target = None;
            for q in FLOOD.map(|step| p.offset(step)) {
                if !level.in_bounds(q) || level.mask(q) != 0 {
                    continue;
                }
                if level.feature(q) == Some(floor) {
                    target = Some(q);
                } else if !std::mem::replace(&mut seen[level.index_of(q)], true) {
                    next.push(q);
                }
            }
            if target.is_some() {
                return target;
            }
        }
        ring = next;
    }
    None
}

/// Digs a path of floor. Returns whether there is one.
pub(crate) fn join_the_dots(level: &mut Level, from: Point, to: Point, ctx: &mut Context) -> bool {
    let Some(path) = find_path(level, from, to, ctx) else { return false };
    let features = ctx.content.features();
    for &p in &path {
        let Some(id) = level.feature(p) else { continue };
        let flags = features.get(id).flags;
        let diggable =
            flags.water() || flags.tree() || flags.lava() || flags.wall() || id == features.floor();
        if level.mask(p) & mask::VAULT == 0 && diggable {
            level.set_feature(p, features.floor());
            if level.heights.is_some() {
                level.set_height(p, 0);
            }
        }
    }
    !path.is_empty() || from == to
}

/// Returns the path from target to start, both included.
pub(crate) fn find_path(
    level: &Level,
    from: Point,
    to: Point,
    ctx: &mut Context,
) -> Option<Vec<Point>> {
    let isolated = ctx.content.rules.paths_are_isolated;
    if isolated {
        ctx.rng.enter_sub();
    }
    let path = search(level, from, to, ctx);
    if isolated {
        ctx.rng.leave();
    }
    path
}

fn search(level: &Level, from: Point, to: Point, ctx: &mut Context) -> Option<Vec<Point>> {
    let isolated = ctx.content.rules.paths_are_isolated;
    let distance = |p: Point| (p.x - to.x).abs() + (p.y - to.y).abs();
    // At most one cell for each distance: others are lost, and that is how it must be.
    let mut frontier: BTreeMap<i32, Point> = BTreeMap::new();
    // By which step each cell was found.
    let mut steps = vec![UNKNOWN; level.features().len()];
    if level.holds(from) {
        steps[level.index_of(from)] = START;
    }
    let mut current = from;
    while current != to {
        let mut list: Vec<(Point, u8)> = Vec::with_capacity(4);
        for (number, step) in (0..).zip(ORTHOGONAL) {
            let p = current.offset(step);
            let is_new = level.in_bounds(p) && steps[level.index_of(p)] == UNKNOWN;
            if !is_new || level.mask(p) & mask::VAULT != 0 {
                continue;
            }
            let length = list.len() as i32;
            let index = ctx.rng.random2(if isolated { length + 1 } else { length });
            list.insert(index as usize, (p, number));
        }
        for (p, number) in list {
            frontier.entry(distance(p)).or_insert(p);
            steps[level.index_of(p)] = number;
        }
        (_, current) = frontier.pop_first()?;
    }
    let mut path = vec![to];
    let mut p = to;
    while p != from {
        let (x, y) = *ORTHOGONAL.get(usize::from(steps[level.index_of(p)]))?;
        p = p.offset((-x, -y));
        path.push(p);
    }
    Some(path)
}

/// Of a cell that no step has found.
const UNKNOWN: u8 = u8::MAX;
/// Of the cell that all steps begin at.
const START: u8 = UNKNOWN - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn a_path_is_dug_at_the_height_of_the_shore() {
        let mut drawn = Drawn::of(&["########", "#.####.#", "########"]);
        let [from, to] = [Drawn::cell(1, 1), Drawn::cell(6, 1)];
        let heights = drawn.run(|site| {
            for x in 0..8 {
                site.level.set_height(Drawn::cell(x, 1), 200);
            }
            assert!(join_the_dots(site.level, from, to, site.ctx));
            [1, 3, 6, 7].map(|x| site.level.height(Drawn::cell(x, 1)))
        });
        assert_eq!(heights, [0, 0, 0, 200]);
        assert_eq!(drawn.rows()[1], "#......#");
    }
}
