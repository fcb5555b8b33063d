//! Ghosts of players: which one of a bones file comes, and how strong it is. Nothing else on a
//! level depends on that, so the reference draws it from a stream of its own, and so do levels
//! here.

use std::collections::BTreeMap;

use vaultwright_content::Content;
use vaultwright_level::Level;
use vaultwright_map::Context;
use vaultwright_rng::SYSTEM_SPECIFIC;

use crate::observe::veto::Veto;
use crate::pack::sources::DataRoot;

/// A player who has died.
const GHOST: &str = "player ghost";
/// Where the bones files lie that come with the data, each for a level or a branch.
const BONES: &str = "dist_bones/bones.store.";
/// Each of them holds more ghosts than one; how many, changes no count of draws.
const MANY: i32 = 20;
/// Ten times the hit points of a ghost, before they are drawn.
const HIT_POINTS: i32 = 140;

/// Draws the ghosts that stand on the level at the end of an attempt. Those of an attempt that was
/// thrown away go to a bones file of the game, and come from there the next time.
pub(crate) fn draw_ghosts(
    level: &Level,
    bones: &mut BTreeMap<String, usize>,
    root: &DataRoot,
    ctx: &mut Context,
    result: &Result<(), Veto>,
) {
    let count = ghosts_on_level(level, ctx.content);
    if count == 0 {
        return;
    }
    let Some(file) = bones_file(root, ctx) else { return };
    ctx.rng.enter(SYSTEM_SPECIFIC);
    let own = bones.entry(file).or_default();
    for _ in 0..count {
        draw_hit_points(ctx);
        ctx.rng.random2(if *own == 1 { 1 } else { MANY });
        *own = own.saturating_sub(1);
        if ctx.content.rules.monsters_draw_shapes {
            ctx.spend_isolated();
        }
    }
    if result.is_err() {
        *own += count;
        if ctx.rng.x_chance_in_y(5, 100) {
            ctx.rng.random2(20);
        }
    }
    ctx.rng.leave();
}

fn ghosts_on_level(level: &Level, content: &Content) -> usize {
    let ghost = content.monsters().by_name(GHOST);
    let kinds = level.monsters.values().map(|monster| monster.kind);
    kinds.filter(|&kind| kind.is_some() && kind == ghost).count()
}

/// Returns the bones file of the level, if there is one for it or its branch.
fn bones_file(root: &DataRoot, ctx: &Context) -> Option<String> {
    let place = ctx.place;
    let branch = ctx.content.branches().get(place.branch)?;
    let in_hell = if branch.hell_subbranch { "Hells" } else { &branch.name };
    let names = [format!("{}-{}", branch.name, place.depth), in_hell.to_owned()];
    names.into_iter().find(|name| root.read(&format!("{BONES}{name}")).is_some())
}

fn draw_hit_points(ctx: &mut Context) {
    let spread = ctx.rng.div_rand_round(33 * HIT_POINTS, 100);
    let points = HIT_POINTS - spread + ctx.rng.random2avg(2 * spread, 8);
    ctx.rng.div_rand_round(points, 10);
}
