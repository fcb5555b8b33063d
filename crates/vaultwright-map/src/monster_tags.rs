//! The tags of a MONS or KMONS: what is said of a monster beside its name and its items.

use std::num::NonZeroI32;

use vaultwright_content::{DescribedKind, Rules, TileUse};

use crate::attitude::Attitude;
use crate::item_spec::check_tile;
use crate::lost_spec::Unheard;
use crate::monster_details::{
    ATTITUDES, Enchantment, MonsterDetails, NumberOrder, SpellSlot, name_words,
};
use crate::monster_name::MonsterKind;
use crate::monster_spec::MonsterAlternative;
use crate::spec_text::{SpecText, leading_number, parse_int, pieces, split_trimmed};
use crate::{Context, ErrorCode, LevelPlace, SpecError};

/// What a monster can have at most.
const MAX_HIT_POINTS: i32 = 10_000;

/// Takes the tags off a text. The kind of the monster is in the words that are left.
pub(crate) fn parse_tags(
    text: &mut SpecText,
    piece: &str,
    ctx: &mut Context,
) -> Result<MonsterAlternative, SpecError> {
    let rules = ctx.content.rules;
    let weight = parse_weight(text, &rules);
    let generate_awake = text.strip("generate_awake");
    let patrolling = text.strip("patrolling");
    if rules.actual_spells {
        // Spells used to be those of a book unless this was given; now all are written out.
        text.strip("actual_spells");
    }
    let band = text.strip("band");
    let attitude = parse_attitude(text);
    let mut details = MonsterDetails { seen: text.strip("seen"), ..MonsterDetails::default() };
    for (word, leaves) in [("always_corpse", true), ("never_corpse", false)] {
        if text.strip(word) {
            details.corpse = Some(leaves);
        }
    }
    strip_count(text);
    let place = parse_place(text, ctx)?;
    let hit_dice = text.number("hd:").map(|dice| dice.min(100)).and_then(NonZeroI32::new);
    if rules.experience_tag {
        details.experience = text.number("exp:").unwrap_or(0);
    }
    let hit_points = parse_hit_points(text);
    let duration = parse_duration(text, &mut details, ctx);
    parse_summoning(text, duration, &mut details, ctx)?;
    let colour = parse_colour(text, ctx)?;
    parse_god(text, &mut details, ctx)?;
    details.tile = text.value("tile:");
    check_tile(details.tile.as_deref(), TileUse::Doll, ctx)?;
    details.description_key = text.value("dbname:").map(|key| key.replace('_', " "));
    let name = text.value("name:");
    if name.is_some() {
        details.name_use = name_words(text);
    }
    parse_enchantments(text, &mut details, ctx)?;
    Ok(MonsterAlternative {
        weight,
        kind: MonsterKind::Nothing,
        band,
        generate_awake,
        patrolling,
        attitude,
        place,
        hit_dice,
        hit_points,
        name: name.map(|name| name.replace('_', " ")),
        colour,
        items: Vec::new(),
        details,
        text: piece.to_owned(),
    })
}

fn parse_weight(text: &mut SpecText, rules: &Rules) -> i32 {
    match text.weight() {
        None => 10,
        Some(weight) if weight <= 0 && rules.zero_monster_weight_is_never => 0,
        Some(weight) if weight <= 0 => 10,
        Some(weight) => weight,
    }
}

fn parse_attitude(text: &mut SpecText) -> Attitude {
    let Some(word) = text.value("att:") else { return Attitude::Hostile };
    Attitude::named(&word).unwrap_or_else(|| {
        let why = format!("is no attitude ({}), so it is hostile", ATTITUDES.join(", "));
        text.note(Unheard::words(&word, &why));
        Attitude::Hostile
    })
}

/// Takes `hp:N`: any number is taken, and no more than there can be is given.
fn parse_hit_points(text: &mut SpecText) -> Option<NonZeroI32> {
    let written = text.number("hp:").unwrap_or(0);
    let why = match written {
        ..0 => "is less than nothing: it dies of the first hit",
        0..=MAX_HIT_POINTS => return NonZeroI32::new(written),
        _ => "is more than there can be: it has 10000",
    };
    text.note(Unheard::number(format!("hp:{written}"), why));
    NonZeroI32::new(written.min(MAX_HIT_POINTS))
}

