//! Parsing MONS and KMONS.

use std::num::NonZeroI32;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{DescribedKind, MonsterId, TileUse};

use crate::attitude::Attitude;
use crate::definition::MapDef;
use crate::feature_spec::FeatureSpec;
use crate::item_spec::{ItemAlternative, ItemKind, ItemSlot, check_tile, parse_item_slot};
use crate::lost_spec::{LostSpec, Parsed, Unheard};
use crate::monster_details::{
    ATTITUDES, Enchantment, MonsterDetails, NumberOrder, SpellSlot, name_words,
};
use crate::monster_name::{MonsterKind, ZombieKind, parse_monster_name, unheard_in_name};
use crate::parsed_specs::keep_monster;
use crate::spec_text::{SpecText, leading_number, parse_int, pieces, split_trimmed, trim};
use crate::{Context, ErrorCode, LevelPlace, SpecError, unless_usual};

/// What a monster can have at most.
const MAX_HIT_POINTS: i32 = 10_000;

/// A slot of MONS or KMONS: alternatives, one of which is placed (spec 03 §4).
#[derive(Clone, Debug, Default)]
pub struct MonsterSlot {
    /// The alternatives in written order. A level keeps those that it has placed.
    pub alternatives: Vec<Arc<MonsterAlternative>>,
    /// Alternatives whose items are lost, although the reference reports no error.
    pub lost: Vec<LostSpec>,
}

impl MonsterSlot {
    /// Returns everything that is lost, including given items.
    pub(crate) fn all_lost(&self) -> impl Iterator<Item = &LostSpec> {
        let given = self.alternatives.iter().flat_map(|alternative| &alternative.items);
        self.lost.iter().chain(given.flat_map(|slot| &slot.lost))
    }
}

impl MapDef {
    /// Returns the parts of its specs that have no effect.
    pub fn lost_specs(&self) -> Vec<LostSpec> {
        let keyed = || self.keyed.values().chain(&self.private_specs);
        let monsters = self.monsters.iter().chain(keyed().flat_map(|spec| &spec.monsters));
        let items = self.items.iter().chain(keyed().flat_map(|spec| &spec.items));
        let features = keyed().map(|spec| &spec.features);
        let mut lost: Vec<LostSpec> = Vec::new();
        for spec in monsters
            .flat_map(MonsterSlot::all_lost)
            .chain(items.flat_map(|slot| &slot.lost))
            .chain(features.flat_map(FeatureSpec::all_lost))
            .chain(&self.lost)
        {
            if !lost.contains(spec) {
                lost.push(spec.clone());
            }
        }
        lost
    }
}

/// One alternative of a monster slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonsterAlternative {
    /// The weight; an alternative with weight 0 is never picked.
    pub weight: i32,
    /// What is placed.
    pub kind: MonsterKind,
    /// Whether it may bring its band.
    pub band: bool,
    /// Whether it is awake when created.
    pub generate_awake: bool,
    /// Whether its cell is its patrol point.
    pub patrolling: bool,
    /// How it is disposed towards the player.
    pub attitude: Attitude,
    /// The level whose monsters are used.
    pub place: Option<LevelPlace>,
    /// Hit dice; `None` for the usual.
    #[serde(with = "unless_usual")]
    pub hit_dice: Option<NonZeroI32>,
    /// Hit points; `None` for the usual.
    #[serde(with = "unless_usual")]
    pub hit_points: Option<NonZeroI32>,
    /// The name given to it.
    pub name: Option<String>,
    /// The requested colour; `any` for a random one.
    pub colour: Option<String>,
    /// Its equipment.
    pub items: Vec<ItemSlot>,
    /// Other details.
    pub details: MonsterDetails,
    /// The text as written.
    pub text: String,
}

