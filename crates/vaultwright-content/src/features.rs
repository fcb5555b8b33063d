//! Terrain features: names, numbers, glyphs and properties.

use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};

use crate::known_features::KnownFeatures;

/// Index of a feature in its table.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct FeatureId(pub u16);

/// How many features a pack may have: an id has room for no more.
pub(crate) const MAX_FEATURES: usize = u16::MAX as usize;

impl FeatureId {
    /// Returns the id of the row of an index, which a pack's check keeps below [`MAX_FEATURES`].
    fn of(index: usize) -> FeatureId {
        FeatureId(u16::try_from(index).unwrap_or(u16::MAX))
    }
}

/// The predicates of a feature that the engine asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureFlags(u32);

/// A terrain feature.
#[derive(Clone, Debug)]
pub struct Feature {
    /// The name in KFEAT and in Lua.
    pub name: String,
    /// The number that scripts see.
    pub number: i32,
    /// The description name.
    pub description: String,
    /// The character it is drawn as.
    pub glyph: char,
    /// The name of its colour.
    pub colour: String,
    /// The properties.
    pub flags: FeatureFlags,
    /// The name of the god whose altar it is.
    pub god: String,
    /// Whether it is only kept for old saves.
    pub legacy: bool,
}

/// The features of a pack.
pub struct Features {
    list: Vec<Feature>,
    by_name: HashMap<String, FeatureId>,
    by_number: HashMap<i32, FeatureId>,
    by_map_glyph: [Option<FeatureId>; 256],
    known: KnownFeatures,
    faults: Vec<(&'static str, String)>,
}

/// The number of pack features without an explicit number: they get the next free ones.
const NEXT_FREE: i32 = -1;

#[derive(Clone, Deserialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    #[serde(default = "next_free")]
    id: i32,
    #[serde(default)]
    desc: String,
    #[serde(default)]
    map_glyph: String,
    #[serde(default)]
    pub(crate) glyph: String,
    #[serde(default)]
    pub(crate) colour: String,
    #[serde(default)]
    god: String,
    #[serde(default)]
    pub(crate) is: Vec<String>,
    #[serde(default)]
    legacy: bool,
}

fn next_free() -> i32 {
    NEXT_FREE
}

macro_rules! predicates {
    ($($bit:literal $method:ident $name:literal;)*) => {
        impl FeatureFlags {
            fn parse(names: &[String]) -> FeatureFlags {
                let mut bits = 0;
                for name in names {
                    bits |= match name.as_str() { $($name => 1 << $bit,)* _ => 0 };
                }
                FeatureFlags(bits)
            }
            $(
                #[doc = concat!("The predicate `", $name, "` of `features.json`.")]
                #[inline]
                pub fn $method(self) -> bool { self.0 & 1 << $bit != 0 }
            )*
        }
    };
}

predicates! {
    0 opaque "opaque"; 1 solid "solid"; 2 wall "wall"; 3 trap "trap"; 4 floor "floor";
    5 traversable "traversable"; 6 door "door"; 7 closed_door "closed_door"; 8 sealed "sealed";
    9 statue "statue"; 10 permarock "permarock"; 11 stone_stair_up "stone_stair_up";
    12 stone_stair_down "stone_stair_down"; 13 staircase "staircase"; 14 hatch "hatch";
    15 travelable_stair "travelable_stair"; 16 gate "gate"; 17 branch_entrance "branch_entrance";
    18 portal "portal"; 19 water "water"; 20 deep_water "deep_water"; 21 lava "lava";
    22 altar "altar"; 23 tree "tree"; 24 critical "critical"; 25 valid_border "valid_border";
    26 stair "stair"; 27 solid_floor "solid_floor"; 28 shallow_water "shallow_water";
    29 dry_floor "dry_floor"; 30 branch_exit "branch_exit"; 31 portal_exit "portal_exit";
}

impl Features {
    pub(crate) fn new(rows: Vec<Row>) -> Features {
        let mut features = Features {
            list: Vec::with_capacity(rows.len()),
            by_name: HashMap::new(),
            by_number: HashMap::new(),
            by_map_glyph: [None; 256],
            known: KnownFeatures::default(),
            faults: Vec::new(),
        };
        let mut free = rows.iter().map(|row| row.id).max().unwrap_or(0) + 1;
        for (index, mut row) in rows.into_iter().enumerate() {
            let id = FeatureId::of(index);
            features.by_name.entry(row.name.clone()).or_insert(id);
            if row.id == NEXT_FREE {
                row.id = free;
                free += 1;
            }
            features.by_number.insert(row.id, id);
            if let &[glyph] = row.map_glyph.as_bytes() {
                features.by_map_glyph[usize::from(glyph)].get_or_insert(id);
            }
            features.list.push(Feature {
                flags: FeatureFlags::parse(&row.is),
                glyph: row.glyph.chars().next().unwrap_or('.'),
                name: row.name,
                number: row.id,
                description: row.desc,
                colour: row.colour,
                god: row.god,
                legacy: row.legacy,
            });
        }
        (features.known, features.faults) = KnownFeatures::of(&features);
        features
    }

    /// Returns the number of features.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the feature with an id of this table.
    #[inline]
    pub fn get(&self, id: FeatureId) -> &Feature {
        &self.list[usize::from(id.0)]
    }

    /// Returns the feature with this name; `None` for `unseen`.
    pub fn by_name(&self, name: &str) -> Option<FeatureId> {
        self.by_name.get(name).copied().filter(|&id| self.get(id).number != 0)
    }

    /// Returns the feature with this script number.
    pub fn by_number(&self, number: i32) -> Option<FeatureId> {
        self.by_number.get(&number).copied()
    }

    /// Returns the feature of a map glyph, if the table defines it. For some glyphs, it depends on
    /// the branch.
    #[inline]
    pub fn by_map_glyph(&self, glyph: u8) -> Option<FeatureId> {
        self.by_map_glyph[usize::from(glyph)]
    }

    /// Returns the plain floor.
    #[inline]
    pub fn floor(&self) -> FeatureId {
        self.known.floor
    }

    /// Returns the plain rock wall.
    #[inline]
    pub fn rock_wall(&self) -> FeatureId {
        self.known.rock_wall
    }

    /// Returns the features that the builder uses by name.
    #[must_use]
    #[inline]
    pub fn known(&self) -> &KnownFeatures {
        &self.known
    }

    /// Returns which known features are missing or have unexpected properties, and the reasons.
    pub(crate) fn faults(&self) -> &[(&'static str, String)] {
        &self.faults
    }

    /// Returns all features.
    pub fn iter(&self) -> impl Iterator<Item = (FeatureId, &Feature)> {
        self.list.iter().enumerate().map(|(index, feature)| (FeatureId::of(index), feature))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Content, Edition, Rules};

    #[test]
    fn ways_out_are_told_by_predicates() {
        for edition in [Edition::V0_28, Edition::Trunk] {
            let content = Content::new(Rules::of(edition));
            for (_, feature) in content.features().iter() {
                let is_way = feature.name.starts_with("enter_") && feature.name != "enter_shop"
                    || feature.name.starts_with("exit_");
                let flags = feature.flags;
                let leads = flags.stair() || flags.branch_exit() || flags.portal_exit();
                assert!(leads || !is_way, "{}", feature.name);
            }
        }
    }
}
