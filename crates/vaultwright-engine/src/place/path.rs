//! Joining two cells by an orthogonal path (spec 04 §9.4, §9.5).

use std::collections::BTreeMap;

use vaultwright_level::{Level, mask};
use vaultwright_map::{Context, FLOOD, ORTHOGONAL, Point};

/// Returns the floor cell that an exit is joined to: the nearest one through anything, outside
/// vaults.
pub(crate) fn find_target(level: &Level, from: Point, ctx: &Context) -> Option<Point> {
    let floor = ctx.content.features().floor();
    if !level.holds(from) {
        return None;
    }
    let mut seen = CellSet::of(level);
    seen.insert(level.index_of(from));
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
                } else if seen.insert(level.index_of(q)) {
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
    let mut frontier: BTreeMap<i32, usize> = BTreeMap::new();
    let mut seen = CellSet::of(level);
    if level.holds(from) {
        seen.insert(level.index_of(from));
    }
    let mut found = vec![Found { cell: from, before: 0 }];
    let mut current = 0;
    while found[current].cell != to {
        let mut list = [from; 4];
        let mut length = 0;
        for p in ORTHOGONAL.map(|step| found[current].cell.offset(step)) {
            let is_new = level.in_bounds(p) && !seen.contains(level.index_of(p));
            if !is_new || level.mask(p) & mask::VAULT != 0 {
                continue;
            }
            let places = length as i32 + i32::from(isolated);
            let index = ctx.rng.random2(places) as usize;
            list[length] = p;
            list[index..=length].rotate_right(1);
            length += 1;
        }
        for &cell in &list[..length] {
            frontier.entry(distance(cell)).or_insert(found.len());
            seen.insert(level.index_of(cell));
            found.push(Found { cell, before: current });
        }
        (_, current) = frontier.pop_first()?;
    }
    let mut path = vec![to];
    while current != 0 {
        current = found[current].before;
        path.push(found[current].cell);
    }
    Some(path)
}

/// A cell that a search has come to.
struct Found {
    cell: Point,
    /// The place in the list of the one from which it was found; of the first its own.
    before: usize,
}

/// A set of cells of a level: a bit for each, since there is more to clear than to look up.
struct CellSet(Vec<u64>);

impl CellSet {
    fn of(level: &Level) -> CellSet {
        CellSet(vec![0; level.features().len().div_ceil(64)])
    }

    #[inline]
    fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell. Returns whether it is new.
    #[inline]
    fn insert(&mut self, cell: usize) -> bool {
        let (bits, bit) = (&mut self.0[cell / 64], 1 << (cell % 64));
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn a_path_leads_around_vaults_step_by_step() {
        let rows = ["#########", "#.#####.#", "#########", "#########"];
        let mut drawn = Drawn::of(&rows).masked(mask::VAULT, (4, 0), (4, 2));
        let [from, to] = [Drawn::cell(1, 1), Drawn::cell(7, 1)];
        let path = drawn.run(|site| find_path(site.level, from, to, site.ctx)).expect("a path");
        assert_eq!((path.first(), path.last()), (Some(&to), Some(&from)));
        let is_step = |pair: &[Point]| {
            let (a, b) = (pair[0], pair[1]);
            (a.x - b.x).abs() + (a.y - b.y).abs() == 1
        };
        assert!(path.windows(2).all(is_step), "{path:?}");
        assert!(path.iter().all(|&p| drawn.run(|site| site.level.mask(p) == 0)), "{path:?}");
        let mut target = |from| drawn.run(|site| find_target(site.level, from, site.ctx));
        assert_eq!(target(Drawn::cell(6, 3)), Some(to));
    }

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
