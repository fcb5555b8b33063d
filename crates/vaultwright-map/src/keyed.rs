//! Keyed specs, and the feature of a cell of a map.

use vaultwright_content::{AltarGods, FeatureId};

use crate::definition::MapDef;
use crate::feature_spec::{FeatureKind, FeatureSpec};
use crate::grid::{Point, SUBVAULT_GLYPH};
use crate::item_spec::ItemSlot;
use crate::monster_spec::MonsterSlot;
use crate::spec_text::pieces;
use crate::{Context, ErrorCode, SpecError};

/// The specs that KFEAT, KMONS, KITEM and KMASK give to a glyph (spec 02 §8).
#[derive(Clone, Debug, Default)]
pub struct KeyedSpec {
    /// The feature alternatives.
    pub features: FeatureSpec,
    /// The monster slots, tried in order.
    pub monsters: Vec<MonsterSlot>,
    /// The item slots, all placed.
    pub items: Vec<ItemSlot>,
    /// The mask flags.
    pub mask: MaskFlags,
}

impl KeyedSpec {
    /// Returns whether it contains more than masks.
    #[must_use]
    #[inline]
    pub fn decides(&self) -> bool {
        !self.features.alternatives.is_empty()
            || !self.monsters.is_empty()
            || !self.items.is_empty()
    }
}

impl MapDef {
    /// Returns the spec that applies to a cell: that of its glyph, or the cell's own if a subvault
    /// was merged there. `None` if the glyph has its default meaning.
    #[must_use]
    #[inline]
    pub fn spec_at(&self, cell: Point) -> Option<&KeyedSpec> {
        match self.grid.glyph(cell) {
            SUBVAULT_GLYPH => {
                let own = self.overlay.get(cell)?.private_spec?;
                self.private_specs.get(own)
            }
            glyph => self.keyed.get(&glyph),
        }
    }
}

/// Mask bits set and unset by KMASK (spec 02 §8.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaskFlags {
    /// Bits set.
    pub set: i64,
    /// Bits cleared.
    pub unset: i64,
}

impl MaskFlags {
    /// Parses `flag/!flag/…`.
    pub fn parse(text: &str, ctx: &Context) -> Result<MaskFlags, SpecError> {
        let mut flags = MaskFlags::default();
        for word in pieces(b'/', text) {
            let (negated, name) = match word.strip_prefix('!') {
                Some(name) => (true, name),
                None => (false, word),
            };
            let known = ctx
                .content
                .names()
                .masks
                .get(name)
                .filter(|_| name != "allow_tele_closets" || ctx.content.rules.tele_closet_mask);
            let Some(bit) = known else {
                let message = format!("Unknown flag: '{name}'");
                return Err(SpecError::new(ErrorCode::UnknownMask, message, name));
            };
            if negated { flags.unset |= bit } else { flags.set |= bit }
        }
        // A flag that is both set and unset in one statement has no effect.
        let both = flags.set & flags.unset;
        Ok(MaskFlags { set: flags.set & !both, unset: flags.unset & !both })
    }

    /// Merges the flags of a later statement, which take precedence.
    pub fn merge(&mut self, later: MaskFlags) {
        self.set = self.set & !later.unset | later.set;
        self.unset = self.unset & !later.set | later.unset;
    }
}

/// Returns the feature that a cell would get (spec 02 §3.4), with the draws of its choice; `None`
/// for blanks.
pub fn map_feature(map: &MapDef, p: Point, ctx: &mut Context) -> Option<FeatureId> {
    let glyph = map.grid.get(p)?;
    if glyph == b' ' {
        return None;
    }
    let Some(keyed) = map.spec_at(p) else { return glyph_feature(glyph, ctx) };
    let features = ctx.content.features();
    match keyed.features.pick(ctx).map(|index| &keyed.features.alternatives[index].kind) {
        None => Some(features.floor()),
        Some(FeatureKind::Glyph(glyph)) => glyph_feature(*glyph, ctx),
        Some(FeatureKind::Feature(feature)) => Some(*feature),
        // Any trap will do: it only matters that there is one.
        Some(FeatureKind::Trap(_)) => Some(features.known().trap_net),
        Some(FeatureKind::Shop(_)) => Some(features.known().enter_shop),
    }
}

/// Returns the default feature of a glyph. `C` makes a draw.
pub fn glyph_feature(glyph: u8, ctx: &mut Context) -> Option<FeatureId> {
    let features = ctx.content.features();
    match glyph {
        b' ' => None,
        b'C' => Some(random_altar(ctx)),
        b't' => {
            let own = ctx.content.branches().traits(ctx.place.branch).tree.as_deref();
            let own = own.filter(|_| ctx.content.rules.branches_have_trees);
            let name = own.unwrap_or("tree");
            features.by_name(name).or(Some(features.floor()))
        }
        0 => Some(features.rock_wall()),
        _ => Some(features.by_map_glyph(glyph).unwrap_or_else(|| features.floor())),
    }
}

/// Returns the altar of glyph `C` (spec 03 §9.7).
fn random_altar(ctx: &mut Context) -> FeatureId {
    let features = ctx.content.features();
    let traits = ctx.content.branches().traits(ctx.place.branch);
    if traits.temple {
        return features.floor();
    }
    let god = draw_altar_god(traits.altars.as_ref(), ctx);
    let altar = ctx.content.names().god(god).and_then(|god| features.by_name(&god.altar));
    altar.unwrap_or_else(|| features.floor())
}

fn draw_altar_god<'a>(altars: Option<&'a AltarGods>, ctx: &mut Context<'a>) -> &'a str {
    if ctx.rng.one_chance_in(27) {
        return "Xom";
    }
    let Some(altars) = altars else { return temple_god(ctx) };
    match &altars.mostly {
        Some(god) if altars.others.is_empty() || !ctx.rng.one_chance_in(altars.one_in) => god,
        _ => {
            let index = ctx.rng.random2(altars.others.len() as i32) as usize;
            altars.others.get(index).map_or("", String::as_str)
        }
    }
}

/// Draws a god of the temple, from the list sorted by name (spec 03 §9.7).
fn temple_god<'a>(ctx: &mut Context<'a>) -> &'a str {
    let gods = ctx.content.names().temple_gods();
    let index = ctx.rng.random2(gods.len() as i32) as usize;
    gods.get(index).map_or("", |god| god.name.as_str())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::{Dungeon, LevelPlace};

    #[test]
    fn no_blank_stands_between_a_mask_and_its_sign() {
        // As 0.28 was asked.
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        let ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let opaque = content.names().masks.get("opaque").expect("a mask");
        let parsed = |text: &str| MaskFlags::parse(text, &ctx).map(|flags| flags.unset);
        assert_eq!(parsed("vault / !opaque"), Ok(opaque));
        assert!(parsed("! opaque").is_err() && parsed("!").is_err());
    }
}
