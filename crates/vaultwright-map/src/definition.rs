//! The map definition: everything the statements of a vault have set.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vaultwright_content::FeatureId;

use crate::feature_spec::FeatureSpec;
use crate::grid::{GlyphSet, Grid, Point};
use crate::item_spec::{ItemSlot, parse_fixed_item_slot, parse_item_slot};
use crate::keyed::{KeyedSpec, MaskFlags};
use crate::lost_spec::LostSpec;
use crate::monster_spec::{MonsterSlot, parse_fixed_monster_slot, parse_monster_slot};
use crate::overlay::{Overlay, OverlayKind};
use crate::spec_text::{pieces, split_key, text_of};
use crate::subvault::{SubvaultMask, SubvaultPlace};
use crate::{Context, DepthRanges, LevelPlace, Orient, SpecError, TagSet, Transform, Turn};

/// The id of a map in a library: its index in load order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MapId(pub usize);

/// Everything a map definition contains (spec 02 §1).
#[derive(Clone, Debug, Default)]
pub struct MapDef {
    /// The unique name.
    pub name: String,
    /// The tags.
    pub tags: TagSet,
    /// The levels given by PLACE.
    pub place: DepthRanges,
    /// The levels given by DEPTH.
    pub depths: DepthRanges,
    /// The position on the level, given by ORIENT.
    pub orient: Option<Orient>,
    /// CHANCE. No chance is different from a chance of 0.
    pub chance: RangeTable,
    /// The order in which CHANCEs are rolled, highest first, if the rules have priorities.
    pub chance_priority: RangeTable,
    /// Flags for its level, if the rules have them.
    pub level_flags: Vec<String>,
    /// Flags for its branch, if the rules have them.
    pub branch_flags: Vec<String>,
    /// WEIGHT; 10 by default.
    pub weight: RangeTable,
    /// The description shown to the player.
    pub description: String,
    /// The sort key in menus.
    pub order: Option<i32>,
    /// The feature that replaces the rock around an encompassing map.
    pub border_fill: Option<FeatureId>,
    /// The glyphs.
    pub grid: Grid,
    /// Keyed specs by glyph.
    pub keyed: BTreeMap<u8, KeyedSpec>,
    /// The keyed specs of merged subvault cells.
    pub private_specs: Vec<KeyedSpec>,
    /// What cells contain besides their glyph.
    pub overlay: Overlay,
    /// The markers, in order of creation.
    pub markers: Vec<MapMarker>,
    /// The MONS slots.
    pub monsters: Vec<MonsterSlot>,
    /// The ITEM slots.
    pub items: Vec<ItemSlot>,
    /// The level's own list for random monsters: one slot, as written.
    pub random_monsters: Option<String>,
    /// In play, the level gets a random monster on average once in this many turns.
    pub spawn_rate: Option<i32>,
    /// The level's floor colour.
    pub floor_colour: String,
    /// The level's rock colour.
    pub rock_colour: String,
    /// The level's floor tile.
    pub floor_tile: String,
    /// The level's rock tile.
    pub rock_tile: String,
    /// Display names of features.
    pub feature_names: BTreeMap<FeatureId, String>,
    /// The subvaults merged so far.
    pub subvaults: Vec<SubvaultPlace>,
    /// The turns applied since the map was drawn, in order.
    pub turned: Vec<Turn>,
    /// The area to fill, if this is a subvault.
    pub mask: Option<SubvaultMask>,
    /// For a compiled map: the parts of its specs that have no effect.
    pub lost: Vec<LostSpec>,
    /// The number of parts without effect in the slots of monsters, items and features.
    pub lost_in_slots: usize,
}

/// A number that depends on the level: the value of the first matching range, or else the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RangeTable {
    /// The value if no range matches.
    pub default: Option<i32>,
    /// The ranges and their values, in order of definition.
    pub entries: Vec<(DepthRanges, i32)>,
}

impl RangeTable {
    /// Returns the value for the context's level.
    pub fn at(&self, ctx: &Context) -> Option<i32> {
        self.on(ctx.place, ctx)
    }

