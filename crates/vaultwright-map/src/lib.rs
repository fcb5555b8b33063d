//! Map definitions: what a vault is once its description has run (specs 02 and 03).
//!
//! A [`MapDef`] holds the glyph grid, the keyed specs, overlays, markers, slots and metadata.
//! Everything that acts on it is a function of the map, its arguments and a [`Context`], which
//! carries the content tables, the random streams and the level the map is meant for.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod arms;
mod attitude;
mod band;
mod book_spec;
mod brand;
pub mod connect;
mod context;
mod creation;
mod definition;
mod depth;
mod error;
mod feature_spec;
mod fit;
mod glyph_set;
mod grid;
mod item_details;
mod item_name;
mod item_spec;
mod item_tags;
mod keyed;
pub mod layout;
mod lost_spec;
mod mimic_odds;
mod monster_details;
mod monster_items;
mod monster_name;
mod monster_spec;
mod monster_tags;
mod neighbours;
pub mod noise;
mod orient;
mod overlay;
mod own_monsters;
pub mod paint;
mod parsed_specs;
mod place;
mod points;
mod population;
pub mod position;
mod selection;
mod spec_text;
mod subvault;
mod tags;
mod transform;
mod turn;
mod unless_usual;
mod validate;
mod zones;

pub use attitude::Attitude;
pub use band::{Follower, Locals, OwnList, Wanted, draw_followers};
pub use book_spec::{BookSpec, ParchmentSpec};
pub use brand::{BRANDS_OF_GOOD, NO_BRAND, draw_brand};
pub use context::{Context, Pick, PickCounts, PickKey, PickTrace, StatementKey};
pub use creation::{Newcomer, draw_creation, draw_enchantment};
pub use definition::{MapDef, MapId, MapMarker, MarkerPayload, RangeTable};
pub use depth::{DepthRange, DepthRanges};
pub use error::{ErrorCode, SpecError};
pub use feature_spec::{Dispersal, FeatureChoice, FeatureKind, FeatureSpec, ShopSpec, draw_trap};
pub use fit::{Fit, fit_subvault};
pub use grid::{
    ADJACENT, COMPASS, FLOOD, GlyphSet, Grid, ORTHOGONAL, Point, SUBVAULT_GLYPH, TRAVERSABLE,
};
pub use item_details::ItemDetails;
pub use item_spec::{
    ItemAlternative, ItemKind, ItemLevel, ItemSlot, parse_fixed_item_slot, parse_item_slot,
};
pub use keyed::{KeyedSpec, MaskFlags, glyph_feature, map_feature};
pub use lost_spec::{LostFate, LostSpec};
pub use mimic_odds::MimicOdds;
pub use monster_details::{Enchantment, MonsterDetails, SpellSlot, words_of_monsters};
pub use monster_name::{DraconianKind, MonsterKind, ZombieKind, random_of_group, random_of_level};
pub use monster_spec::{
    MonsterAlternative, MonsterSlot, parse_fixed_monster_slot, parse_monster_slot,
};
pub use neighbours::beside_any;
pub use orient::Orient;
pub use overlay::{CellOverlay, CellTiles, Overlay, OverlayKind};
pub use own_monsters::{Listed, OwnMonsters, draw_of_list};
pub use parsed_specs::ParsedSpecs;
pub use place::{Dungeon, LevelPlace, NamedDepth, PlaceName, UnknownPlace, split_place};
pub use points::Points;
pub use population::{
    level_of_random_monster, random_liquid_monster, random_monster, random_monster_of_depth,
    random_zombie_base, random_zombie_base_where,
};
pub use selection::Selection;
pub use spec_text::{split_key, split_trimmed, text_of, weighted_list as parse_weighted_list};
pub use subvault::{SubvaultMask, SubvaultPlace, merge_subvault};
pub use tags::TagSet;
pub use transform::{Count, ReplacementList, Transform};
pub use turn::{Turn, draw_turns};
pub use validate::check_definition;
pub use zones::Zones;
