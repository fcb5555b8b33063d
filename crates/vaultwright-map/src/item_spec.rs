//! Parsing ITEM and KITEM.

use std::num::NonZeroI32;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{TileUse, TileVerdict};

use crate::book_spec::{BookSpec, ParchmentSpec, parse_book, parse_parchment};
use crate::item_details::ItemDetails;
use crate::item_name::{check_ego, parse_class, parse_name};
use crate::item_tags::{parse_extras, parse_quality};
use crate::lost_spec::{LostFate, LostSpec, Parsed, Unheard};
use crate::mimic_odds::MimicOdds;
use crate::parsed_specs::keep_item;
use crate::spec_text::{SpecText, pieces};
use crate::{Context, ErrorCode, LevelPlace, SpecError, unless_usual};

/// A slot of ITEM or KITEM: alternatives, one of which is placed (spec 03 §7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemSlot {
    /// The alternatives in written order. A level keeps those that it has placed.
    pub alternatives: Vec<Arc<ItemAlternative>>,
    /// What was written but is not created, although the reference reports no error.
    pub lost: Vec<LostSpec>,
}

/// Returns an error if a tile does not exist.
pub(crate) fn check_tile(
    tile: Option<&str>,
    used: TileUse,
    ctx: &Context,
) -> Result<(), SpecError> {
    let Some(tile) = tile else { return Ok(()) };
    match ctx.content.names().tiles.verdict(tile, used) {
        TileVerdict::Unknown => {
            let message = format!("bad tile name: \"{tile}\".");
            Err(SpecError::new(ErrorCode::UnknownTile, message, tile))
        }
        TileVerdict::Known | TileVerdict::Doubtful => Ok(()),
    }
}

/// One alternative of an item slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemAlternative {
    /// The weight.
    pub weight: i32,
    /// What is created.
    pub kind: ItemKind,
    /// The item level: how good it is.
    pub level: ItemLevel,
    /// The quantity of stackable items; `None` for the usual, and below 0 if none lie there.
    #[serde(with = "unless_usual")]
    pub quantity: Option<NonZeroI32>,
    /// The enchantment.
    pub plus: Option<i32>,
    /// The requested brand.
    pub ego: Option<String>,
    /// Whether it may be a mimic.
    pub mimic: MimicOdds,
    /// Whether it is kept although its item set excludes it.
    pub no_exclude: bool,
    /// Other details.
    pub details: ItemDetails,
    /// The text as written.
    pub text: String,
}

/// What an item alternative creates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ItemKind {
    /// No item.
    Nothing,
    /// Any type of any class.
    Any,
    /// Any type of a class.
    Class(String),
    /// A fixed kind.
    Item(String),
    /// A fixed artefact.
    Unrand(String),
    /// A corpse or skeleton of a monster.
    Corpse {
        /// The monster's name.
        monster: String,
        /// Whether it is a skeleton.
        skeleton: bool,
    },
    /// A random spell book.
    Randbook(Box<BookSpec>),
    /// A parchment.
    Parchment(ParchmentSpec),
    /// An item as given by acquirement.
    Acquire {
        /// A class, or `any`.
        class: String,
        /// The god who gives it.
        god: Option<String>,
    },
}

/// The level of an item (spec 03 §7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ItemLevel {
    Default,
    Number(i32),
    Good,
    Star,
    Superb,
    Damaged,
    Bad,
    Mundane,
    Randart,
}

/// Parses a slot. The result may have no alternatives (the text is empty, or this game's item sets
/// exclude all).
pub fn parse_item_slot(text: &str, ctx: &mut Context) -> Result<ItemSlot, SpecError> {
    let mut slot = ItemSlot::default();
    let mut pending = None;
    for piece in pieces(b'/', text) {
        match shared_alternative(piece, ctx) {
            Ok(parsed) => {
                slot.lost.extend(parsed.lost(piece));
                let Parsed { alternative, mistake, .. } = parsed;
                // An error is forgotten when one of these is parsed after it (spec 10 §2.4).
                if alternative.clears_errors() {
                    pending = None;
                }
                pending = mistake.or(pending);
                let details = &alternative.details;
                for (tile, used) in
                    [(&details.tile, TileUse::Item), (&details.worn_tile, TileUse::Doll)]
                {
                    slot.lost.extend(LostSpec::of_tile(piece, tile.as_deref(), used, ctx));
                }
                if let ItemKind::Item(name) = &alternative.kind
                    && ctx.content.items().by_name(name).is_none()
                {
                    slot.lost.push(LostSpec::of_unknown(piece, name));
                }
                if !alternative.is_excluded(ctx) {
                    slot.alternatives.push(alternative.in_game(ctx));
                }
            }
            Err(error) if ctx.content.rules.item_errors_stop => {
                let message = format!("Error parsing '{text}': {}", error.message);
                return Err(SpecError { message, ..error });
            }
            Err(error) => {
                slot.lost.push(LostSpec::of(piece, &error, LostFate::Dropped));
                pending = Some(error);
            }
        }
    }
    if let Some(error) = pending {
        return Err(error);
    }
    Ok(slot)
}

