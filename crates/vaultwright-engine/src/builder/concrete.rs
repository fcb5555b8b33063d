//! What a level leaves open is drawn: which monster, which item. The draws come from a generator of
//! their own, so that a level is the same with and without them.
//!
//! Kinds of monsters come from the tables of populations and groups. The class of an item, gold and
//! the level that an item is made for are drawn as in the reference (spec 03 §8); which item of its
//! class it is, its brand and its number are not known from there: all kinds are alike here.

use std::sync::Arc;

use vaultwright_content::{Content, MonsterId};
use vaultwright_level::{Level, LevelItem, LevelMonster};
use vaultwright_map::{
    Context, Dungeon, ItemAlternative, ItemKind, LevelPlace, MonsterKind, random_monster,
    random_zombie_base,
};
use vaultwright_rng::Streams;

use super::concrete_items::concrete_item;

/// Tells this generator from others of the same seed.
const SEQUENCE: u64 = 0x0c0c_e7e0;

/// Gives every monster of a level a kind, if one can be drawn, and every item.
pub(crate) fn make_concrete(
    level: &mut Level,
    content: &Content,
    dungeon: &Dungeon,
    place: LevelPlace,
    seed: u64,
) {
    let sequence = SEQUENCE + ((place.branch.0 as u64) << 16) + place.depth as u64;
    let rng = &mut Streams::single(seed, sequence);
    let mut ctx = Context::new(content, rng, place, dungeon);
    for monster in level.monsters.values_mut() {
        concrete_monster(monster, &mut ctx);
        for item in &mut monster.items {
            *item = Arc::new(concrete_item(item, &mut ctx));
        }
    }
    for item in level.items.values_mut().flatten() {
        let asked =
            item.asked.clone().unwrap_or_else(|| Arc::new(ItemAlternative::of_glyph(&item.spec)));
        item.made = Some(Arc::new(concrete_item(&asked, &mut ctx)));
    }
    level.items.values_mut().for_each(|items| items.retain(|item| !is_nothing(item)));
}

fn is_nothing(item: &LevelItem) -> bool {
    item.made.as_ref().is_some_and(|made| made.kind == ItemKind::Nothing)
}

fn concrete_monster(monster: &mut LevelMonster, ctx: &mut Context) {
    let place = monster.asked.as_ref().and_then(|asked| asked.place).unwrap_or(ctx.place);
    if let Some((undead, base)) = &mut monster.undead {
        if base.is_none() && monster.kind.is_none() {
            *base = random_zombie_base(ctx, place, *undead);
            monster.rolled = base.is_some();
        }
        return;
    }
    if monster.kind.is_some() {
        return;
    }
    let Some(asked) = monster.asked.clone() else { return };
    monster.kind = match &asked.kind {
        MonsterKind::PandemoniumLord => ctx.content.monsters().by_name("pandemonium lord"),
        MonsterKind::RandomDemonspawn => one_of("base demonspawn", ctx),
        MonsterKind::GameOrb => one_of("orb of appropriateness", ctx),
        MonsterKind::Random { .. } => random_monster(ctx, place),
        // Draconians and demons have been drawn when they were made.
        _ => None,
    };
    monster.rolled = monster.kind.is_some();
}

/// Returns a member of a group that there is in this edition.
fn one_of(group: &str, ctx: &mut Context) -> Option<MonsterId> {
    let members = ctx.content.monsters().group(group);
    let there_is = |id: &&MonsterId| !ctx.content.monsters().get(**id).has("cant_spawn");
    let members: Vec<MonsterId> = members.iter().filter(there_is).copied().collect();
    let index = ctx.rng.random2(members.len() as i32);
    members.get(index as usize).copied()
}
