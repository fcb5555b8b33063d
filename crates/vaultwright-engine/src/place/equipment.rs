//! What a monster of a vault gets behind its creation: a book, items, enchantments (spec 03 §6.2,
//! steps 11 to 14).

use std::sync::Arc;

use vaultwright_content::{MonsterId, WeaponClass};
use vaultwright_level::{Level, LevelMonster};
use vaultwright_map::{
    ADJACENT, Context, ItemAlternative, ItemKind, MonsterAlternative, Point, draw_enchantment,
};

use super::items::make_item_of_monster;
use super::monsters::Creature;
use crate::state::population::Population;

/// Weapons that fight by themselves.
const DANCING: [&str; 2] = ["dancing weapon", "spectral weapon"];

/// Draws a monster's book, items and enchantments.
pub(super) fn equip(
    level: &mut Level,
    place: Point,
    spec: &MonsterAlternative,
    creature: &Creature,
    population: &mut Population,
    ctx: &mut Context,
) {
    let book = ctx.rng.random2(spec.details.books.len() as i32);
    let mut given: Vec<Arc<ItemAlternative>> = Vec::new();
    let mut drawn: Vec<&str> = Vec::new();
    for slot in &spec.items {
        let chosen = ctx.pick_of(0, &slot.alternatives, |a| a.weight);
        let chosen = chosen.map(|index| &slot.alternatives[index]);
        if let Some(item) = chosen.filter(|item| item.kind != ItemKind::Nothing) {
            drawn.extend(make_item_of_monster(item, ctx));
            population.note_item(item);
            given.push(Arc::clone(item));
        }
    }
    if creature.kind.is_some_and(|id| lacks_missiles(id, &given, &drawn, ctx)) {
        ctx.spend_isolated();
    }
    let weapon = given.iter().find_map(|item| match &item.kind {
        ItemKind::Item(name) => Some(name.as_str()),
        _ => None,
    });
    let was = creature.undead.and_then(|(_, base)| base).or(creature.kind);
    let undead = creature.undead.map(|(undead, _)| undead);
    for enchantment in &spec.details.enchantments {
        if let Some(kind) = was {
            draw_enchantment(ctx, kind, undead, enchantment, weapon);
        }
        draw_ring(level, place, &enchantment.name, ctx);
    }
    if let Some(monster) = level.monsters.get_mut(&place) {
        (monster.book, monster.items) = (book as usize, given);
    }
}

/// Makes the draws of the clouds that an enchantment lays around a monster (spec 03 §6.8), none of
/// them in walls, as 0.28 was asked.
fn draw_ring(level: &Level, at: Point, enchantment: &str, ctx: &mut Context) {
    if enchantment != "thunder_ringed" && !enchantment.starts_with("ring_") {
        return;
    }
    let is_peaceful = |p: &Point| level.monsters.get(p).map(LevelMonster::is_peaceful);
    let own_side = is_peaceful(&at);
    let features = ctx.content.features();
    let is_open = |p| level.feature(p).is_some_and(|id| !features.get(id).flags.solid());
    for p in ADJACENT.map(|step| at.offset(step)) {
        if is_open(p) && is_peaceful(&p) != own_side {
            ctx.rng.random2(6);
        }
    }
}

/// Returns whether a weapon that fights by itself has been given something that shoots, and nothing
/// to shoot; `drawn` are kinds of given weapons that are drawn.
fn lacks_missiles(
    id: MonsterId,
    given: &[Arc<ItemAlternative>],
    drawn: &[&str],
    ctx: &Context,
) -> bool {
    let content = ctx.content;
    let launcher = |kind: &str| content.creation().is(kind, WeaponClass::Launcher);
    let shoots = |item: &Arc<ItemAlternative>| match &item.kind {
        ItemKind::Item(name) => launcher(name),
        _ => false,
    };
    let missile = |item: &Arc<ItemAlternative>| match &item.kind {
        ItemKind::Item(name) => {
            content.items().by_name(name).is_some_and(|item| item.class == "missile")
        }
        _ => false,
    };
    content.rules.launchers_need_missiles
        && DANCING.contains(&content.monsters().get(id).name.as_str())
        && (given.iter().any(shoots) || drawn.iter().any(|kind| launcher(kind)))
        && !given.iter().any(missile)
}