/// Digits followed by a space at the start: a count that vaults ignore.
fn strip_count(text: &mut SpecText) {
    let shown = text.as_str().as_bytes();
    let digits = shown.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(0);
    if digits > 0 && shown[digits] == b' ' {
        let count = text.as_str()[..digits].to_owned();
        text.cut(0..digits);
        let why = match &*count {
            "0" | "8" | "9" => "is read as a count here, which says nothing: it goes last",
            _ => "is a count, of which a vault makes one all the same",
        };
        text.note(Unheard::number(count, why));
    }
}

fn parse_place(text: &mut SpecText, ctx: &Context) -> Result<Option<LevelPlace>, SpecError> {
    let Some(place) = text.value("place:") else { return Ok(None) };
    let parsed = LevelPlace::parse(&place.replace('_', " "), ctx.content.branches(), ctx.dungeon)
        .map_err(|error| SpecError::of_place(&error, &place))?;
    if let Some(why) = unheard_of_place(&place, parsed) {
        text.note(Unheard::words(&format!("place:{place}"), why));
    }
    Ok(Some(parsed).filter(|place| place.depth > 0))
}

/// Returns why a place is not the one that was written.
fn unheard_of_place(written: &str, place: LevelPlace) -> Option<&'static str> {
    if place.depth == 0 {
        return Some("is no level, so it says nothing");
    }
    let (_, depth) = written.split_once(':')?;
    let is_whole = depth == "$" || depth.bytes().all(|byte| byte.is_ascii_digit());
    (!is_whole).then_some("is one level: what stands behind its number is not read")
}

fn parse_duration(
    text: &mut SpecText,
    details: &mut MonsterDetails,
    ctx: &mut Context,
) -> Option<i32> {
    let written = text.number("dur:");
    let class = written.filter(|class| (1..=6).contains(class));
    if let Some(written) = written.filter(|_| class.is_none()) {
        let why = "is no length of time from 1 to 6, so it says nothing";
        text.note(Unheard::number(format!("dur:{written}"), why));
    }
    if ctx.content.rules.summon_power {
        let (own, band) = (text.number("pow:"), text.number("bandpow:"));
        details.power = [own, own.or(band)];
    }
    if ctx.content.rules.duration_draws
        && let Some(class) = class
    {
        let base = match class {
            5 => 900,
            6 => 1900,
            class => 100 * class,
        };
        ctx.rng.fuzz_value(base, 60, 40);
    }
    details.summoned_for = class.unwrap_or(0);
    class
}

fn parse_summoning(
    text: &mut SpecText,
    duration: Option<i32>,
    details: &mut MonsterDetails,
    ctx: &Context,
) -> Result<(), SpecError> {
    let plain = |value: String| value.replace('_', " ");
    let no_duration =
        |message: &str, tag: &str| SpecError::new(ErrorCode::SummonWithoutDuration, message, tag);
    details.shifter = text.value("shifter:").map(plain);
    if let Some(kind) = text.value("sum:") {
        let plain = kind.replace('_', " ");
        let known = matches!(
            plain.as_str(),
            "clone" | "animate" | "chaos" | "miscast" | "zot" | "wrath" | "aid"
        ) || ctx.content.names().spell(&plain).is_some();
        if !known {
            let message = format!("bad monster summon type: \"{kind}\"");
            return Err(SpecError::new(ErrorCode::UnknownSummonType, message, kind));
        }
        if duration.is_none() {
            return Err(no_duration("marked as summon with no duration", "sum:"));
        }
        details.summoned_by = Some(plain);
    }
    details.summoner = text.value("nas:").map(plain);
    if details.summoner.is_some() && duration.is_none() {
        return Err(no_duration("marked as non-actor summoned with no duration", "nas:"));
    }
    Ok(())
}

fn parse_colour(text: &mut SpecText, ctx: &Context) -> Result<Option<String>, SpecError> {
    let Some(colour) = text.value("col:") else { return Ok(None) };
    let known = colour == "any" || (colour != "black" && ctx.knows_colour(&colour));
    if known {
        return Ok(Some(colour));
    }
    let message = format!("bad monster colour \"{colour}\"");
    Err(SpecError::new(ErrorCode::UnknownColour, message, colour))
}