/// Parses a slot and picks one of the alternatives immediately.
pub fn parse_fixed_item_slot(text: &str, ctx: &mut Context) -> Result<ItemSlot, SpecError> {
    let mut slot = parse_item_slot(text, ctx)?;
    ctx.keep_one(&mut slot.alternatives, |alternative| alternative.weight);
    if slot.alternatives.is_empty() && ctx.content.rules.item_sets {
        // If a choice is required and nothing is left, it is an item of any class (spec 03 §3.4).
        slot.alternatives.push(Arc::new(ItemAlternative::anything()));
    }
    Ok(slot)
}

impl ItemSlot {
    /// Returns whether this counts as a slot. If a game's item sets leave nothing of it, it does
    /// not (spec 03 §3.4). Before there were item sets, an empty slot counted.
    pub fn counts(&self, ctx: &Context) -> bool {
        !self.alternatives.is_empty() || !ctx.content.rules.item_sets
    }
}

impl ItemAlternative {
    /// Returns the alternative for no item.
    pub fn nothing() -> ItemAlternative {
        ItemAlternative { kind: ItemKind::Nothing, ..ItemAlternative::any("nothing") }
    }

    /// Returns the alternative for an item of any class.
    pub fn anything() -> ItemAlternative {
        ItemAlternative::any("any")
    }

    /// Returns whether it is a corpse or a skeleton.
    pub fn is_corpse(&self) -> bool {
        matches!(self.kind, ItemKind::Corpse { .. })
    }

    /// Returns what a map glyph stands for, or an item that no spec has requested.
    pub fn of_glyph(glyph: &str) -> ItemAlternative {
        let (kind, level) = match glyph {
            "$" => (ItemKind::Class("gold".to_owned()), ItemLevel::Default),
            "*" => (ItemKind::Any, ItemLevel::Star),
            "|" => (ItemKind::Any, ItemLevel::Superb),
            _ => (ItemKind::Any, ItemLevel::Default),
        };
        ItemAlternative { kind, level, ..ItemAlternative::any(glyph) }
    }

    fn any(text: &str) -> ItemAlternative {
        ItemAlternative {
            weight: 10,
            kind: ItemKind::Any,
            level: ItemLevel::Default,
            quantity: None,
            plus: None,
            ego: None,
            mimic: MimicOdds::Unsaid,
            no_exclude: false,
            details: ItemDetails::default(),
            text: text.to_owned(),
        }
    }

    /// Returns whether the game has another member of the item's set, and the spec does not
    /// override this.
    fn is_excluded(&self, ctx: &Context) -> bool {
        let ItemKind::Item(name) = &self.kind else { return false };
        ctx.content.rules.item_sets
            && !self.no_exclude
            && ctx.dungeon.lacks_item(&ctx.content.items().sets, name)
    }

    /// Returns what it is in this game: of an item set the member that the game has (spec 03 §7.8).
    fn in_game(self: Arc<Self>, ctx: &Context) -> Arc<Self> {
        let ItemKind::Class(name) = &self.kind else { return self };
        let chosen = ctx.dungeon.set_member(&ctx.content.items().sets, name);
        match chosen.filter(|_| ctx.dungeon.has_chosen_sets()) {
            Some(member) => {
                let kind = ItemKind::Item(member.to_owned());
                Arc::new(ItemAlternative { kind, ..ItemAlternative::clone(&self) })
            }
            None => self,
        }
    }

    fn clears_errors(&self) -> bool {
        match &self.kind {
            ItemKind::Class(_) => !self.is_plain_gold(),
            kind => matches!(
                kind,
                ItemKind::Nothing
                    | ItemKind::Item(_)
                    | ItemKind::Unrand(_)
                    | ItemKind::Corpse { .. }
            ),
        }
    }

    /// Returns whether it is `gold` or `$`, which is parsed before `any gold`.
    fn is_plain_gold(&self) -> bool {
        let named = |word: &str| matches!(word, "any" | "random");
        matches!(&self.kind, ItemKind::Class(class) if class == "gold")
            && !self.text.split(' ').any(named)
    }
}