/// Parses a slot.
pub fn parse_monster_slot(text: &str, ctx: &mut Context) -> Result<MonsterSlot, SpecError> {
    let mut slot = MonsterSlot::default();
    let mut pending = None;
    for piece in pieces(b'/', text) {
        if let Some(error) = pending.take_if(|_| SpecText::new(piece).value("spells:").is_some()) {
            // When spells are parsed, an earlier error counts (as 0.28 shows).
            return Err(error);
        }
        if let Some(known) = ctx.parsed.and_then(|parsed| parsed.monster(piece)) {
            slot.lost.extend(doubtful_tile(piece, &known, ctx));
            slot.lost.extend(unknown(piece, &known, ctx));
            slot.alternatives.push(known);
            continue;
        }
        let draws = ctx.rng.current_draws();
        let parsed = parse_alternative(piece, ctx)?;
        slot.lost.extend(parsed.lost(piece));
        let is_faultless = parsed.is_faultless();
        let Parsed { alternative, mistake, .. } = parsed;
        // An error in given items is forgotten when a later item part is parsed (spec 03 §3.5).
        if mistake.is_some() || !alternative.items.is_empty() {
            pending = mistake;
        }
        slot.lost.extend(doubtful_tile(piece, &alternative, ctx));
        slot.lost.extend(unknown(piece, &alternative, ctx));
        let alternative = Arc::new(alternative);
        if is_faultless {
            keep_monster(ctx, draws, &alternative);
        }
        slot.alternatives.push(alternative);
    }
    if let Some(error) = pending {
        return Err(error);
    }
    Ok(slot)
}

/// Parses a slot and picks one of the alternatives immediately.
pub fn parse_fixed_monster_slot(text: &str, ctx: &mut Context) -> Result<MonsterSlot, SpecError> {
    let mut slot = parse_monster_slot(text, ctx)?;
    ctx.keep_one(&mut slot.alternatives, |alternative| alternative.weight);
    Ok(slot)
}

fn doubtful_tile(piece: &str, monster: &MonsterAlternative, ctx: &Context) -> Option<LostSpec> {
    LostSpec::of_tile(piece, monster.details.tile.as_deref(), TileUse::Doll, ctx)
}

/// Returns what should be reported about a monster that is in no table.
fn unknown(piece: &str, monster: &MonsterAlternative, ctx: &Context) -> Option<LostSpec> {
    let stand_in = ctx.content.monsters().stand_in()?;
    let id = match monster.kind {
        MonsterKind::Named { id, .. } | MonsterKind::Zombie { base: Some(id), .. } => id,
        _ => return None,
    };
    (id == stand_in).then(|| LostSpec::of_unknown(piece, piece))
}

fn bad(message: impl Into<String>, culprit: &str) -> SpecError {
    SpecError::new(ErrorCode::BadMonsterSpec, message, culprit)
}

fn parse_alternative(
    piece: &str,
    ctx: &mut Context,
) -> Result<Parsed<MonsterAlternative>, SpecError> {
    let mut whole = SpecText::new(piece);
    let (mut books, mut unheard) = (Vec::new(), Vec::new());
    while let Some(spells) = whole.value("spells:") {
        check_spells(&spells, ctx, &mut unheard)?;
        books.push(SpellSlot::list(&spells));
    }
    let mut parts = pieces(b';', whole.as_str());
    let Some(head) = parts.next() else {
        let message = format!("Not enough non-semicolons for '{piece}' spec.");
        return Err(SpecError::new(ErrorCode::BadSemicolons, message, piece));
    };
    let items = parts.next();
    if parts.next().is_some() {
        let message = format!("Too many semi-colons for '{piece}' spec.");
        return Err(SpecError::new(ErrorCode::BadSemicolons, message, piece));
    }
    let mut text = SpecText::new(head);
    let made = parse_monster(&mut text, items, piece, ctx);
    unheard.extend(text.take_unheard());
    let (mut monster, mistake) = made.map_err(|error| error.beside(piece, &unheard))?;
    monster.details.books = books;
    Ok(Parsed { alternative: monster, mistake, unheard })
}