    /// Returns the value for a level of the context's game.
    pub fn on(&self, place: LevelPlace, ctx: &Context) -> Option<i32> {
        let usable =
            |ranges: &DepthRanges| ranges.usable_at(place, ctx.content.branches(), ctx.dungeon);
        let entry = self.entries.iter().find(|(ranges, _)| usable(ranges));
        entry.map(|&(_, value)| value).or(self.default)
    }
}

/// A marker on a cell of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapMarker {
    /// The cell.
    pub at: Point,
    /// The content.
    pub payload: MarkerPayload,
}

/// The content of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkerPayload {
    /// A feature to restore.
    Feature(FeatureId),
    /// A Lua value, as an id into the engine's store.
    Lua(u32),
}

impl MapDef {
    /// Creates a map with only a name.
    pub fn new(name: impl Into<String>) -> MapDef {
        let mut map = MapDef { name: name.into(), ..MapDef::default() };
        map.weight.default = Some(10);
        map
    }

    /// Forgets, before each use, everything but name, tags, places, orientation and masks.
    pub fn reset_for_use(&mut self) {
        let MapDef { name, tags, place, depths, orient, mask, .. } = std::mem::take(self);
        *self = MapDef { tags, place, depths, orient, mask, ..MapDef::new(name) };
    }

    /// Returns what a level keeps of the map once it is placed: everything except what its cells
    /// have already received.
    #[must_use]
    pub fn as_placed(&self) -> MapDef {
        MapDef {
            name: self.name.clone(),
            tags: self.tags.clone(),
            place: self.place.clone(),
            depths: self.depths.clone(),
            orient: self.orient,
            chance: self.chance.clone(),
            chance_priority: self.chance_priority.clone(),
            level_flags: self.level_flags.clone(),
            branch_flags: self.branch_flags.clone(),
            weight: self.weight.clone(),
            description: self.description.clone(),
            order: self.order,
            border_fill: self.border_fill,
            grid: self.grid.clone(),
            monsters: self.monsters.clone(),
            items: self.items.clone(),
            random_monsters: self.random_monsters.clone(),
            spawn_rate: self.spawn_rate,
            floor_colour: self.floor_colour.clone(),
            rock_colour: self.rock_colour.clone(),
            floor_tile: self.floor_tile.clone(),
            rock_tile: self.rock_tile.clone(),
            feature_names: self.feature_names.clone(),
            subvaults: self.subvaults.clone(),
            turned: self.turned.clone(),
            mask: self.mask.clone(),
            lost: self.lost.clone(),
            lost_in_slots: self.lost_in_slots,
            keyed: BTreeMap::new(),
            private_specs: Vec::new(),
            overlay: Overlay::default(),
            markers: Vec::new(),
        }
    }

    /// Pads the rows. A map without orientation becomes a minivault.
    pub fn fix_up(&mut self) {
        self.grid.normalise();
        if self.orient.is_none() {
            self.orient = Some(Orient::Float);
            self.tags.insert("minivault".to_owned());
        }
    }

    /// Returns the number of parts without effect so far. Every statement with such a part
    /// increases it.
    pub fn losses(&self) -> usize {
        self.lost_in_slots + self.lost.len()
    }

    /// Returns whether the map has a tag.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// Returns all tags joined by blanks.
    pub fn tag_string(&self) -> String {
        let tags: Vec<&str> = self.tags.iter().map(String::as_str).collect();
        tags.join(" ")
    }

    /// Adds blank-separated tags.
    pub fn add_tags(&mut self, words: &str) {
        self.tags.extend(pieces(b' ', words).map(str::to_owned));
    }

    /// Removes blank-separated tags.
    pub fn remove_tags(&mut self, words: &str) {
        for word in pieces(b' ', words) {
            self.tags.remove(word);
        }
    }

    /// Removes the drawing, keyed specs, overlay and markers: `map(nil)`.
    pub fn clear_drawing(&mut self) {
        self.grid.clear();
        self.keyed.clear();
        self.private_specs.clear();
        self.overlay = Overlay::default();
        self.markers.clear();
    }

    /// Applies a grid transform.
    pub fn transform(&mut self, transform: &Transform, ctx: &mut Context) {
        transform.apply(&mut self.grid, ctx);
    }

    /// Applies an overlay statement.
    pub fn overlay_statement(
        &mut self,
        kind: OverlayKind,
        text: &[u8],
        ctx: &mut Context,
    ) -> Result<(), SpecError> {
        self.overlay.apply(kind, text, &self.grid, ctx, &mut self.lost)
    }