pub(crate) fn bad(message: impl Into<String>, culprit: &str) -> SpecError {
    SpecError::new(ErrorCode::BadItemSpec, message, culprit)
}

/// Returns a parsed alternative, from the cache if it was parsed before.
fn shared_alternative(
    piece: &str,
    ctx: &mut Context,
) -> Result<Parsed<Arc<ItemAlternative>>, SpecError> {
    if let Some(known) = ctx.parsed.and_then(|parsed| parsed.item(piece)) {
        return Ok(Parsed { alternative: known, mistake: None, unheard: Vec::new() });
    }
    let draws = ctx.rng.current_draws();
    let mut text = SpecText::new(piece);
    let made = parse_alternative(&mut text, piece, ctx);
    let unheard = text.take_unheard();
    let (alternative, mistake) = made.map_err(|error| error.beside(piece, &unheard))?;
    let parsed = Parsed { alternative: Arc::new(alternative), mistake, unheard };
    if parsed.is_faultless() {
        keep_item(ctx, draws, &parsed.alternative);
    }
    Ok(parsed)
}

/// Parses an alternative. Also returns an error that does not prevent it from being kept.
fn parse_alternative(
    text: &mut SpecText,
    piece: &str,
    ctx: &mut Context,
) -> Result<(ItemAlternative, Option<SpecError>), SpecError> {
    let rules = ctx.content.rules;
    let mut item = ItemAlternative::any(piece);
    if let Some(weight) = text.weight() {
        if weight <= 0 {
            let message = format!("Bad item generation weight: '{weight}'");
            return Err(SpecError::new(ErrorCode::BadWeight, message, weight.to_string()));
        }
        item.weight = weight;
    }
    item.quantity = parse_quantity(text);
    let freshness = text.number("fresh:");
    item.details.special = text.number("special:").or(freshness);
    check_place(text, ctx)?;
    let god = text.value("acquire:");
    if god.is_some() || text.strip("acquire") {
        let error = parse_acquire(text, god, &mut item, ctx);
        return Ok((item, error));
    }
    let ego = text.value("ego:");
    parse_quality(text, &mut item, ctx)?;
    parse_extras(text, &mut item, ctx)?;
    if text.strip("randbook") {
        item.kind = ItemKind::Randbook(Box::new(parse_book(text, ctx)?));
        return Ok((item, None));
    }
    if text.contains("deck") && !ctx.content.names_are_open() {
        return Err(bad("removed deck", "deck"));
    }
    if rules.parchments && text.strip("parchment") {
        item.kind = ItemKind::Parchment(parse_parchment(text, ctx)?);
        return Ok((item, None));
    }
    item.details.tile = text.value("tile:");
    check_tile(item.details.tile.as_deref(), TileUse::Item, ctx)?;
    item.details.worn_tile = text.value("wtile:");
    check_tile(item.details.worn_tile.as_deref(), TileUse::Doll, ctx)?;
    item.kind = parse_name(text.as_str(), &mut item.level, ctx)?;
    if let Some(ego) = &ego {
        if item.is_plain_gold() {
            return Err(bad("Can't set an ego for gold.", ego));
        }
        if item.kind == ItemKind::Any {
            // The alternative is kept without the ego.
            return Ok((item, Some(bad("Can't set an ego for random items.", ego))));
        }
    }
    check_ego(&item.kind, ego.as_deref(), ctx)?;
    check_plus(&item, ctx)?;
    item.plus = item.plus.map(|plus| sixteen_bits("plus:", plus, text));
    item.ego = ego;
    Ok((item, None))
}

fn parse_quantity(text: &mut SpecText) -> Option<NonZeroI32> {
    let quantity = text.number("q:").filter(|&quantity| quantity > 0)?;
    // What the bits make 0 of is none left, not the usual.
    Some(NonZeroI32::new(sixteen_bits("q:", quantity, text)).unwrap_or(NONE_LEFT))
}

fn check_place(text: &mut SpecText, ctx: &Context) -> Result<(), SpecError> {
    if let Some(place) = text.value("place:") {
        LevelPlace::parse(&place, ctx.content.branches(), ctx.dungeon)
            .map_err(|error| SpecError::of_place(&error, &place))?;
        let why = "says nothing of an item: level: says how good it is";
        text.note(Unheard::words(&format!("place:{place}"), why));
    }
    Ok(())
}

/// The quantity of items of which sixteen bits leave none: not the usual one.
const NONE_LEFT: NonZeroI32 = NonZeroI32::MIN;

/// Returns what is left of a number that items keep in sixteen bits (as 0.28 was asked).
fn sixteen_bits(tag: &str, written: i32, text: &mut SpecText) -> i32 {
    let kept = i32::from(written as i16);
    if kept != written {
        let why = format!("is too large: it is kept as {kept}");
        text.note(Unheard::number(format!("{tag}{written}"), &why));
    }
    kept
}

