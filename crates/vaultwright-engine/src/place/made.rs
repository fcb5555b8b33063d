//! What the own generator of a good item makes of it, as far as something outside hangs on it:
//! whether it is an artefact, and the brand of a weapon. Measured on 0.28.

use vaultwright_content::AcquirementRow;
use vaultwright_map::{BRANDS_OF_GOOD, Context, draw_brand};

/// How many good items of 4000 are artefacts, and of 2000 pieces of jewellery that are to be fixed
/// ones.
const ARTEFACTS: i32 = 1154;

/// What has been made of a piece of jewellery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jewellery {
    Plain,
    Random,
    Fixed,
}

/// What has been made of a piece of armour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Armour {
    pub(crate) is_artefact: bool,
    /// Boots that turned out to be for those with more legs, or none.
    pub(crate) is_barding: bool,
}

/// Makes a weapon. Returns its brand, unless it is an artefact.
pub(crate) fn make_weapon<'c>(kind: &AcquirementRow, ctx: &mut Context<'c>) -> Option<&'c str> {
    ctx.rng.enter_sub();
    let is_artefact = ctx.rng.x_chance_in_y(ARTEFACTS, 4000);
    let brand = if is_artefact { None } else { Some(draw_brand(&kind.name, BRANDS_OF_GOOD, ctx)) };
    ctx.rng.leave();
    brand
}

pub(crate) fn make_armour(kind: &AcquirementRow, ctx: &mut Context) -> Armour {
    ctx.rng.enter_sub();
    let is_artefact = ctx.rng.x_chance_in_y(ARTEFACTS, 4000) && !kind.no_artefact;
    let is_boots = kind.kind == "boots";
    if is_artefact && is_boots {
        // Whether it is one of the fixed artefacts does not matter.
        ctx.rng.random2(7);
    }
    let is_barding = is_boots && ctx.rng.one_chance_in(if is_artefact { 20 } else { 8 });
    ctx.rng.leave();
    Armour { is_artefact, is_barding }
}

pub(crate) fn make_jewellery(kind: &AcquirementRow, ctx: &mut Context) -> Jewellery {
    ctx.rng.enter_sub();
    let wants_fixed = ctx.rng.one_chance_in(20) && ctx.rng.x_chance_in_y(ARTEFACTS, 2000);
    let made = if wants_fixed && kind.fixed {
        Jewellery::Fixed
    } else if ctx.rng.x_chance_in_y(ARTEFACTS, 4000) {
        Jewellery::Random
    } else {
        Jewellery::Plain
    };
    ctx.rng.leave();
    made
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace, NO_BRAND};
    use vaultwright_rng::Streams;

    use super::*;

    /// Returns what comes out of good items of a kind with the seeds from 1 on.
    fn made<T>(
        content: &Content,
        name: &str,
        seeds: u64,
        make: impl Fn(&AcquirementRow, &mut Context) -> T,
    ) -> Vec<T> {
        let dungeon = Dungeon::standard(content.branches());
        let row = content.acquirement().named(name).expect("a kind");
        let of = |seed| {
            let mut rng = Streams::from_seed(seed, 43);
            let made = make(row, &mut Context::new(content, &mut rng, LevelPlace::START, &dungeon));
            assert_eq!(rng.draws_of(0), 4, "all else is inside");
            made
        };
        (1..=seeds).map(of).collect()
    }

    #[test]
    fn good_items_are_those_of_the_running_program() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let swords = made(&content, "long sword", 14, |row, ctx| {
            make_weapon(row, ctx).unwrap_or("artefact").to_owned()
        });
        let expected = [
            "artefact",
            "artefact",
            "artefact",
            "electrocution",
            "flaming",
            "holy wrath",
            "holy wrath",
            "artefact",
            "distortion",
            "holy wrath",
            "vorpal",
            "flaming",
            "draining",
            "holy wrath",
        ];
        assert_eq!(swords, expected);
        let robes = made(&content, "robe", 10, |row, ctx| make_armour(row, ctx).is_artefact);
        let artefacts = [true, true, true, false, false, false, false, true, false, false];
        assert_eq!(robes, artefacts);
        let rings = made(&content, "ring of protection", 10, make_jewellery);
        let expected = [
            Jewellery::Plain,
            Jewellery::Plain,
            // The ring of the Tortoise.
            Jewellery::Fixed,
            Jewellery::Plain,
            Jewellery::Plain,
            Jewellery::Random,
            Jewellery::Random,
            Jewellery::Plain,
            Jewellery::Plain,
            Jewellery::Plain,
        ];
        assert_eq!(rings, expected);
    }

    #[test]
    fn some_kinds_are_never_artefacts_and_some_have_no_brand() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let scarves = made(&content, "scarf", 50, |row, ctx| make_armour(row, ctx).is_artefact);
        assert!(!scarves.contains(&true));
        let blades =
            made(&content, "quick blade", 50, |row, ctx| make_weapon(row, ctx).map(str::to_owned));
        assert!(blades.iter().flatten().all(|brand| brand == NO_BRAND));
        let boots = made(&content, "pair of boots", 100, make_armour);
        // One in twenty of the artefacts, one in eight of the others.
        let barding = |artefact| {
            boots.iter().filter(|boots| boots.is_artefact == artefact && boots.is_barding).count()
        };
        assert_eq!((barding(true), barding(false)), (1, 10), "as in the running program");
    }
}
