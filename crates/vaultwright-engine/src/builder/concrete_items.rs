//! Drawing an item that its spec leaves open.

use std::num::NonZeroI32;

use vaultwright_content::Item;
use vaultwright_map::{Context, ItemAlternative, ItemKind, ItemLevel, random_monster};

use crate::place::items::{concrete_level, draw_superb_class};

/// Classes in the order and with the weights of the reference's chain (spec 03 §8.7).
const CLASSES: [(&str, i32); 11] = [
    ("magical staff", 10),
    ("talisman", 25),
    ("jewellery", 45),
    ("missile", 46),
    ("wand", 70),
    ("book", 155),
    ("armour", 212),
    ("weapon", 212),
    ("potion", 176),
    ("scroll", 270),
    ("gold", 440),
];
/// Tries to find a monster that leaves a corpse.
const CORPSES: usize = 200;
/// The level from which on items are good.
const GOOD: i32 = 350;

/// Returns the item that comes of a spec: class, kind, brand, plus and number are settled.
pub(crate) fn concrete_item(asked: &ItemAlternative, ctx: &mut Context) -> ItemAlternative {
    let mut item = asked.clone();
    let level = concrete_level(item.level, ctx.place, ctx);
    let class = match &item.kind {
        ItemKind::Any => Some(draw_class(item.level, ctx)),
        ItemKind::Class(class) => Some(class.clone()),
        ItemKind::Acquire { class, .. } if class == "any" => {
            Some(draw_superb_class(ctx).to_owned())
        }
        ItemKind::Acquire { class, .. } => Some(class.clone()),
        ItemKind::Corpse { monster, skeleton } if monster.is_empty() => {
            let skeleton = *skeleton;
            item.kind = match draw_corpse(ctx) {
                Some(monster) => ItemKind::Corpse { monster, skeleton },
                None => ItemKind::Nothing,
            };
            None
        }
        _ => None,
    };
    if let Some(class) = class
        && let Some(name) = draw_kind(&class, ctx)
    {
        item.kind = ItemKind::Item(name);
    }
    if let ItemKind::Item(name) = &item.kind
        && let Some(kind) = ctx.content.items().by_name(name)
    {
        draw_rest(&mut item, kind, level, ctx);
    }
    item
}

fn draw_class(level: ItemLevel, ctx: &mut Context) -> String {
    if level == ItemLevel::Superb {
        return draw_superb_class(ctx).to_owned();
    }
    let there_is = |class: &str| ctx.content.items().of_class(class).next().is_some();
    let classes: Vec<(&str, i32)> =
        CLASSES.into_iter().filter(|(class, _)| there_is(class)).collect();
    let weights: Vec<i32> = classes.iter().map(|(_, weight)| *weight).collect();
    let chosen = ctx.rng.pick_weighted(weights);
    chosen.map_or("gold", |index| classes[index].0).to_owned()
}

/// Returns a kind of a class that this game has.
fn draw_kind(class: &str, ctx: &mut Context) -> Option<String> {
    let items = ctx.content.items();
    let here = |item: &&Item| {
        !(ctx.content.rules.item_sets && ctx.dungeon.lacks_item(&items.sets, &item.name))
    };
    let kinds: Vec<&Item> = items.of_class(class).filter(here).collect();
    let index = ctx.rng.random2(kinds.len() as i32);
    kinds.get(index as usize).map(|item| item.name.clone())
}

fn draw_corpse(ctx: &mut Context) -> Option<String> {
    (0..CORPSES).find_map(|_| {
        let id = random_monster(ctx, ctx.place)?;
        let monster = ctx.content.monsters().get(id);
        monster.corpse.then(|| monster.name.clone())
    })
}

/// Draws brand, plus and number, where the spec leaves them open.
fn draw_rest(item: &mut ItemAlternative, kind: &Item, level: i32, ctx: &mut Context) {
    let rng = &mut *ctx.rng;
    let armament = matches!(kind.class.as_str(), "weapon" | "armour");
    let plain = item.details.mundane || item.level == ItemLevel::Mundane;
    let special = level >= GOOD || item.level == ItemLevel::Randart;
    if armament && !plain {
        let better = special || rng.x_chance_in_y(10 + level.max(0), 100);
        if item.plus.is_none() && better {
            item.plus = Some(rng.random_range(1, if special { 6 } else { 3 }));
        }
        if item.plus.is_none() && matches!(item.level, ItemLevel::Bad | ItemLevel::Damaged) {
            item.plus = Some(-rng.random_range(1, 3));
        }
        if item.ego.is_none() && (special || rng.x_chance_in_y(5 + level.max(0), 100)) {
            let egos = ctx.content.items().egos.iter();
            let fit =
                egos.filter(|ego| ego.class == kind.class && ego.allowed.contains(&kind.name));
            let fit: Vec<&str> = fit.map(|ego| ego.name.as_str()).collect();
            let index = rng.random2(fit.len() as i32);
            item.ego = fit.get(index as usize).map(|ego| (*ego).to_owned());
        }
    }
    if item.quantity.is_some_and(NonZeroI32::is_positive) {
        return;
    }
    let quantity = match kind.class.as_str() {
        "gold" if level >= GOOD => 100 + rng.random2(400),
        "gold" => 1 + rng.random2avg(19, 2) + rng.random2(level.max(0)),
        "missile" => 1 + rng.random2avg(20, 2),
        "potion" | "scroll" => 1 + i32::from(rng.one_chance_in(4)),
        _ => 1,
    };
    item.quantity = NonZeroI32::new(quantity);
}