/// Parses what follows `acquire` (spec 10 §2.1): a mistake is told, but the item is kept.
fn parse_acquire(
    text: &mut SpecText,
    god: Option<String>,
    item: &mut ItemAlternative,
    ctx: &mut Context,
) -> Option<SpecError> {
    let ego = match ctx.content.rules.acquired_egos {
        true => text.value("ego:"),
        false => None,
    };
    let known = |name: &String| ctx.content.names().god(&name.replace('_', " ")).is_some();
    let mut error = god.as_ref().filter(|god| !known(god)).map(|god| {
        let message = format!("unknown god name: '{god}'");
        SpecError::new(ErrorCode::UnknownItemGod, message, god)
    });
    let class = match text.as_str() {
        "any" => "any".to_owned(),
        class => match parse_class(class, ItemLevel::Default, ctx) {
            Ok(ItemKind::Class(class)) => class,
            Ok(_) => "armour".to_owned(),
            Err(bad_class) => {
                error = Some(bad_class);
                "any".to_owned()
            }
        },
    };
    let may_have_ego = matches!(class.as_str(), "weapon" | "armour");
    item.ego = ego.filter(|_| may_have_ego);
    item.kind = ItemKind::Acquire { class, god };
    error
}

/// Checks the plus: trunk allows at most ±30 for weapons and armour; 0.28 accepts any number.
fn check_plus(item: &ItemAlternative, ctx: &Context) -> Result<(), SpecError> {
    let class = match &item.kind {
        ItemKind::Class(class) => class.as_str(),
        ItemKind::Item(name) => ctx.content.items().by_name(name).map_or("", |it| &it.class),
        _ => "",
    };
    match item.plus {
        Some(plus)
            if ctx.content.rules.strict_plus
                && plus.unsigned_abs() > 30
                && matches!(class, "weapon" | "armour") =>
        {
            Err(bad(format!("Item plus {plus} is beyond 30"), &plus.to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dungeon, LevelPlace};
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    fn parses(text: &str, edition: Edition) -> bool {
        let content = Content::new(Rules::of(edition));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        parse_item_slot(text, &mut ctx).is_ok()
    }

    #[test]
    fn trunk_limits_the_plus_of_weapons_and_armour() {
        // spec 03 §7.2, §11
        assert!(parses("dagger plus:31", Edition::V0_28));
        assert!(parses("dagger plus:x", Edition::V0_28));
        assert!(parses("dagger plus:-30", Edition::Trunk));
        assert!(!parses("dagger plus:-31", Edition::Trunk));
        assert!(!parses("any armour plus:31", Edition::Trunk));
        assert!(parses("ring of strength plus:31", Edition::Trunk));
        assert!(!parses("dagger plus:x", Edition::Trunk));
    }

    #[test]
    fn a_game_has_one_member_of_each_item_set() {
        // spec 03 §3.4, §7.8
        type Parse = fn(&str, &mut Context) -> Result<ItemSlot, SpecError>;
        let content = Content::new(Rules::of(Edition::Trunk));
        let sets = &content.items().sets;
        let hex = sets.iter().position(|set| set.name == "hex wand").expect("a set");
        let mut dungeon = Dungeon::standard(content.branches());
        let mut members = vec![0; sets.len()];
        members[hex] = 1;
        let mut left = |text: &str, parse: Parse, members: &[usize]| {
            dungeon.choose_set_members(members.to_vec());
            let mut rng = Streams::from_seed(1, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            let slot = parse(text, &mut ctx).expect("a slot");
            slot.alternatives.into_iter().map(|a| a.kind.clone()).collect::<Vec<_>>()
        };
        let (open, fixed): (Parse, Parse) = (parse_item_slot, parse_fixed_item_slot);
        let both = "wand of charming / wand of paralysis / wand of flame";
        let named = |name: &str| ItemKind::Item(name.to_owned());
        let (paralysis, flame) = (named("wand of paralysis"), named("wand of flame"));
        assert_eq!(left(both, open, &members), [paralysis, flame]);
        assert_eq!(left(both, open, &[]).len(), 3, "before a game there are all");
        assert_eq!(left("wand of charming", open, &members), []);
        assert_eq!(left("wand of charming", fixed, &members), [ItemKind::Any]);
        assert_eq!(left("any hex wand", open, &members), [named("wand of paralysis")]);
        let kept = [named("wand of charming")];
        assert_eq!(left("no_exclude wand of charming", open, &members), kept);
    }
}