/// Parses the text before and after the semicolon, except for spells. Also returns an error in its
/// items that does not prevent the monster from being kept.
fn parse_monster(
    text: &mut SpecText,
    items: Option<&str>,
    piece: &str,
    ctx: &mut Context,
) -> Result<(MonsterAlternative, Option<SpecError>), SpecError> {
    let mut monster = parse_tags(text, piece, ctx)?;
    let name = trim(text.as_str());
    monster.kind = monster_kind(name, monster.place, ctx)?;
    if monster.colour.as_deref() == Some("any") || monster.colour.is_none() {
        monster.colour = monster.kind.own_colour().map(str::to_owned).or(monster.colour);
    }
    let unheard = unheard_in_name(name, monster.place.is_some(), &monster.kind);
    let mistake = match items {
        Some(items) => parse_items(items, name, &mut monster, ctx)?,
        None => None,
    };
    unheard.into_iter().for_each(|unheard| text.note(unheard));
    Ok((monster, mistake))
}

fn parse_tags(
    text: &mut SpecText,
    piece: &str,
    ctx: &mut Context,
) -> Result<MonsterAlternative, SpecError> {
    let rules = ctx.content.rules;
    let weight = match text.weight() {
        None => 10,
        Some(weight) if weight <= 0 && rules.zero_monster_weight_is_never => 0,
        Some(weight) if weight <= 0 => 10,
        Some(weight) => weight,
    };
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
    if let Some(god) = text.value("god:") {
        let known = ctx.content.names().god(&god.replace('_', " "));
        if known.is_none_or(|god| god.special) {
            let message = format!("unknown god: \"{god}\"");
            return Err(SpecError::new(ErrorCode::UnknownMonsterGod, message, god));
        }
        details.god_gift = text.strip("god_gift");
        details.god = Some(god.replace('_', " "));
    }
    details.tile = text.value("tile:");
    check_tile(details.tile.as_deref(), TileUse::Doll, ctx)?;
    details.description_key = text.value("dbname:").map(|key| key.replace('_', " "));
    let name = text.value("name:");
    if name.is_some() {
        details.name_use = name_words(text);
    }
    let order = match rules.enchantment_degree_first {
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
fn check_spells(spells: &str, ctx: &Context, unheard: &mut Vec<Unheard>) -> Result<(), SpecError> {
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

/// Returns the meaning of the remaining words (spec 03 §4.3, §4.4, §5).
fn monster_kind(
    name: &str,
    place: Option<LevelPlace>,
    ctx: &mut Context,
) -> Result<MonsterKind, SpecError> {
    match name {
        "8" => return Ok(MonsterKind::Random { out_of_depth: 2, zombie: None }),
        "9" => return Ok(MonsterKind::Random { out_of_depth: 1, zombie: None }),
        "0" => return Ok(MonsterKind::Random { out_of_depth: 0, zombie: None }),
        _ => {}
    }
    if place.is_some() {
        let zombie = match parse_monster_name(&format!("orc {name}"), ctx) {
            Some(MonsterKind::Zombie { kind, .. }) => Some(kind),
            _ => None,
        };
        return Ok(MonsterKind::Random { out_of_depth: 0, zombie });
    }
    let unknown = || {
        let message = format!("unknown monster: \"{name}\"");
        SpecError::new(ErrorCode::UnknownMonster, message, name)
    };
    let kind = parse_monster_name(name, ctx).ok_or_else(unknown)?;
    if let MonsterKind::Named { id, .. } = kind
        && ctx.content.monsters().get(id).has("cant_spawn")
    {
        let message = format!("can't place dummy monster: \"{name}\"");
        return Err(SpecError::new(ErrorCode::UnknownMonster, message, name));
    }
    Ok(kind)
}

/// Parses the item part (spec 03 §4.5). Returns problems that do not stop the parse.
fn parse_items(
    items: &str,
    name: &str,
    monster: &mut MonsterAlternative,
    ctx: &mut Context,
) -> Result<Option<SpecError>, SpecError> {
    let items = items.replace('|', "/");
    let slots = split_trimmed('.', &items);
    if slots.len() > 12 {
        return Err(bad(format!("More items than monster item slots for '{name}'."), name));
    }
    for slot in slots {
        let slot = parse_item_slot(slot, ctx)?;
        if slot.counts(ctx) {
            monster.items.push(slot);
        }
    }
    if monster.items.is_empty() {
        return Ok(None);
    }
    let monsters = ctx.content.monsters();
    let holder = match &monster.kind {
        MonsterKind::Named { id, .. } => Some(*id),
        MonsterKind::Zombie { kind, .. } => monsters.by_name(kind.name()),
        MonsterKind::RandomDraconian(_) | MonsterKind::ColouredDraconian(_) => {
            monsters.by_name("draconian")
        }
        MonsterKind::PandemoniumLord => monsters.by_name("pandemonium lord"),
        MonsterKind::Nothing
        | MonsterKind::Random { .. }
        | MonsterKind::RandomDemon(_)
        | MonsterKind::GameOrb => {
            let message = "Can't give spec items to a random monster.";
            return Err(SpecError::new(ErrorCode::ItemsOfRandomMonster, message, name));
        }
        MonsterKind::RandomDemonspawn => monsters.by_name("monstrous demonspawn"),
    };
    let Some(holder) = holder else { return Ok(None) };
    let uses_items =
        |id: MonsterId| !matches!(monsters.get(id).uses.as_str(), "nothing" | "open_doors");
    let animated = ["animated weapon", "animated armour"]
        .into_iter()
        .find(|group| monsters.group(group).contains(&holder));
    if let Some(group) = animated
        && (uses_items(holder) || monster.items.len() == 1)
    {
        // The reference picks an alternative here to examine it, for every monster that may have
        // items (spec 03 §4.5).
        let slot = &monster.items[0];
        let index = ctx.pick_of(0, &slot.alternatives, |item| item.weight);
        let defines = index.is_some_and(|index| defines(group, &slot.alternatives[index], ctx));
        let error = format!("Monster '{name}' needs a defining item.");
        return Ok((!defines).then(|| bad(error, name)));
    }
    if uses_items(holder) {
        return Ok(None);
    }
    match &monster.kind {
        MonsterKind::Zombie { base: Some(base), kind }
            if matches!(kind, ZombieKind::Zombie | ZombieKind::Skeleton) && uses_items(*base) =>
        {
            Ok(None)
        }
        _ => {
            let message = format!("Monster '{name}' can't use items.");
            Ok(Some(SpecError::new(ErrorCode::CannotUseItems, message, name)))
        }
    }
}

/// Returns whether an animated thing of a group can be made of an item: one that is wielded, or
/// body armour. The reference does not know what kind of armour a class means, and treats it as
/// something to wield.
fn defines(group: &str, item: &ItemAlternative, ctx: &Context) -> bool {
    let items = ctx.content.items();
    let (class, kind) = match &item.kind {
        ItemKind::Class(class) | ItemKind::Acquire { class, .. } => (class.as_str(), None),
        ItemKind::Item(name) => match items.by_name(name) {
            Some(item) => (item.class.as_str(), Some(item)),
            // It is only described in the data folder, which does not say what it is.
            None => return true,
        },
        ItemKind::Unrand(name) => match items.unrand(name) {
            Some(unrand) => (unrand.class.as_str(), items.by_name(&unrand.item)),
            None => return false,
        },
        _ => return false,
    };
    match (group, class) {
        ("animated weapon", "weapon" | "magical staff" | "misc") => true,
        ("animated weapon", "armour") => {
            matches!(item.kind, ItemKind::Class(_) | ItemKind::Acquire { .. })
        }
        ("animated armour", "armour") => kind.is_some_and(|kind| kind.slot == "Body Armour"),
        _ => false,
    }
}
