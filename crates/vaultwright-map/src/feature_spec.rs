//! Parsing KFEAT.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::FeatureId;

use crate::item_spec::{ItemSlot, parse_item_slot};
use crate::lost_spec::{LostSpec, Unheard};
use crate::mimic_odds::MimicOdds;
use crate::spec_text::{SpecText, pieces, split_trimmed};
use crate::{Context, ErrorCode, SpecError};

/// The alternatives of a KFEAT (spec 02 §8.2, spec 03 §9).
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct FeatureSpec {
    /// The alternatives in written order.
    pub alternatives: Vec<FeatureChoice>,
    /// The parts without effect.
    pub lost: Vec<LostSpec>,
}

/// One alternative.
#[derive(Clone, Debug)]
pub struct FeatureChoice {
    /// The weight.
    pub weight: i32,
    /// Whether it may be a mimic.
    pub mimic: MimicOdds,
    /// Whether it may not become a mimic later.
    pub no_mimic: bool,
    /// What it places.
    pub kind: FeatureKind,
    /// The text as written.
    pub text: String,
}

/// What an alternative places.
#[derive(Clone, Debug)]
pub enum FeatureKind {
    /// The default meaning of a glyph.
    Glyph(u8),
    /// A terrain feature.
    Feature(FeatureId),
    /// A trap, chosen when the cell is filled.
    Trap(String),
    /// A shop.
    Shop(Arc<ShopSpec>),
}

/// A shop (spec 03 §9.5).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopSpec {
    /// The kind of shop.
    pub kind: String,
    /// The keeper's name.
    pub name: Option<String>,
    /// The kind word of the shop's name.
    pub type_name: Option<String>,
    /// The last word of the shop's name.
    pub suffix: Option<String>,
    /// The number of items.
    pub count: Option<i32>,
    /// The price factor in tenths.
    pub greed: Option<i32>,
    /// Whether all listed items are used in order, followed by random stock.
    pub use_all: bool,
    /// Whether its random stock is better.
    pub gozag: bool,
    /// The listed items.
    pub items: Vec<ItemSlot>,
}

impl FeatureSpec {
    /// Parses the alternatives.
    pub fn parse(text: &str, ctx: &mut Context) -> Result<FeatureSpec, SpecError> {
        let mut spec = FeatureSpec::default();
        for piece in pieces(b'/', text) {
            let (choice, unheard) = FeatureChoice::parse(piece, ctx)?;
            let of_choice = unheard.iter().map(|unheard| LostSpec::of_unheard(piece, unheard));
            spec.lost.extend(of_choice);
            spec.alternatives.push(choice);
        }
        Ok(spec)
    }

    /// Parses the alternatives and picks one of them immediately.
    pub fn parse_fixed(text: &str, ctx: &mut Context) -> Result<FeatureSpec, SpecError> {
        let mut spec = FeatureSpec::parse(text, ctx)?;
        if let Some(index) = spec.pick(ctx) {
            spec.alternatives.swap(0, index);
            spec.alternatives.truncate(1);
        }
        Ok(spec)
    }

    /// Returns all parts without effect, including those in the items of shops.
    pub(crate) fn all_lost(&self) -> impl Iterator<Item = &LostSpec> {
        let shops = self.alternatives.iter().filter_map(|choice| match &choice.kind {
            FeatureKind::Shop(shop) => Some(&shop.items),
            _ => None,
        });
        self.lost.iter().chain(shops.flatten().flat_map(|slot| &slot.lost))
    }

    /// Picks an alternative, with its draws. Returns its index.
    pub fn pick(&self, ctx: &mut Context) -> Option<usize> {
        ctx.pick_of(0, &self.alternatives, |choice| choice.weight)
    }
}

