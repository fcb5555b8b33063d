//! Items of vaults: what is asked for, and the draws that making it costs the level's own generator
//! (spec 03 §8, spec 04 §8.5). What an item is like inside is the business of the game.

use std::num::NonZeroI32;
use std::sync::Arc;

use vaultwright_content::Content;
use vaultwright_level::{Level, LevelItem, mask};
use vaultwright_map::{
    Context, ItemAlternative, ItemKind, ItemLevel, ItemSlot, LevelPlace, MimicOdds, ParchmentSpec,
    Point,
};

use super::acquire::acquire;
use super::books::{draw_book, draw_parchment};
use super::looks::{
    Making, armour_looks_special, damaged_weapon_has_brand, draw_armour, draw_weapon,
    weapon_looks_special,
};
use crate::state::population::Population;
use crate::state::site::Site;

/// The level of a good item.
const GOOD: i32 = 351;
/// Draws of a class until it is a wanted one, more than any game will need.
const MAX_DRAWS: usize = 1000;

/// Places an item of a slot.
pub(crate) fn place_item(site: &mut Site, population: &mut Population, slot: &ItemSlot, p: Point) {
    let item = match site.ctx.pick_of(0, &slot.alternatives, |item| item.weight) {
        Some(index) => Arc::clone(&slot.alternatives[index]),
        // Out of nothing anything is picked (spec 03 §3.2).
        None => Arc::new(ItemAlternative::anything()),
    };
    if item.kind == ItemKind::Nothing {
        return;
    }
    let mimic = make_item(&item, site.ctx);
    if leaves_no_remains(&item.kind) {
        return;
    }
    let is_below_nothing = item.quantity.is_some_and(NonZeroI32::is_negative);
    if is_below_nothing && is_heap(&item, site.ctx.content) {
        return site.level.change_mask(p, mask::NO_TRAP, 0);
    }
    population.note_item(&item);
    let spec = item.text.clone();
    put(site.level, p, LevelItem { spec, asked: Some(Arc::clone(&item)), made: None, mimic });
    site.note("vault_item", |_| format!("{} {},{}", item.text, p.x, p.y));
}

/// Places the item of glyph `$`, `%`, `*` or `|`.
pub(crate) fn place_glyph_item(site: &mut Site, glyph: u8, p: Point) {
    if glyph == b'|' {
        draw_superb_class(site.ctx);
    }
    site.ctx.spend_isolated();
    let glyph = char::from(glyph);
    put(site.level, p, LevelItem { spec: glyph.to_string(), ..LevelItem::default() });
    site.note("vault_item", |_| format!("{glyph} {},{} glyph={glyph}", p.x, p.y));
}

/// Returns whether several of an item lie in a heap.
pub(crate) fn is_heap(item: &ItemAlternative, content: &Content) -> bool {
    let class = match &item.kind {
        ItemKind::Item(name) if name == "figurine of a ziggurat" => return true,
        ItemKind::Item(name) => content.items().by_name(name).map_or("", |item| &item.class),
        ItemKind::Class(class) => class.as_str(),
        ItemKind::Any => return true,
        _ => return false,
    };
    matches!(class, "missile" | "potion" | "scroll" | "gold" | "food")
}

fn put(level: &mut Level, p: Point, item: LevelItem) {
    level.items.entry(p).or_default().push(item);
    level.change_mask(p, mask::NO_TRAP, 0);
}

/// Makes the draws of an item from a spec, for a cell of the level, and returns whether it is a
/// mimic.
fn make_item(item: &ItemAlternative, ctx: &mut Context) -> bool {
    if let ItemKind::Acquire { class, god } = &item.kind {
        acquire(class, god.as_deref(), ctx);
        return false;
    }
    let mut class = item_class(item, ctx);
    if class.is_none() {
        class = draw_class(item, ctx);
    }
    make(item, class, For::Level, ctx);
    let odds = item.mimic.one_in().filter(|_| !leaves_no_remains(&item.kind));
    odds.is_some_and(|number| ctx.rng.one_chance_in(number))
}

/// Returns whether nothing comes of a corpse: that of any demon, or of nobody. 0.28 was asked.
fn leaves_no_remains(kind: &ItemKind) -> bool {
    let ItemKind::Corpse { monster, .. } = kind else { return false };
    let monster = monster.strip_prefix("any ").unwrap_or(monster);
    matches!(monster, "demon" | "lesser demon" | "common demon" | "greater demon" | "nothing")
}

/// Makes the draws of an item that a monster gets: its class is drawn inside, and it is no mimic
/// (spec 03 §8.6). Returns the kind of a weapon or armour of any kind, where something hangs on it.
pub(crate) fn make_item_of_monster<'c>(
    item: &ItemAlternative,
    ctx: &mut Context<'c>,
) -> Option<&'c str> {
    let class = item_class(item, ctx);
    make(item, class, For::Monster, ctx)
}