fn parse_god(
    text: &mut SpecText,
    details: &mut MonsterDetails,
    ctx: &Context,
) -> Result<(), SpecError> {
    let Some(god) = text.value("god:") else { return Ok(()) };
    let known = ctx.content.names().god(&god.replace('_', " "));
    if known.is_none_or(|god| god.special) {
        let message = format!("unknown god: \"{god}\"");
        return Err(SpecError::new(ErrorCode::UnknownMonsterGod, message, god));
    }
    details.god_gift = text.strip("god_gift");
    details.god = Some(god.replace('_', " "));
    Ok(())
}

fn parse_enchantments(
    text: &mut SpecText,
    details: &mut MonsterDetails,
    ctx: &Context,
) -> Result<(), SpecError> {
    let order = match ctx.content.rules.enchantment_degree_first {
        true => NumberOrder::DegreeFirst,
        false => NumberOrder::DurationFirst,
    };
    while let Some(spec) = text.value("ench:") {
        check_enchantment(&spec, 3, ctx)?;
        details.enchantments.push(Enchantment::timed(&spec, order));
    }
    while let Some(spec) = text.value("perm_ench:") {
        check_enchantment(&spec, 2, ctx)?;
        details.enchantments.push(Enchantment::lasting(&spec, order));
    }
    Ok(())
}

fn check_enchantment(spec: &str, most: usize, ctx: &Context) -> Result<(), SpecError> {
    let pieces = split_trimmed(':', spec);
    let wrong = |code, message: String| Err(SpecError::new(code, message, spec));
    if pieces.is_empty() || pieces.len() > most {
        return wrong(ErrorCode::BadEnchantment, format!("bad enchantment \"{spec}\""));
    }
    let name = pieces[0];
    let known = ctx.content.names().enchantments.contains(name) || ctx.content.names_are_open();
    if name == "none" || !known {
        let message = format!("unknown enchantment \"{name}\"");
        return wrong(ErrorCode::UnknownEnchantment, message);
    }
    if pieces[1..].iter().any(|number| parse_int(number).is_none()) {
        let message = format!("invalid enchantment duration or degree in \"{spec}\"");
        return wrong(ErrorCode::BadEnchantment, message);
    }
    Ok(())
}

/// Checks `spells:NAME.FREQUENCY.FLAG;…` (spec 03 §4.6).
pub(crate) fn check_spells(
    spells: &str,
    ctx: &Context,
    unheard: &mut Vec<Unheard>,
) -> Result<(), SpecError> {
    let plain = spells.replace('_', " ").to_lowercase();
    for slot in pieces(b';', &plain).filter(|slot| !SpellSlot::is_empty(slot)) {
        let mut parts = pieces(b'.', slot);
        let Some(name) = parts.next() else { continue };
        let culprit = name.replace(' ', "_");
        let wrong = |code, message: String| Err(SpecError::new(code, message, culprit.as_str()));
        match ctx.content.names().spell(name) {
            None if ctx.content.may_exist(DescribedKind::Spell, name) => {}
            None => {
                let message = format!("unknown spell name: '{name}' in '{spells}'");
                return wrong(ErrorCode::UnknownMonsterSpell, message);
            }
            Some(spell) if !spell.monster_valid && !ctx.content.names_are_open() => {
                let message = format!("'{name}' is not a monster spell");
                return wrong(ErrorCode::NotCastByMonsters, message);
            }
            Some(_) => {}
        }
        if let Some(frequency) = parts.next() {
            let number = leading_number(frequency);
            if number <= 0 {
                let message = format!("bad frequency for spell '{name}'");
                return wrong(ErrorCode::BadSpellFrequency, message);
            }
            if number > 200 {
                let why = "is more often than each of 200 turns";
                unheard.push(Unheard::number(frequency.to_owned(), why));
            }
        }
        let unknown = parts.filter(|flag| !SpellSlot::knows_flag(flag));
        let why = "is nothing that can be said of a spell";
        unheard.extend(unknown.map(|flag| Unheard::words(flag, why)));
    }
    Ok(())
}