impl FeatureChoice {
    fn parse(piece: &str, ctx: &mut Context) -> Result<(FeatureChoice, Vec<Unheard>), SpecError> {
        let mut text = SpecText::new(piece);
        let weight = text.weight().filter(|&weight| weight > 0).unwrap_or(10);
        let mimic = match text.number("mimic:") {
            Some(number) => MimicOdds::of_number(number),
            None if text.strip("mimic") => MimicOdds::OneIn(1),
            None => MimicOdds::Unsaid,
        };
        let no_mimic = text.strip("no_mimic");
        let is_drawn = ctx.content.rules.traps_are_features && names_random_trap(&text);
        let kind = feature_kind(&mut text, piece, ctx);
        let kind = kind.map_err(|error| error.beside(piece, &text.take_unheard()))?;
        // Text after a random trap is not parsed (spec 03 §9.1), nor is text after the name of a
        // trap (as 0.28 shows).
        let is_trap = is_drawn || matches!(kind, FeatureKind::Trap(_));
        let (mimic, no_mimic) =
            if is_trap { (MimicOdds::Unsaid, false) } else { (mimic, no_mimic) };
        if mimic.one_in().is_some() && is_never_mimic(&kind, ctx) {
            let why = "is never of this: no mimic looks like it";
            text.note(Unheard::words("mimic", why));
        }
        let unheard = text.take_unheard();
        Ok((FeatureChoice { weight, mimic, no_mimic, kind, text: piece.to_owned() }, unheard))
    }
}

/// Returns whether no feature like this can be a mimic (spec 03 §9.4).
fn is_never_mimic(kind: &FeatureKind, ctx: &Context) -> bool {
    match kind {
        FeatureKind::Glyph(glyph) => matches!(glyph, b'.' | b'w' | b'W'),
        FeatureKind::Feature(id) => {
            let name = ctx.content.features().get(*id).name.as_str();
            matches!(name, "floor" | "shallow_water" | "deep_water")
        }
        FeatureKind::Trap(_) | FeatureKind::Shop(_) => false,
    }
}

fn names_random_trap(text: &SpecText) -> bool {
    let mut words = SpecText::new(text.as_str());
    words.strip("any trap") || words.strip("random trap")
}

fn feature_kind(
    text: &mut SpecText,
    piece: &str,
    ctx: &mut Context,
) -> Result<FeatureKind, SpecError> {
    if let &[glyph] = text.as_str().as_bytes() {
        return Ok(FeatureKind::Glyph(glyph));
    }
    if ctx.content.rules.traps_are_features {
        if names_random_trap(text) {
            return Ok(random_trap(ctx));
        }
    } else if text.as_str() == "web" || text.strip("trap") {
        // The word may appear twice (as 0.28 shows).
        text.strip("trap");
        if ctx.content.rules.known_traps {
            text.strip("known");
        }
        return trap(text.as_str(), piece, ctx);
    }
    if text.strip("shop") {
        return Ok(FeatureKind::Shop(Arc::new(parse_shop(text, piece, ctx)?)));
    }
    let gods = ctx.content.names().gods();
    if gods.iter().any(|god| god.unavailable && god.altar == text.as_str()) {
        let altar = text.as_str().to_owned();
        text.note(Unheard::words(&altar, "is of a god that no game has: floor takes its place"));
        return Ok(FeatureKind::Feature(ctx.content.features().floor()));
    }
    let known = ctx.content.features().by_name(text.as_str());
    if known.is_none() && ctx.content.names_are_open() {
        return Ok(FeatureKind::Glyph(b'.'));
    }
    known.map(FeatureKind::Feature).ok_or_else(|| {
        let message = format!("no features matching \"{piece}\"");
        SpecError::new(ErrorCode::UnknownFeature, message, text.as_str())
    })
}

