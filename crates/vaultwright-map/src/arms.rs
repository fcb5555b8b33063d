//! The weapons that a new monster receives (packs/tables/0.28/creation.json). Measured on 0.28.

use vaultwright_content::{LooksRow, MonsterId, WeaponLists};

use crate::brand::{BRANDS_OF_GOOD, NO_BRAND, draw_brand};
use crate::context::Context;

/// The brand that unholy monsters do not get.
const HOLY_WRATH: &str = "holy wrath";
/// The holiness of unholy monsters; tables name others.
const UNHOLY: [&str; 2] = ["undead", "demonic"];

/// From this level on, the numbers of weapons do not increase any more.
const NUMBERS_END: i32 = 200;

/// The occasion on which a monster gets a weapon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Before all others: the weapon it wields.
    First,
    Later,
}

/// Draws one weapon of a kind. Its look is drawn again if it is made by hand, or if it loses a
/// brand that the kind does not bear and still looks special. Returns its name.
pub(crate) fn draw_weapon(ctx: &mut Context, kind: MonsterId, turn: Turn) -> Option<String> {
    let Some(lists) = ctx.content.creation().weapons(kind) else {
        ctx.spend_isolated();
        return None;
    };
    let depth = ctx.absolute_depth() - 1;
    ctx.rng.enter_sub();
    let (name, make) = pick(ctx, lists, depth, turn);
    let looks_other = is_unholy(ctx, kind)
        && name.as_ref().is_some_and(|name| {
            let (brand, number) = made(ctx, name, make, depth);
            brand == HOLY_WRATH && number > 0
        });
    ctx.rng.leave();
    for _ in 0..u32::from(make != Make::Usual) + u32::from(looks_other) {
        ctx.rng.word();
    }
    name
}

/// How a weapon is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Make {
    /// Like any item, by value.
    Usual,
    /// By hand.
    ByHand,
    /// By hand, with a brand of the kind's own.
    Branded,
    /// By hand, as a good one.
    Good,
}

/// Draws a weapon from the lists of a kind, and how it is made.
fn pick(ctx: &mut Context, lists: &WeaponLists, depth: i32, turn: Turn) -> (Option<String>, Make) {
    let first = turn == Turn::First;
    if first && !lists.second.is_empty() {
        let name = one_of(ctx, &lists.second);
        if name.as_deref() != Some("none") {
            draw_number(ctx, depth);
            return (name, Make::Usual);
        }
    }
    if let Some(other) = &lists.instead
        && let Some(numbers) = other.artefact_behind
    {
        for _ in 0..numbers {
            ctx.rng.word();
        }
        if ctx.rng.one_chance_in(other.one_in) {
            return (Some(other.weapon.clone()), Make::Usual);
        }
        return (one_of(ctx, &lists.first), Make::ByHand);
    }
    let instead = lists.instead.as_ref().filter(|other| depth >= other.min_depth);
    let before = lists.instead.as_ref().filter(|other| !other.after);
    let mut name = None;
    if let Some(other) = before
        && ctx.rng.one_chance_in(other.one_in)
        && instead.is_some()
    {
        name = Some(other.weapon.clone());
    }
    let mut name = name.or_else(|| one_of(ctx, &lists.first));
    let mut by_hand = match lists.odds {
        Some(odds) => ctx.rng.one_chance_in(odds),
        None => {
            draw_number(ctx, depth);
            lists.good
        }
    };
    if let Some(other) = instead.filter(|other| other.after && first)
        && ctx.rng.one_chance_in(other.one_in)
    {
        name = Some(other.weapon.clone());
    }
    if !lists.always.is_empty() {
        let always = name.as_ref().is_some_and(|name| lists.always.contains(name));
        by_hand = first && (by_hand || always);
    }
    if !lists.brands.is_empty() && one_of(ctx, &lists.brands).is_some_and(|it| it != NO_BRAND) {
        return (name, Make::Branded);
    }
    match by_hand {
        true if lists.good => (name, Make::Good),
        true => (name, Make::ByHand),
        false => (name, Make::Usual),
    }
}

fn one_of(ctx: &mut Context, list: &[(String, i32)]) -> Option<String> {
    let weights: Vec<i32> = list.iter().map(|(_, weight)| *weight).collect();
    let index = if weights.len() > 1 { ctx.rng.weighted_table(&weights)? } else { 0 };
    list.get(index).map(|(name, _)| name.clone())
}

/// Draws the increase of the number of a weapon on a level.
fn draw_number(ctx: &mut Context, level: i32) -> i32 {
    let mut number = 0;
    for _ in 0..4 {
        number += ctx.rng.random2(3);
        if !ctx.rng.x_chance_in_y(36 + level, 425) {
            break;
        }
    }
    number
}

/// Returns whether a kind cannot bear holy wrath.
fn is_unholy(ctx: &Context, kind: MonsterId) -> bool {
    let holiness = &ctx.content.monsters().get(kind).holiness;
    holiness.iter().any(|own| UNHOLY.contains(&own.as_str()))
        || ctx.content.creation().is_unholy(kind)
}

/// Makes the first draws of a weapon in the generator that makes it. Returns its brand and the
/// increase of its number; without a brand, the latter is not reported.
fn made<'c>(ctx: &mut Context<'c>, name: &str, make: Make, depth: i32) -> (&'c str, i32) {
    let is_certain = |looks: &LooksRow| looks.certain;
    let certain = ctx.content.acquirement().looks(name).is_some_and(is_certain);
    let (level, tries) = match make {
        Make::Branded => return (NO_BRAND, 0),
        Make::Good => (NUMBERS_END, BRANDS_OF_GOOD),
        Make::Usual | Make::ByHand => (depth, 1),
    };
    let certain = certain || make == Make::Good;
    if make != Make::ByHand {
        ctx.rng.enter_sub();
    }
    let with_care = certain || ctx.rng.x_chance_in_y(51 + level, 200) || make == Make::ByHand;
    let brand = match with_care && (certain || ctx.rng.x_chance_in_y(101 + level, 300)) {
        true => draw_brand(name, tries, ctx),
        false => NO_BRAND,
    };
    let number = if brand == NO_BRAND { 0 } else { draw_number(ctx, level) };
    if make != Make::ByHand {
        ctx.rng.leave();
    }
    (brand, number)
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::{Dungeon, LevelPlace};

    #[test]
    fn the_bow_of_a_salamander_is_made_by_hand() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let salamander = content.monsters().by_name("salamander").expect("a monster");
        let lists = content.creation().weapons(salamander).expect("weapons");
        let mut seen = [[0; 2]; 2];
        for seed in 0..400 {
            let mut rng = Streams::from_seed(seed, 5);
            let place = LevelPlace { depth: 5, ..LevelPlace::START };
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let (name, make) = pick(&mut ctx, lists, 5, Turn::First);
            let bow = name.as_deref() == Some("shortbow");
            seen[usize::from(bow)][usize::from(make == Make::ByHand)] += 1;
        }
        assert!(seen[0].iter().all(|&count| count > 0), "{seen:?}");
        assert!(seen[1][0] == 0 && seen[1][1] > 0, "{seen:?}");
    }
}
