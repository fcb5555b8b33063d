//! The tags of an ITEM or KITEM: what is said of an item beside its name.

use crate::item_spec::{ItemAlternative, ItemLevel, bad};
use crate::lost_spec::Unheard;
use crate::mimic_odds::MimicOdds;
use crate::spec_text::{SpecText, parse_int, pieces};
use crate::{Context, ErrorCode, SpecError};

/// Takes off what says how good an item is, and what the player knows of it.
pub(crate) fn parse_quality(
    text: &mut SpecText,
    item: &mut ItemAlternative,
    ctx: &Context,
) -> Result<(), SpecError> {
    let rules = ctx.content.rules;
    if rules.item_curses {
        let more_words = rules.items_may_be_uncursed;
        let uncursed = more_words && text.strip("not_cursed");
        // A scroll of remove curse is not a cursed scroll of removing.
        let shown = text.as_str().to_lowercase();
        let names = || ctx.content.items().names().filter(|name| name.contains("curse"));
        let is_name = shown.contains("curse") && names().any(|name| shown.contains(name));
        let curse = |text: &mut SpecText| more_words && !is_name && text.strip("curse");
        if !uncursed && (text.strip("cursed") || curse(text)) {
            item.details.flag("cursed");
        }
        text.number("plus2:");
    }
    if rules.pre_identified {
        item.details.take_flag(text, "pre_id", "identified");
    } else {
        let status = text.value("ident:");
        if let Some(status) = status.as_deref().filter(|status| !is_known_status(status, ctx)) {
            return Err(bad(format!("Bad identify status: {status}"), status));
        }
        item.details.identified = status;
    }
    if text.strip("good_item") {
        item.level = ItemLevel::Good;
    } else if let Some(level) = text.number("level:") {
        item.level = match level {
            -2 => ItemLevel::Star,
            -3 => ItemLevel::Superb,
            -4 => ItemLevel::Damaged,
            -5 => ItemLevel::Bad,
            level if level > 0 => ItemLevel::Number(level),
            _ => return Err(bad(format!("Bad item level: {level}"), "level:")),
        };
    }
    for (word, level) in [
        ("mundane", ItemLevel::Mundane),
        ("damaged", ItemLevel::Damaged),
        ("randart", ItemLevel::Randart),
    ] {
        if text.strip(word) {
            item.level = level;
            item.details.mundane |= level == ItemLevel::Mundane;
        }
    }
    Ok(())
}

/// Takes off everything else that is said of an item.
pub(crate) fn parse_extras(
    text: &mut SpecText,
    item: &mut ItemAlternative,
    ctx: &Context,
) -> Result<(), SpecError> {
    let rules = ctx.content.rules;
    item.details.take_flag(text, "useful", "useful");
    item.details.take_flag(text, "unobtainable", "unobtainable");
    if rules.item_sets {
        item.no_exclude = text.strip("no_exclude");
        item.details.take_flag(text, "chaotic", "chaotic");
    }
    item.mimic = text.number("mimic:").map_or(MimicOdds::Unsaid, MimicOdds::of_number);
    if text.strip("mimic") {
        item.mimic = MimicOdds::OneIn(1);
    }
    item.details.take_flag(text, "no_pickup", "no_pickup");
    let charges = text.number("charges:");
    if let Some(charges) = charges.filter(|&charges| charges < 0) {
        text.note(Unheard::number(format!("charges:{charges}"), "says nothing: it is below 0"));
    }
    item.details.charges = charges.filter(|&charges| charges >= 0);
    if rules.item_sets {
        item.details.name = text.value("itemname:");
    }
    if let Some(plus) = text.value_or_empty("plus:") {
        item.plus = parse_int(&plus);
        match item.plus {
            Some(_) => {}
            None if rules.strict_plus => {
                return Err(bad(format!("Bad item plus: '{plus}'"), &plus));
            }
            None => text.note(Unheard::no_number("plus:", &plus)),
        }
    }
    if rules.artefact_properties
        && let Some(properties) = text.value("artprops:")
    {
        parse_artefact_properties(&properties, item, ctx)?;
    }
    let is_limited = text.strip("no_uniq");
    let level = if text.strip("allow_uniq") { Some(1) } else { text.number("uniq:") };
    match level {
        Some(level) if level <= 0 => {
            return Err(bad(format!("Bad uniq level: {level}"), "uniq:"));
        }
        None if is_limited => item.details.flag("no_uniq"),
        _ => {}
    }
    Ok(())
}

/// Parses `artprops:NAME:NUMBER&…`, which makes the item an artefact.
fn parse_artefact_properties(
    properties: &str,
    item: &mut ItemAlternative,
    ctx: &Context,
) -> Result<(), SpecError> {
    let names = ctx.content.names();
    for property in pieces(b'&', properties) {
        let (name, value) = property.split_once(':').unwrap_or((property, "1"));
        let lower = name.to_lowercase();
        let known = names.artefact_properties.contains(&lower) && lower != "brand";
        let fits = |value: &i32| {
            known
                && (!names.artefact_switches.contains(&lower) || matches!(value, 0 | 1))
                && (!names.artefact_amounts.contains(&lower) || *value >= 0)
        };
        let Some(value) = parse_int(value).filter(fits) else {
            let message = format!("Bad artefact property: '{property}'");
            return Err(SpecError::new(ErrorCode::UnknownArtefactProperty, message, property));
        };
        item.details.add_property(name, value);
    }
    item.level = ItemLevel::Randart;
    Ok(())
}

/// Returns whether `ident:` may have this value: all, or what is identified of the item.
fn is_known_status(status: &str, ctx: &Context) -> bool {
    let is_part = |part: &str| {
        matches!(part, "" | "type" | "pluses" | "properties")
            || (ctx.content.rules.items_may_be_uncursed && part == "curse")
    };
    status == "all" || status.split('|').all(is_part)
}