    /// Applies KFEAT.
    pub fn kfeat(&mut self, text: &[u8], ctx: &mut Context) -> Result<(), SpecError> {
        let (key, fixed, argument) = keyed_parts(text)?;
        let parse = if fixed { FeatureSpec::parse_fixed } else { FeatureSpec::parse };
        let spec = parse(&argument, ctx)?;
        self.lost_in_slots += spec.all_lost().count();
        for &glyph in key {
            self.keyed.entry(glyph).or_default().features = spec.clone();
        }
        Ok(())
    }

    /// Applies KMONS.
    pub fn kmons(&mut self, text: &[u8], ctx: &mut Context) -> Result<(), SpecError> {
        let (key, fixed, argument) = keyed_parts(text)?;
        let parse = if fixed { parse_fixed_monster_slot } else { parse_monster_slot };
        let slots =
            pieces(b',', &argument).map(|slot| parse(slot, ctx)).collect::<Result<Vec<_>, _>>()?;
        self.lost_in_slots += slots.iter().flat_map(MonsterSlot::all_lost).count();
        for &glyph in key {
            self.keyed.entry(glyph).or_default().monsters.clone_from(&slots);
        }
        Ok(())
    }

    /// Applies KITEM.
    pub fn kitem(&mut self, text: &[u8], ctx: &mut Context) -> Result<(), SpecError> {
        let (key, fixed, argument) = keyed_parts(text)?;
        let parse = if fixed { parse_fixed_item_slot } else { parse_item_slot };
        let mut slots =
            pieces(b',', &argument).map(|slot| parse(slot, ctx)).collect::<Result<Vec<_>, _>>()?;
        slots.retain(|slot| slot.counts(ctx));
        self.lost_in_slots += slots.iter().map(|slot| slot.lost.len()).sum::<usize>();
        for &glyph in key {
            self.keyed.entry(glyph).or_default().items.clone_from(&slots);
        }
        Ok(())
    }

    /// Applies KMASK: merges into the flags of the first glyph, and copies the result to the other
    /// glyphs.
    pub fn kmask(&mut self, text: &[u8], ctx: &mut Context) -> Result<(), SpecError> {
        let (key, _, argument) = keyed_parts(text)?;
        let later = MaskFlags::parse(&argument, ctx)?;
        let first = self.keyed.entry(key[0]).or_default();
        first.mask.merge(later);
        let flags = first.mask;
        for &glyph in &key[1..] {
            self.keyed.entry(glyph).or_default().mask = flags;
        }
        Ok(())
    }

    /// Applies MONS: appends a slot.
    pub fn mons(&mut self, text: &str, ctx: &mut Context) -> Result<(), SpecError> {
        let slot = parse_monster_slot(text, ctx)?;
        self.lost_in_slots += slot.all_lost().count();
        self.monsters.push(slot);
        Ok(())
    }

    /// Applies ITEM: appends a slot, unless all its alternatives were dropped.
    pub fn item(&mut self, text: &str, ctx: &mut Context) -> Result<(), SpecError> {
        let slot = parse_item_slot(text, ctx)?;
        if slot.counts(ctx) {
            self.lost_in_slots += slot.lost.len();
            self.items.push(slot);
        }
        Ok(())
    }

    /// Returns the cells whose glyph is in `key`, in the order in which markers are created: from
    /// the last row to the first, right to left.
    pub fn marker_cells(&self, key: &[u8]) -> Vec<Point> {
        self.grid.find(&GlyphSet::new(key)).into_iter().rev().collect()
    }

    /// Adds a CHANCE or WEIGHT for certain levels.
    pub fn add_range(
        table: &mut RangeTable,
        ranges: &str,
        value: i32,
        ctx: &Context,
    ) -> Result<(), SpecError> {
        table.entries.push((DepthRanges::parse(ranges, ctx.content.branches())?, value));
        Ok(())
    }
}

/// Splits the text of a keyed statement into key glyphs, whether the choice is fixed, and the spec.
fn keyed_parts(text: &[u8]) -> Result<(&[u8], bool, Cow<'_, str>), SpecError> {
    let (key, separator, argument) = split_key(text)?;
    Ok((key, separator == b':', text_of(argument)))
}
