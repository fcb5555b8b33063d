//! Whether a weapon or armour looks special as its own generator makes it: by a brand, or by what
//! is added to its number. Measured on 0.28, every kind at several levels.

use vaultwright_content::LooksRow;
use vaultwright_map::{Context, NO_BRAND, draw_brand};

/// What is good, whatever the level of its place.
const GOOD: i32 = 350;
/// The numbers that are added to each other for a weapon, at most.
const MAX_NUMBERS: usize = 4;
/// Draws of a weapon until one is taken; far more than any needs.
const MAX_WEAPONS: usize = 1000;
/// The level from which on a weapon gets no more numbers.
const NUMBERS_END: i32 = 200;

/// What a weapon or armour may become.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Making {
    /// The level that its generator works with.
    pub(crate) level: i32,
    /// It may be an artefact.
    pub(crate) artefact: bool,
    /// It may have a brand.
    pub(crate) brand: bool,
}

/// Makes the first draws of a weapon. Returns whether it looks special, or is an artefact.
pub(crate) fn weapon_looks_special(kind: &str, making: Making, ctx: &mut Context) -> bool {
    let Making { level, artefact, brand } = making;
    if level >= GOOD {
        return true;
    }
    let looks = ctx.content.acquirement().looks(kind);
    let of_looks = |test: fn(&LooksRow) -> bool| looks.is_some_and(test);
    if artefact && is_artefact(level, looks, ctx) {
        return true;
    }
    let certain = of_looks(|looks| looks.certain);
    if of_looks(|looks| looks.plain) || !(certain || ctx.rng.x_chance_in_y(51 + level, 200)) {
        return false;
    }
    let draws_brand = brand && (certain || ctx.rng.x_chance_in_y(101 + level, 300));
    if draws_brand && draw_brand(kind, 1, ctx) != NO_BRAND {
        return true;
    }
    let mut number = 0;
    for _ in 0..MAX_NUMBERS {
        number += ctx.rng.random2(3);
        if !ctx.rng.x_chance_in_y(36 + level.min(NUMBERS_END), 425) {
            break;
        }
    }
    // Smaller numbers are taken away again where there is no brand.
    number >= 3
}

/// Draws which weapon `any weapon` is. A good one is no club.
pub(crate) fn draw_weapon<'c>(level: i32, ctx: &mut Context<'c>) -> &'c str {
    let worst =
        ctx.content.acquirement().any_of("all").first().map_or("", |(kind, _)| kind.as_str());
    for _ in 0..MAX_WEAPONS {
        let kind = draw_any_weapon(level, ctx);
        if level < GOOD || kind != worst {
            return kind;
        }
    }
    worst
}

fn draw_any_weapon<'c>(level: i32, ctx: &mut Context<'c>) -> &'c str {
    let acquirement = ctx.content.acquirement();
    let drawn = |list: &str, ctx: &mut Context<'c>| {
        let kinds = acquirement.any_of(list);
        let index = ctx.rng.random2(kinds.len() as i32) as usize;
        kinds.get(index).map_or(("", 0), |(kind, rarity)| (kind.as_str(), *rarity))
    };
    if ctx.rng.one_chance_in(30) && ctx.rng.x_chance_in_y(3 + level, 100) {
        return drawn("rare", ctx).0;
    }
    if ctx.rng.x_chance_in_y(1 + level, 27) {
        for _ in 0..MAX_WEAPONS {
            let (kind, rarity) = drawn("all", ctx);
            if ctx.rng.x_chance_in_y(rarity, 10) {
                return kind;
            }
        }
    }
    let better = ctx.rng.x_chance_in_y(1 + level, 11 + level);
    drawn(if better { "better" } else { "common" }, ctx).0
}