/// Who or what an item is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Level,
    Monster,
}

/// Makes the draws of the item's own generator and of its properties.
fn make<'c>(
    item: &ItemAlternative,
    class: Option<String>,
    made_for: For,
    ctx: &mut Context<'c>,
) -> Option<&'c str> {
    let level = concrete_level(item.level, ctx.place, ctx);
    ctx.rng.enter_sub();
    let own = own_class(item, class.as_deref(), level, ctx);
    let is_parchment = becomes_parchment(item, own, level, ctx);
    let drawn = match &item.kind {
        // Since there is nothing to shoot with weapons any more nothing hangs on their kind.
        ItemKind::Class(_) | ItemKind::Any
            if own == Some("weapon") && ctx.content.rules.launchers_need_missiles =>
        {
            Some(draw_weapon(cut(level), ctx))
        }
        // What later versions make nobody has measured.
        ItemKind::Class(_) | ItemKind::Any
            if own == Some("armour")
                && item.plus.is_some()
                && ctx.content.rules.launchers_need_missiles =>
        {
            Some(draw_armour(cut(level), ctx))
        }
        _ => None,
    };
    let is_special = looks_special(item, drawn, own, made_for, ctx);
    ctx.rng.leave();
    if item.no_exclude && class.as_deref() == Some("misc") {
        // It is made once more, now that its set does not matter.
        ctx.spend_isolated();
    }
    properties(item, own, is_special, ctx);
    match &item.kind {
        ItemKind::Randbook(spec) => draw_book(spec, ctx),
        ItemKind::Parchment(spec) => draw_parchment(spec, level, ctx),
        _ if is_parchment => draw_parchment(&ParchmentSpec::default(), level, ctx),
        _ => {}
    }
    drawn
}

/// Returns the level that the generator of an item works with (spec 03 §8.2).
pub(crate) fn concrete_level(level: ItemLevel, place: LevelPlace, ctx: &Context) -> i32 {
    let depth = ctx.dungeon.absolute_depth(place, ctx.content.branches()) - 1;
    match level {
        ItemLevel::Number(level) => level,
        ItemLevel::Good | ItemLevel::Superb => GOOD,
        ItemLevel::Star => 5 + 2 * depth,
        ItemLevel::Damaged => -4,
        ItemLevel::Bad => -5,
        ItemLevel::Randart => -6,
        ItemLevel::Default | ItemLevel::Mundane => depth,
    }
}

/// Returns the class of an item, where the spec leaves it open that of its own generator.
fn own_class<'c>(
    item: &ItemAlternative,
    class: Option<&'c str>,
    level: i32,
    ctx: &mut Context,
) -> Option<&'c str> {
    let matters = item.plus.is_some() || ctx.content.rules.parchments;
    match item.kind {
        ItemKind::Any if class.is_none() && matters => draw_any_class(cut(level), ctx),
        _ => class,
    }
}

/// Makes the draws of the item's own generator, as far as it tells whether a parchment comes out
/// (spec 10 §8.1).
fn becomes_parchment(
    item: &ItemAlternative,
    class: Option<&str>,
    level: i32,
    ctx: &mut Context,
) -> bool {
    let open = match &item.kind {
        ItemKind::Any => true,
        ItemKind::Class(class) => class == "book",
        _ => false,
    } && ctx.content.rules.parchments;
    open && class == Some("book") && {
        let level = cut(level).saturating_add(21);
        !ctx.rng.x_chance_in_y(level, 4200) && !ctx.rng.one_chance_in(20)
    }
}

/// Returns the level of which most draws know no more than 50.
fn cut(level: i32) -> i32 {
    if level >= GOOD - 1 { level } else { level.min(50) }
}

/// Makes the draws of the own generator of a weapon or armour, as far as they tell whether it looks
/// special before a `plus:` is given to it.
fn looks_special(
    item: &ItemAlternative,
    drawn: Option<&str>,
    class: Option<&str>,
    made_for: For,
    ctx: &mut Context,
) -> bool {
    let without_brand = item.ego.as_deref() == Some("none");
    let has_brand = item.ego.is_some() && !without_brand;
    let is_artefact = matches!(item.kind, ItemKind::Unrand(_)) || item.level == ItemLevel::Randart;
    if is_artefact || item.plus.is_none() {
        return true;
    }
    let (own, level) = (made_for == For::Level, concrete_level(item.level, ctx.place, ctx));
    let named = match &item.kind {
        ItemKind::Item(kind) => Some(kind.as_str()),
        _ => drawn,
    };
    if item.level == ItemLevel::Mundane {
        return false;
    }
    if has_brand {
        let looks = named.and_then(|kind| ctx.content.acquirement().looks(kind));
        return !looks.is_some_and(|looks| looks.hide);
    }
    let Some(kind) = named.filter(|_| own || level < GOOD) else { return level >= GOOD };
    let limited = without_brand || item.details.flags.iter().any(|flag| flag == "no_uniq");
    let brand = own && !without_brand;
    let making = Making { level: cut(level), artefact: own && !limited, brand };
    match (class, item.level) {
        (Some("weapon"), ItemLevel::Damaged | ItemLevel::Bad) => {
            let depth = ctx.absolute_depth() - 1;
            brand && damaged_weapon_has_brand(kind, depth, ctx)
        }
        (Some("weapon"), _) => weapon_looks_special(kind, making, ctx),
        (Some("armour"), level) if !matches!(level, ItemLevel::Damaged | ItemLevel::Bad) => {
            armour_looks_special(kind, making, ctx).unwrap_or(making.level >= GOOD)
        }
        _ => false,
    }
}

