//! What is known of a map before it is rolled.

use serde::{Deserialize, Serialize};
use vaultwright_content::FeatureId;

use crate::lost_spec::LostSpec;
use crate::{DepthRanges, MapDef, Orient, RangeTable, TagSet};

/// What choosing a map needs of it (spec 01 §10.6): what its statements say when it is compiled.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Selection {
    /// The unique name.
    pub name: String,
    /// The tags.
    pub tags: TagSet,
    /// The levels given by PLACE.
    pub place: DepthRanges,
    /// The levels given by DEPTH.
    pub depths: DepthRanges,
    /// The position on the level, given by ORIENT; a map without one floats.
    pub orient: Option<Orient>,
    /// CHANCE. No chance is different from a chance of 0.
    pub chance: RangeTable,
    /// The order in which CHANCEs are rolled, highest first, if the rules have priorities.
    pub chance_priority: RangeTable,
    /// WEIGHT; 10 by default.
    pub weight: RangeTable,
    /// The description shown to the player.
    pub description: String,
    /// The sort key in menus.
    pub order: Option<i32>,
    /// The feature that replaces the rock around an encompassing map.
    pub border_fill: Option<FeatureId>,
    /// The parts of its specs that have no effect.
    pub lost: Vec<LostSpec>,
}

impl Selection {
    /// Returns that of a map of which only the name is known.
    pub fn new(name: impl Into<String>) -> Selection {
        Selection::taken_from(&mut MapDef::new(name))
    }

    /// Takes it out of a compiled map, which is left without it.
    pub fn taken_from(map: &mut MapDef) -> Selection {
        let map = std::mem::take(map);
        Selection {
            name: map.name,
            tags: map.tags,
            place: map.place,
            depths: map.depths,
            orient: map.orient,
            chance: map.chance,
            chance_priority: map.chance_priority,
            weight: map.weight,
            description: map.description,
            order: map.order,
            border_fill: map.border_fill,
            lost: map.lost,
        }
    }

    /// Returns the map as it is before its statements run.
    pub fn map(&self) -> MapDef {
        let own = self.clone();
        MapDef {
            tags: own.tags,
            place: own.place,
            depths: own.depths,
            orient: own.orient,
            chance: own.chance,
            chance_priority: own.chance_priority,
            weight: own.weight,
            description: own.description,
            order: own.order,
            border_fill: own.border_fill,
            lost: own.lost,
            ..MapDef::new(own.name)
        }
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
}
