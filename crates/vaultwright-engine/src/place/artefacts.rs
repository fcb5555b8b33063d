//! How a thing becomes an artefact outside its own generator (spec 11 §6).

use vaultwright_content::{ArtefactProperty, PropertyValue, TextBase};
use vaultwright_map::Context;

use super::words::{fill_in_name, look_up};

const MAX_NAME_LENGTH: usize = 25;
const MAX_NAMES: usize = 100;

/// What is still to be shared out among properties.
struct Shares {
    good: i32,
    bad: i32,
    enhance: i32,
}

/// Draws what becomes of jewellery: `kind` is `ring` or `amulet`, `base` its full name.
pub(crate) fn become_artefact(kind: &str, base: &str, ctx: &mut Context) {
    let mut shares = draw_shares(ctx);
    let may_have = |property: &&ArtefactProperty| {
        property.only.is_empty() || property.only.iter().any(|only| only == kind)
    };
    let given = |property: &ArtefactProperty| property.given.iter().any(|name| name == base);
    let mut left: Vec<&ArtefactProperty> = ctx.content.acquirement().properties.iter().collect();
    let mut had: Vec<&str> = Vec::new();
    // Whether any property that is left can still be used; else the draws would never end.
    let usable = |left: &[&ArtefactProperty], shares: &Shares, had: &[&str]| {
        left.iter().any(|property| {
            may_have(property)
                && !given(property)
                && !property.opposite.as_deref().is_some_and(|other| had.contains(&other))
                && ((property.good && shares.good > 0) || (property.bad && shares.bad > 0))
        })
    };
    while usable(&left, &shares, &had) {
        let weights: Vec<i32> = left.iter().map(|property| property.weight).collect();
        let Some(index) = ctx.rng.weighted_table(&weights) else { break };
        let property = left[index];
        let opposed = property.opposite.as_deref().is_some_and(|other| had.contains(&other));
        if !may_have(&property) || given(property) || opposed {
            continue;
        }
        let (good, bad) = (property.good && shares.good > 0, property.bad && shares.bad > 0);
        match (good, bad) {
            (false, false) => continue,
            (true, true) if ctx.rng.coinflip() => improve(property, &mut shares, ctx),
            (true, false) => improve(property, &mut shares, ctx),
            _ => impair(property, &mut shares, ctx),
        }
        had.push(&property.name);
        left.remove(index);
    }
    draw_name(kind, ctx);
    let looks = look_up(TextBase::Artefacts, kind, " appearance", ctx);
    if looks.is_none() {
        look_up(TextBase::Artefacts, "general appearance", "", ctx);
    }
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
        fill_in_name(&name, ctx);
        if name.chars().count() <= MAX_NAME_LENGTH {
            break;
        }
    }
}