/// Draws which armour `any armour` is.
pub(crate) fn draw_armour<'c>(level: i32, ctx: &mut Context<'c>) -> &'c str {
    let acquirement = ctx.content.acquirement();
    let (kinds, index) = if ctx.rng.one_chance_in(5) {
        let kinds = acquirement.any_of("pieces of armour");
        let weights: Vec<i32> = kinds.iter().map(|(_, weight)| *weight).collect();
        (kinds, ctx.rng.weighted_chain(&weights))
    } else {
        let chances = [
            (10_000, "rarest armour"),
            (8000, "rare armour"),
            (60, "all armour"),
            (35, "better armour"),
        ];
        let chance = level.saturating_add(11);
        let list = chances.into_iter().find(|&(of, _)| ctx.rng.x_chance_in_y(chance, of));
        let kinds = acquirement.any_of(list.map_or("common armour", |(_, list)| list));
        (kinds, ctx.rng.random2(kinds.len() as i32) as usize)
    };
    kinds.get(index).map_or("", |(kind, _)| kind.as_str())
}

/// Makes the first draws of a damaged weapon at a depth, which looks special only by a brand.
pub(crate) fn damaged_weapon_has_brand(kind: &str, depth: i32, ctx: &mut Context) -> bool {
    let looks = ctx.content.acquirement().looks(kind);
    if looks.is_some_and(|looks| looks.plain) {
        return false;
    }
    let special = ctx.rng.x_chance_in_y(50, 200);
    special && ctx.rng.x_chance_in_y(103 + 2 * depth, 300) && draw_brand(kind, 1, ctx) != NO_BRAND
}

/// Makes the first draws of armour. Returns whether it looks special, or is an artefact; `None` if
/// nobody knows.
pub(crate) fn armour_looks_special(kind: &str, making: Making, ctx: &mut Context) -> Option<bool> {
    let acquirement = ctx.content.acquirement();
    let (looks, Making { level, artefact, brand }) = (acquirement.looks(kind)?, making);
    if looks.branded {
        return Some(true);
    }
    if artefact && is_artefact(level, Some(looks), ctx) {
        return Some(true);
    }
    let good = level >= GOOD;
    if looks.plain {
        return Some(good && ctx.rng.random2(3) > 0);
    }
    if looks.one_in > 0 {
        ctx.rng.one_chance_in(looks.one_in);
    }
    if !looks.certain && !ctx.rng.x_chance_in_y(51 + level, 250) {
        return Some(false);
    }
    let mut number = ctx.rng.random2(3);
    if looks.thick && ctx.rng.x_chance_in_y(21 + level, 300) {
        number += ctx.rng.random2(3);
    }
    if brand && ctx.rng.x_chance_in_y(31 + level, 350) {
        if looks.coin {
            ctx.rng.coinflip();
        }
        let weights: Vec<i32> = looks.brands.iter().map(|(_, weight)| *weight).collect();
        let drawn = looks.brands.get(ctx.rng.weighted_chain(&weights));
        // Where no brands are listed there always is one.
        if drawn.is_none_or(|(brand, _)| brand != NO_BRAND) {
            return Some(true);
        }
    }
    // What is good keeps any number.
    let least = if good { Some(1) } else { looks.least };
    Some(least.is_some_and(|least| number >= least))
}

fn is_artefact(level: i32, looks: Option<&LooksRow>, ctx: &mut Context) -> bool {
    let never = looks.is_some_and(|looks| looks.no_artefact);
    level > 0 && !never && ctx.rng.x_chance_in_y(101 + 3 * level, 4000)
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules, WeaponClass};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// Of the seeds from 1 to 100 those with which the weapon of `dancing weapon ; any weapon`
    /// shoots in 0.28, which then draws four words more.
    #[test]
    fn any_weapon_is_that_of_the_running_program() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let shoots = |seed: u64, level: i32| {
            let mut rng = Streams::from_seed(seed, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            // The monster comes first.
            ctx.spend_isolated();
            ctx.rng.enter_sub();
            content.creation().is(draw_weapon(level, &mut ctx), WeaponClass::Launcher)
        };
        let recorded: [(i32, &[u64]); 3] = [
            (0, &[1, 17, 35, 36, 57, 59, 66, 68, 94, 96]),
            (14, &[1, 17, 25, 40, 48, 54, 57, 85, 96]),
            (351, &[3, 10, 25, 34, 40, 41, 48, 62, 69, 71, 77, 78, 79, 85, 92, 95]),
        ];
        for (level, expected) in recorded {
            let seeds: Vec<u64> = (1..=100).filter(|&seed| shoots(seed, level)).collect();
            assert_eq!(seeds, expected, "at level {level}");
        }
    }
}
