//! Items of vaults: what is asked for, and the draws that making it costs the level's own generator
//! (spec 03 §8, spec 04 §8.5). What an item is like inside is the business of the game.

use vaultwright_level::{Level, LevelItem, mask};
use vaultwright_map::{Context, ItemAlternative, ItemKind, ItemLevel, ItemSlot, Point};

use crate::build::note_on;

/// Places an item of a slot.
pub(crate) fn place_item(level: &mut Level, slot: &ItemSlot, p: Point, ctx: &mut Context) {
    let weights: Vec<i32> = slot.alternatives.iter().map(|a| a.weight).collect();
    let Some(index) = ctx.pick(0, &weights) else { return };
    let item = &slot.alternatives[index];
    if item.kind == ItemKind::Nothing {
        return;
    }
    make_item(item, ctx);
    put(level, p, &item.text);
    note_on(level, ctx, "vault_item", || format!("{} {},{}", item.text, p.x, p.y));
}

/// Places the item of glyph `$`, `%`, `*` or `|`.
pub(super) fn place_glyph_item(level: &mut Level, glyph: u8, p: Point, ctx: &mut Context) {
    if glyph == b'|' {
        draw_superb_class(ctx);
    }
    ctx.spend_isolated();
    let glyph = char::from(glyph);
    put(level, p, &glyph.to_string());
    note_on(level, ctx, "vault_item", || format!("{glyph} {},{} glyph={glyph}", p.x, p.y));
}

fn put(level: &mut Level, p: Point, spec: &str) {
    level.items.entry(p).or_default().push(LevelItem { spec: spec.to_owned() });
    level.change_mask(p, mask::NO_TRAP, 0);
}

/// The draws of making an item from a spec, for a cell of the level.
fn make_item(item: &ItemAlternative, ctx: &mut Context) {
    let class = item_class(item, ctx);
    if class.is_none() {
        draw_class(item, ctx);
    }
    ctx.spend_isolated();
    properties(item, class.as_deref(), ctx);
    if item.mimic > 0 {
        ctx.rng.one_chance_in(item.mimic);
    }
}

/// The draws of making an item that a monster gets: its class is drawn inside, and it is no mimic (spec 03 §8.6).
pub(super) fn make_item_of_monster(item: &ItemAlternative, ctx: &mut Context) {
    let class = item_class(item, ctx);
    ctx.spend_isolated();
    properties(item, class.as_deref(), ctx);
}

/// The class that the spec gives, if any.
fn item_class(item: &ItemAlternative, ctx: &Context) -> Option<String> {
    let items = ctx.content.items();
    match &item.kind {
        ItemKind::Class(class) => Some(class.clone()),
        ItemKind::Item(name) => items.by_name(name).map(|item| item.class.clone()),
        ItemKind::Unrand(name) => items.unrand(name).map(|unrand| unrand.class.clone()),
        ItemKind::Randbook(_) | ItemKind::Parchment(_) => Some("book".to_owned()),
        ItemKind::Corpse { .. } => Some("corpse".to_owned()),
        ItemKind::Nothing | ItemKind::Any | ItemKind::Acquire { .. } => None,
    }
}

/// The class of an item that is drawn outside the item's own generator (spec 03 §8.3).
fn draw_class(item: &ItemAlternative, ctx: &mut Context) {
    if item.mimic > 0 {
        let classes = if ctx.content.rules.talismans { 10 } else { 9 };
        ctx.rng.random2(classes);
    } else if item.level == ItemLevel::Superb {
        draw_superb_class(ctx);
    }
}

fn draw_superb_class(ctx: &mut Context) {
    match ctx.content.rules.talismans {
        true => ctx.rng.weighted_chain(&[20, 10, 10, 10, 10, 4, 1]),
        false => ctx.rng.weighted_chain(&[20, 10, 10, 10, 10, 10]),
    };
}

/// The draws of applying properties (spec 03 §8.5), as far as the spec tells them.
fn properties(item: &ItemAlternative, class: Option<&str>, ctx: &mut Context) {
    match (&item.kind, class) {
        (ItemKind::Item(name), Some("book")) if name.starts_with("manual") => {
            ctx.rng.random2(255);
            if !ctx.rng.one_chance_in(10) {
                ctx.rng.random2(127);
            }
        }
        (_, Some("rune" | "gem")) => {
            ctx.rng.random2(255);
        }
        _ => {}
    }
    let artefact = matches!(item.kind, ItemKind::Unrand(_)) || item.level == ItemLevel::Randart;
    if !artefact && item.plus.is_some_and(|plus| plus > 0) {
        match class {
            Some("weapon") => {
                ctx.rng.random2(2);
            }
            Some("armour") => {
                ctx.rng.random2(3);
            }
            _ => {}
        }
    }
}