/// Draws the class of an item that may be any, as its own generator does; of a class on which
/// nothing hangs, none.
fn draw_any_class(level: i32, ctx: &mut Context) -> Option<&'static str> {
    const WAND: usize = 4;
    const BOOK: usize = 5;
    if !ctx.content.rules.parchments {
        // 0.28 was asked, 16,000 times, and at which level things of class misc begin.
        let chosen = ctx.rng.weighted_chain(&[10, 45, 45, 70, 212, 212, 176, 300, 270, 440]);
        let misc = level > 7 && ctx.rng.x_chance_in_y(level.saturating_add(21), 5000);
        return [None, None, Some("book"), None, Some("armour"), Some("weapon")]
            .get(chosen)
            .copied()
            .flatten()
            .filter(|_| !misc);
    }
    let chosen = ctx.rng.weighted_chain(&[10, 25, 45, 46, 70, 155, 212, 212, 176, 270, 440]);
    let misc = level > 7 && ctx.rng.x_chance_in_y(level.saturating_add(11), 9000);
    if level < 7 && chosen == WAND && !misc && ctx.rng.random2(7) >= level {
        ctx.rng.random2(2);
    }
    let bauble = ctx.rng.one_chance_in(275) && !ctx.rng.x_chance_in_y(level, 35);
    let class = match chosen {
        BOOK => Some("book"),
        6 => Some("armour"),
        7 => Some("weapon"),
        _ => None,
    };
    class.filter(|_| !misc && !bauble)
}

/// Returns the class that the spec gives, if any.
fn item_class(item: &ItemAlternative, ctx: &Context) -> Option<String> {
    let items = ctx.content.items();
    match &item.kind {
        ItemKind::Class(class) => Some(class.clone()),
        ItemKind::Item(name) => items.by_name(name).map(|item| item.class.clone()),
        ItemKind::Randbook(_) | ItemKind::Parchment(_) => Some("book".to_owned()),
        ItemKind::Corpse { .. } => Some("corpse".to_owned()),
        // The class of a fixed artefact is not looked at before it is made (spec 03 §7.6).
        ItemKind::Nothing | ItemKind::Any | ItemKind::Unrand(_) | ItemKind::Acquire { .. } => None,
    }
}

/// Returns the class of an item that is drawn outside the item's own generator (spec 03 §8.3).
fn draw_class(item: &ItemAlternative, ctx: &mut Context) -> Option<String> {
    if item.mimic != MimicOdds::Unsaid {
        let classes = if ctx.content.rules.talismans { 10 } else { 9 };
        const CLASSES: [&str; 10] = [
            "gold",
            "weapon",
            "armour",
            "scroll",
            "potion",
            "book",
            "magical staff",
            "misc",
            "talisman",
            "jewellery",
        ];
        let index = ctx.rng.random2(classes) as usize;
        // Without talismans jewellery is the ninth.
        let index = if classes == 9 && index == 8 { 9 } else { index };
        return Some(CLASSES[index].to_owned());
    }
    let again = ctx.content.rules.unobtainable_is_no_misc
        && item.details.flags.iter().any(|flag| flag == "unobtainable");
    let draws = if again { MAX_DRAWS } else { 1 };
    let mut drawn = (0..draws).map(|_| draw_superb_class(ctx).to_owned());
    match item.level {
        ItemLevel::Superb => drawn.find(|class| !again || class != "misc"),
        _ => None,
    }
}

pub(crate) fn draw_superb_class(ctx: &mut Context) -> &'static str {
    const CLASSES: [&str; 7] =
        ["weapon", "armour", "jewellery", "book", "magical staff", "misc", "talisman"];
    let index = match ctx.content.rules.talismans {
        true => ctx.rng.weighted_chain(&[20, 10, 10, 10, 10, 4, 1]),
        false => ctx.rng.weighted_chain(&[20, 10, 10, 10, 10, 10]),
    };
    CLASSES[index]
}

/// Makes the draws of applying properties (spec 03 §8.5), as far as the spec tells them.
fn properties(item: &ItemAlternative, class: Option<&str>, is_special: bool, ctx: &mut Context) {
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
    if !is_special && item.plus.is_some_and(|plus| plus > 0) {
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

#[cfg(test)]
mod tests;
