//! What unidentified items look like. Nothing here needs it; it is drawn so that the levels of a
//! game begin with the draws they have in the reference (spec 05 §2.3, §23.1).

use std::collections::HashSet;

use vaultwright_map::Context;

/// The entry of a kind that has not been drawn yet.
const UNFILLED: i32 = 255;

/// Draws the looks of all kinds of items.
pub(crate) fn draw_appearances(ctx: &mut Context) {
    let rules = ctx.content.rules;
    draw_class(ctx, rules.wand_kinds, |ctx| {
        let value = ctx.rng.random2(192);
        if ctx.rng.coinflip() { value % 12 } else { value }
    });
    draw_class(ctx, rules.potion_kinds, |ctx| match rules.bland_potions {
        true => {
            let value = ctx.rng.random2(345);
            if ctx.rng.coinflip() { value % 256 } else { value % 23 }
        }
        false => loop {
            let value = ctx.rng.random2(345);
            let value = if ctx.rng.coinflip() { value % 23 } else { value };
            if value % 23 != 0 {
                break value % 256;
            }
        },
    });
    draw_scrolls(ctx);
    draw_class(ctx, rules.jewellery_kinds, |ctx| {
        let value = ctx.rng.random2(377);
        if ctx.rng.coinflip() { value % 29 } else { value }
    });
    draw_scrolls(ctx);
    draw_class(ctx, STAFF_KINDS, |ctx| ctx.rng.random2(40));
}

const STAFF_KINDS: usize = 13;

/// Draws one value for each kind, all different; as long as other kinds have none, theirs counts
/// too.
fn draw_class(ctx: &mut Context, kinds: usize, mut draw: impl FnMut(&mut Context) -> i32) {
    let mut drawn = HashSet::new();
    for kind in 0..kinds {
        let others_unfilled = kind + 1 < kinds;
        loop {
            let value = draw(ctx);
            if !(others_unfilled && value == UNFILLED) && drawn.insert(value) {
                break;
            }
        }
    }
}

fn draw_scrolls(ctx: &mut Context) {
    let mut drawn = HashSet::new();
    for _ in 0..ctx.content.rules.scroll_kinds {
        while !drawn.insert((ctx.rng.random2(151), ctx.rng.random2(151))) {}
    }
}