/// Parses `NAME trap` up to 0.34; the trap is drawn when the cell is filled.
fn trap(name: &str, piece: &str, ctx: &Context) -> Result<FeatureKind, SpecError> {
    let name = name.to_lowercase();
    let known = matches!(name.as_str(), "any" | "random" | "web")
        || ctx.content.accepts("feature", &format!("{name} trap"))
        || ctx.content.names_are_open();
    if !known {
        let message = format!("bad trap name: '{name}'");
        return Err(SpecError::new(ErrorCode::UnknownTrap, message, piece));
    }
    Ok(FeatureKind::Trap(name))
}

/// Draws the random trap of a level while parsing (spec 03 §9.3).
fn random_trap(ctx: &mut Context) -> FeatureKind {
    let name = draw_trap(ctx, Dispersal::Possible);
    match ctx.content.features().by_name(name) {
        Some(feature) => FeatureKind::Feature(feature),
        None => FeatureKind::Glyph(b'.'),
    }
}

/// Whether a trap may be a dispersal trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispersal {
    /// It may.
    Possible,
    /// It may not: dispersal traps have no weight, so the draw yields another trap.
    Impossible,
}

/// Draws a random trap of a level (spec 03 §9.3). Returns its feature name.
pub fn draw_trap(ctx: &mut Context, dispersal: Dispersal) -> &'static str {
    let traits = ctx.content.branches().traits(ctx.place.branch);
    let depth = ctx.absolute_depth() - 1;
    if traits.zot_traps && ctx.rng.coinflip() {
        return "trap_zot";
    }
    if ctx.rng.random2(1 + depth) > 14 && ctx.rng.one_chance_in(3) {
        return "trap_zot";
    }
    let shafts = ctx.draws_shafts();
    let here = |trap: &str| traits.traps.iter().any(|own| own == trap);
    let table: [(&str, i32, bool); 8] = [
        ("trap_dispersal", 4, dispersal == Dispersal::Possible),
        ("trap_teleport", 5, true),
        ("shaft", 4, shafts),
        ("trap_alarm", 5, depth > 3),
        ("trap_tyrant", 3, here("trap_tyrant")),
        ("trap_archmage", 3, here("trap_archmage")),
        ("trap_harlequin", 2, here("trap_harlequin")),
        ("trap_devourer", 2, here("trap_devourer")),
    ];
    let weights = table.map(|(_, weight, holds)| if holds { weight } else { 0 });
    ctx.rng.weighted_table(&weights).map_or("floor", |index| table[index].0)
}

