//! Parsing MONS and KMONS.

use std::num::NonZeroI32;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::TileUse;

use crate::attitude::Attitude;
use crate::definition::MapDef;
use crate::feature_spec::FeatureSpec;
use crate::item_spec::ItemSlot;
use crate::lost_spec::{LostSpec, Parsed};
use crate::monster_details::{MonsterDetails, SpellSlot};
use crate::monster_items::parse_items;
use crate::monster_name::{MonsterKind, parse_monster_name, unheard_in_name};
use crate::monster_tags::{check_spells, parse_tags};
use crate::parsed_specs::keep_monster;
use crate::spec_text::{SpecText, pieces, trim};
use crate::{Context, ErrorCode, LevelPlace, SpecError, unless_usual};

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
