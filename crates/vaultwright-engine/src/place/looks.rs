//! Whether a weapon or armour looks special as its own generator makes it: by a brand, or by what is
//! added to its number. Measured on 0.28, every kind at several levels.

use vaultwright_content::LooksRow;
use vaultwright_map::Context;

use super::made::NO_BRAND;

/// What is good, whatever the level of its place.
const GOOD: i32 = 350;
/// Brands drawn for a good weapon until there is one.
const BRANDS_OF_GOOD: usize = 5;
/// The numbers that are added to each other for a weapon, at most.
const NUMBERS: usize = 4;
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
    let acquirement = ctx.content.acquirement();
    let (looks, brands) = (acquirement.looks(kind), acquirement.brands(kind));
    let Making { level, artefact, brand } = making;
    let of_looks = |test: fn(&LooksRow) -> bool| looks.is_some_and(test);
    if level >= GOOD && of_looks(|looks| looks.plain) {
        return true;
    }
    if artefact && is_artefact(level, looks, ctx) {
        return true;
    }
    let certain = of_looks(|looks| looks.certain);
    if of_looks(|looks| looks.plain) || !(certain || ctx.rng.x_chance_in_y(51 + level, 200)) {
        return false;
    }
    let draws_brand = brand && (certain || ctx.rng.x_chance_in_y(101 + level, 300));
    if draws_brand && draw_brand(&brands, level, ctx) {
        return true;
    }
    let mut number = 0;
    for _ in 0..NUMBERS {
        number += ctx.rng.random2(3);
        if !ctx.rng.x_chance_in_y(36 + level.min(NUMBERS_END), 425) {
            break;
        }
    }
    // Smaller numbers are taken away again where there is no brand.
    number >= 3
}

/// Makes the first draws of a damaged weapon at a depth, which looks special only by a brand.
pub(crate) fn damaged_weapon_has_brand(kind: &str, depth: i32, ctx: &mut Context) -> bool {
    let acquirement = ctx.content.acquirement();
    let (looks, brands) = (acquirement.looks(kind), acquirement.brands(kind));
    if looks.is_some_and(|looks| looks.plain) {
        return false;
    }
    let special = ctx.rng.x_chance_in_y(50, 200);
    special && ctx.rng.x_chance_in_y(103 + 2 * depth, 300) && draw_brand(&brands, 0, ctx)
}

fn draw_brand(brands: &[(&str, i32)], level: i32, ctx: &mut Context) -> bool {
    // Of one brand alone none is drawn, if it is no brand.
    if brands.iter().all(|&(brand, _)| brand == NO_BRAND) {
        return false;
    }
    let weights: Vec<i32> = brands.iter().map(|&(_, weight)| weight).collect();
    (0..if level >= GOOD { BRANDS_OF_GOOD } else { 1 }).any(|_| {
        let drawn = ctx.rng.weighted_table(&weights).map(|index| brands[index].0);
        drawn.is_some_and(|brand| brand != NO_BRAND)
    })
}

/// Makes the first draws of armour. Returns whether it looks special, or is an artefact; `None` if
/// nobody knows.
pub(crate) fn armour_looks_special(kind: &str, making: Making, ctx: &mut Context) -> Option<bool> {
    let acquirement = ctx.content.acquirement();
    let (looks, Making { level, artefact, brand }) = (acquirement.looks(kind)?, making);
    if looks.branded || (level >= GOOD && (looks.plain || looks.coin)) {
        return Some(true);
    }
    if artefact && is_artefact(level, Some(looks), ctx) {
        return Some(true);
    }
    if looks.plain {
        return Some(false);
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
    Some(looks.least.is_some_and(|least| number >= least))
}

fn is_artefact(level: i32, looks: Option<&LooksRow>, ctx: &mut Context) -> bool {
    let never = looks.is_some_and(|looks| looks.no_artefact);
    level > 0 && !never && ctx.rng.x_chance_in_y(101 + 3 * level, 4000)
}