fn parse_shop(text: &mut SpecText, piece: &str, ctx: &mut Context) -> Result<ShopSpec, SpecError> {
    text.strip("shop");
    let spaces = |value: Option<String>| value.map(|value| value.replace('_', " "));
    let mut shop = ShopSpec { use_all: text.strip("use_all"), ..ShopSpec::default() };
    shop.gozag = text.strip("gozag");
    shop.name = spaces(text.value("name:"));
    shop.type_name = spaces(text.value("type:"));
    shop.suffix = spaces(text.value("suffix:"));
    shop.count = text.number("count:");
    shop.greed = text.number("greed:");
    match shop.count {
        Some(count @ ..=0) => {
            text.note(Unheard::number(format!("count:{count}"), "makes an empty shop"));
        }
        Some(count @ 21..) => {
            text.note(Unheard::number(
                format!("count:{count}"),
                "is more than the 20 there can be",
            ));
        }
        Some(1..=20) | None => {}
    }
    let bad =
        |message: String, culprit: &str| Err(SpecError::new(ErrorCode::BadShop, message, culprit));
    let parts = split_trimmed(';', text.as_str());
    if parts.len() > 2 {
        return bad(format!("too many semi-colons for '{piece}' spec"), piece);
    }
    let Some(&kind) = parts.first() else {
        return bad(format!("no kind of shop in '{piece}'"), piece);
    };
    let known = matches!(kind, "any" | "random")
        || ctx.content.names().shops.contains(kind)
        || ctx.content.accepts("shop", kind);
    if !known {
        return bad(format!("bad shop type: '{kind}'"), kind);
    }
    shop.kind = kind.to_owned();
    if let Some(items) = parts.get(1) {
        for slot in split_trimmed('|', items) {
            shop.items.push(parse_item_slot(slot, ctx)?);
        }
    }
    Ok(shop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dungeon, LevelPlace};
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    #[test]
    fn the_word_trap_may_be_there_twice_and_mimic_has_one_number() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let mut parsed = |text: &str| FeatureSpec::parse(text, &mut ctx).ok();
        for text in ["zot trap trap", "trap zot trap", "trap zot"] {
            let spec = parsed(text).expect(text);
            let kind = &spec.alternatives[0].kind;
            assert!(matches!(kind, FeatureKind::Trap(name) if name == "zot"), "{text}: {kind:?}");
        }
        assert!(parsed("trap trap zot trap").is_none());
        let mimics = ["enter_shop mimic", "enter_shop mimic:0", "mimic:x enter_shop mimic"];
        let numbers = mimics.map(|text| parsed(text).expect(text).alternatives[0].mimic.one_in());
        assert_eq!(numbers, [Some(1), None, Some(1)]);
        assert!(parsed("mimic:0 enter_shop mimic").is_none(), "as 0.28 was asked");
        for trap in ["mimic alarm trap", "mimic:3 web", "no_mimic any trap"] {
            let choice = &parsed(trap).expect(trap).alternatives[0];
            assert_eq!((choice.mimic, choice.no_mimic), (MimicOdds::Unsaid, false), "{trap}");
        }
    }

    /// data/versions/language.json; 0.28 was asked.
    #[test]
    fn traps_have_the_names_of_their_release() {
        let accepts = |edition, text: &str| {
            let content = Content::new(Rules::of(edition));
            let dungeon = Dungeon::standard(content.branches());
            let mut rng = Streams::from_seed(1, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            FeatureChoice::parse(text, &mut ctx).is_ok()
        };
        let all = [
            "alarm trap",
            "Alarm trap",
            "ZOT trap",
            "pressure plate trap",
            "permanent teleport trap",
            "passage trap",
            "arrow trap",
            "shadow trap",
            "web",
        ];
        let since_0_33 = ["harlequin's trap", "devourer's trap"];
        for edition in [Edition::V0_24, Edition::V0_28, Edition::V0_33, Edition::V0_34] {
            for text in all {
                assert!(accepts(edition, text), "{text} in {edition:?}");
            }
            for text in since_0_33 {
                let is_later = edition >= Edition::V0_33;
                assert_eq!(accepts(edition, text), is_later, "{text} in {edition:?}");
            }
            for text in ["mechanical trap", "passage of golubria trap", "trap_zot trap"] {
                assert!(!accepts(edition, text), "{text} in {edition:?}");
            }
        }
        assert!(!accepts(Edition::Trunk, "alarm trap"));
        // The words, wherever they stand (spec 03 §9.1).
        assert!(accepts(Edition::Trunk, "known any trap"));
        assert!(!accepts(Edition::Trunk, "many trap"));
    }

    /// Without dispersal the same draw has another meaning (spec 10 §7).
    #[test]
    fn without_dispersal_the_table_of_traps_is_shorter() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let place = LevelPlace::parse("Elf:2", content.branches(), &dungeon).expect("a place");
        let drawn = |seed, dispersal| {
            let mut rng = Streams::from_seed(seed, 43);
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let trap = draw_trap(&mut ctx, dispersal);
            (trap, rng.draws().next().map(|(_, count)| count))
        };
        let mut others = 0;
        for seed in 1..=60 {
            let (with, draws) = drawn(seed, Dispersal::Possible);
            let (without, same) = drawn(seed, Dispersal::Impossible);
            assert_eq!(draws, same, "seed {seed}");
            assert_ne!(without, "trap_dispersal", "seed {seed}");
            others += usize::from(with != "trap_dispersal" && with != without);
        }
        assert!(others > 5, "{others}");
    }
}
