//! Ruining a vault (spec 04 §8.8).

use crate::build::note_on;
use vaultwright_content::FeatureId;
use vaultwright_level::{Level, in_bounds, on_map};
use vaultwright_map::{ADJACENT, Context, MapDef, Point};

/// The properties that a ruined cell takes over from its neighbour.
const KEPT: [&str; 4] = ["no_cloud_gen", "no_tele_into", "no_tide", "no_automap"];

/// Breaks down some walls and doors of a vault that has been written.
pub(super) fn ruin_vault(level: &mut Level, map: &MapDef, at: Point, ctx: &mut Context) {
    let cells = map.grid.points().filter(|&cell| map.grid.glyph(cell) != b' ');
    let cells: Vec<Point> = cells.map(|cell| cell.offset((at.x, at.y))).collect();
    let replaced = ruin(level, &cells, 12, 1, ctx);
    note_on(level, ctx, "ruin_done", || format!("replaced={}", replaced.len()));
}

/// Ruins cells: each wall or door gives way with a chance of its open neighbours in `out_of`. The
/// cells that were chosen to, whether they did or not.
pub(crate) fn ruin(
    level: &mut Level,
    cells: &[Point],
    out_of: i32,
    iteration: i32,
    ctx: &mut Context,
) -> Vec<Point> {
    let content = ctx.content;
    let features = content.features();
    let kept = KEPT.iter().filter_map(|name| content.names().properties.get(name));
    let kept: i64 = kept.fold(0, |bits, bit| bits | bit);
    let flags = |id: FeatureId| features.get(id).flags;
    let mut marked: Vec<(Point, FeatureId, i64)> = Vec::new();
    for &p in cells {
        let Some(here) = level.feature(p).filter(|_| in_bounds(p)) else { continue };
        if !(flags(here).wall() || flags(here).door()) || flags(here).permarock() {
            continue;
        }
        let mut count = 0;
        let mut replacement = (features.floor(), 0);
        for q in ADJACENT.map(|step| p.offset(step)).into_iter().filter(|&q| on_map(q)) {
            let Some(near) = level.feature(q) else { continue };
            let gateway = features.get(near).name == "malign_gateway";
            if flags(near).wall() || flags(near).door() || flags(near).statue() || gateway {
                continue;
            }
            count += 1;
            if ctx.rng.one_chance_in(count) {
                replacement = (near, level.properties(q) & kept);
            }
        }
        if ctx.rng.x_chance_in_y(count, out_of) {
            marked.push((p, replacement.0, replacement.1));
        }
    }
    note_on(level, ctx, "ruin_scan", || {
        format!("iteration={iteration} scheduled={}", marked.len())
    });
    let named = |name| features.by_name(name).unwrap_or_else(|| features.floor());
    let chosen = marked.iter().map(|&(p, ..)| p).collect();
    for (p, mut replacement, properties) in marked {
        let Some(here) = level.feature(p) else { continue };
        if flags(here).door() {
            replacement = match flags(replacement).water() {
                true => named("shallow_water"),
                false => features.floor(),
            };
        } else if flags(replacement).solid_floor() && !flags(replacement).shallow_water() {
            replacement = features.floor();
        }
        if flags(here).wall() || (ctx.rng.coinflip() && flags(here).door()) {
            level.set_feature(p, replacement);
            level.change_properties(p, properties, 0);
        }
        for q in ADJACENT.map(|step| p.offset(step)).into_iter().filter(|&q| on_map(q)) {
            let door = level.feature(q).is_some_and(|id| flags(id).door());
            let walled = ADJACENT
                .iter()
                .any(|&step| level.feature(q.offset(step)).is_some_and(|id| flags(id).wall()));
            if door && !walled {
                level.set_feature(q, features.floor());
            }
        }
    }
    chosen
}
