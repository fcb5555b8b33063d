//! How a thing becomes an artefact outside its own generator (spec 11 §6).

use vaultwright_content::{ArtefactProperty, PropertyValue, TextBase};
use vaultwright_map::Context;

use super::words::{fill_in_name, look_up};

const MAX_NAME_LENGTH: usize = 25;
const MAX_NAMES: usize = 100;
/// How often an artefact that contradicts itself is made again; a second time is rare.
const MAX_TRIES: usize = 100;

/// What is still to be shared out among properties.
struct Shares {
    good: i32,
    bad: i32,
    enhance: i32,
}

/// A property that an artefact has got.
struct DrawnProperty<'c> {
    name: &'c str,
    is_good: bool,
}

/// Draws what becomes of jewellery: `kind` is `ring` or `amulet`, `base` its full name.
pub(crate) fn become_artefact(kind: &str, base: &str, ctx: &mut Context) {
    for _ in 0..MAX_TRIES {
        let drawn = draw_properties(kind, base, ctx);
        if !contradict(base, &drawn) {
            break;
        }
    }
    draw_name(kind, ctx);
    let looks = look_up(TextBase::Artefacts, kind, " appearance", ctx);
    if looks.is_none() {
        look_up(TextBase::Artefacts, "general appearance", "", ctx);
    }
}

/// Draws the properties of jewellery.
fn draw_properties<'c>(kind: &str, base: &str, ctx: &mut Context<'c>) -> Vec<DrawnProperty<'c>> {
    let mut shares = draw_shares(ctx);
    let may_have = |property: &&ArtefactProperty| {
        property.only.is_empty() || property.only.iter().any(|only| only == kind)
    };
    let given = |property: &ArtefactProperty| property.given.iter().any(|name| name == base);
    let properties = &ctx.content.acquirement().properties;
    let mut left: Vec<&ArtefactProperty> = properties.iter().collect();
    let mut drawn: Vec<DrawnProperty> = Vec::new();
    let is_opposed = |property: &ArtefactProperty, drawn: &[DrawnProperty]| {
        property.opposite.as_deref().is_some_and(|other| {
            drawn.iter().any(|one| one.name == other)
                || properties.iter().any(|property| property.name == other && given(property))
        })
    };
    // Whether any property that is left can still be used; else the draws would never end.
    let usable = |left: &[&ArtefactProperty], shares: &Shares, drawn: &[DrawnProperty]| {
        left.iter().any(|property| {
            may_have(property)
                && !given(property)
                && !is_opposed(property, drawn)
                && ((property.good && shares.good > 0) || (property.bad && shares.bad > 0))
        })
    };
    while usable(&left, &shares, &drawn) {
        let weights: Vec<i32> = left.iter().map(|property| property.weight).collect();
        let Some(index) = ctx.rng.weighted_table(&weights) else { break };
        let property = left[index];
        if !may_have(&property) || given(property) || is_opposed(property, &drawn) {
            continue;
        }
        let (good, bad) = (property.good && shares.good > 0, property.bad && shares.bad > 0);
        let is_good = match (good, bad) {
            (false, false) => continue,
            (true, true) => ctx.rng.coinflip(),
            (good, _) => good,
        };
        if is_good {
            improve(property, &mut shares, ctx);
        } else {
            impair(property, &mut shares, ctx);
        }
        drawn.push(DrawnProperty { name: &property.name, is_good });
        left.remove(index);
    }
    drawn
}

/// Returns whether a thing has what is of no use with something else of it: such an artefact is
/// made again.
fn contradict(base: &str, drawn: &[DrawnProperty]) -> bool {
    let has = |name: &str, is_good: bool| {
        drawn.iter().any(|one| one.name == name && one.is_good == is_good)
    };
    let no_spells = has("-Cast", false);
    base == "ring of wizardry" && has("Int", false)
        || no_spells
            && (has("Int", true) || has("MP", true) || base == "amulet of magic regeneration")
}

fn draw_shares(ctx: &mut Context) -> Shares {
    let successes = |times: i32, ctx: &mut Context| {
        (0..times).filter(|_| ctx.rng.x_chance_in_y(30, 100)).count() as i32
    };
    let quality = successes(7, ctx).max(1);
    let times = 1 + ctx.rng.div_rand_round(quality, 5);
    let bad = successes(times, ctx).min(2);
    let good = quality + bad;
    let most = 4 + i32::from(ctx.rng.one_chance_in(20)) + i32::from(ctx.rng.one_chance_in(40));
    match good + bad > most {
        true => Shares { good: most - bad, bad, enhance: good + bad - most },
        false => Shares { good, bad, enhance: 0 },
    }
}

fn improve(property: &ArtefactProperty, shares: &mut Shares, ctx: &mut Context) {
    let (mut value, mut odds) = (0, 1);
    while value <= property.cap
        && (shares.enhance > 0 || (shares.good > 0 && ctx.rng.one_chance_in(odds)))
    {
        value += match property.value {
            PropertyValue::One => 1,
            PropertyValue::Attribute => 1 + ctx.rng.random2(3) + i32::from(value == 0),
            PropertyValue::Slaying => 2 + ctx.rng.random2(2),
        };
        if shares.enhance > 0 && odds > 1 {
            shares.enhance -= 1;
        } else {
            shares.good -= 1;
        }
        odds += property.step;
    }
}

fn impair(property: &ArtefactProperty, shares: &mut Shares, ctx: &mut Context) {
    match property.value {
        PropertyValue::One => 0,
        PropertyValue::Attribute => ctx.rng.random2(4),
        PropertyValue::Slaying => ctx.rng.random2(5),
    };
    shares.bad -= 1;
}

fn draw_name(kind: &str, ctx: &mut Context) {
    let jewellery = matches!(kind, "ring" | "amulet");
    let from_texts = if jewellery { ctx.rng.one_chance_in(5) } else { ctx.rng.coinflip() };
    if !from_texts {
        // The name itself comes from a generator that this word seeds.
        ctx.rng.word();
        ctx.rng.one_chance_in(3);
        return;
    }
    let key = if jewellery { "jewellery" } else { kind };
    for _ in 0..MAX_NAMES {
        let name = look_up(TextBase::Artefacts, key, "", ctx).unwrap_or_default();
        if fill_in_name(&name, ctx).chars().count() <= MAX_NAME_LENGTH {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    #[test]
    fn what_is_of_no_use_with_the_rest_is_made_again() {
        let has = |base, drawn: &[(&'static str, bool)]| {
            let drawn: Vec<DrawnProperty> =
                drawn.iter().map(|&(name, is_good)| DrawnProperty { name, is_good }).collect();
            contradict(base, &drawn)
        };
        assert!(has("ring of wizardry", &[("Str", true), ("Int", false)]));
        assert!(!has("ring of wizardry", &[("Int", true)]));
        assert!(!has("ring of flight", &[("Int", false)]));
        assert!(has("amulet of faith", &[("-Cast", false), ("Int", true)]));
        assert!(has("amulet of faith", &[("MP", true), ("-Cast", false)]));
        assert!(has("amulet of magic regeneration", &[("-Cast", false)]));
        assert!(!has("amulet of faith", &[("-Cast", false), ("Int", false)]));
    }

    #[test]
    fn a_ring_against_corrosion_corrodes_nothing() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let corroding = |base: &str| {
            let of = |seed| {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
                draw_properties("ring", base, &mut ctx).iter().any(|one| one.name == "*Corrode")
            };
            (1..=300).any(of)
        };
        assert!(corroding("ring of flight") && !corroding("ring of resist corrosion"));
    }
}
