//! Exits of vaults and how they are joined to the level (spec 04 §9).

use vaultwright_level::{Level, edge_cells};
use vaultwright_map::{Context, MapDef, Point};

use super::path::{find_target, join_the_dots};

/// Picks exits for a map that marks none.
pub(super) fn pick_exits(level: &Level, map: &MapDef, at: Point, ctx: &mut Context) -> Vec<Point> {
    let features = ctx.content.features();
    let mut candidates: Vec<Point> = edge_cells(&map.grid)
        .map(|cell| cell.offset((at.x, at.y)))
        .filter(|&p| {
            level.feature(p).is_some_and(|id| {
                let flags = features.get(id).flags;
                !flags.solid() || flags.closed_door() || (flags.door() && flags.sealed())
            })
        })
        .collect();
    let count = match candidates.len() {
        few @ 0..6 => few,
        many => (many / 8 + 1).min(10),
    };
    let mut picked = Vec::with_capacity(count);
    for _ in 0..count {
        let index = ctx.rng.random2(candidates.len() as i32) as usize;
        picked.push(candidates.remove(index));
    }
    picked
}

/// Joins one exit to the level.
pub(super) fn connect(level: &mut Level, exit: Point, ctx: &mut Context) -> bool {
    find_target(level, exit, ctx).is_some_and(|target| join_the_dots(level, exit, target, ctx))
}
