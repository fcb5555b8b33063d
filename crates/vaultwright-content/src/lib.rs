//! Content packs: the tables of features, monsters, items, branches, colours, spells and more that
//! give the words of a vault their meaning, and the [`Rules`] that differ between versions.
//!
//! A [`Content`] is loaded once and shared. Tables are parsed on first access, so that a command
//! that needs few of them starts fast.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod acquirement;
mod any_item;
mod bands;
mod branches;
mod content;
mod creation;
mod described;
mod differences;
mod edition;
mod elsewhere;
mod exceptions;
mod feature_set;
mod features;
mod items;
mod known_features;
mod level_size;
mod looks;
mod monster_file;
mod monster_files;
mod monsters;
mod name_rows;
mod named_file;
mod names;
mod pack;
mod pack_faults;
mod pack_row;
mod play;
mod populations;
mod rules;
mod save_tags;
mod texts;
mod tiles;
mod traits;
mod yaml;

pub use acquirement::{Acquirement, AcquirementRow, ArtefactProperty, PropertyValue};
pub use bands::{
    Amount, BandChoice, BandCondition, Bands, LeaderRow, Member, MemberDraw, MemberRow, Size,
    SizeTerm,
};
pub use branches::{Branch, BranchId, Branches, LairScripts};
pub use content::Content;
pub use creation::{
    Creation, CreationDraw, CreationPart, CreationStep, CreationTest, OtherWeapon, WeaponClass,
    WeaponLists,
};
pub use described::{Described, Kind as DescribedKind};
pub use edition::{Edition, EditionMarks};
pub use elsewhere::Elsewhere;
pub use exceptions::PlacementException;
pub use feature_set::{FeatureBits, FeatureSet};
pub use features::{Feature, FeatureFlags, FeatureId, Features};
pub use items::{Ego, Item, ItemSet, Items, Unrand};
pub use known_features::KnownFeatures;
pub use level_size::LevelSize;
pub use looks::LooksRow;
pub use monsters::{GAME_ORB, Monster, MonsterId, Monsters};
pub use names::{EngineTag, God, NameList, Names, Spell, TagMatch};
pub use pack::{PackTables, TableError, TableText};
pub use play::{ChannelId, CloudKind, CloudKindId, PlayTables};
pub use populations::{Distribution, Liquid, Population, PopulationEntry, Populations};
pub use rules::Rules;
pub use save_tags::SaveTags;
pub use texts::{TextBase, TextDatabase, Variants};
pub use tiles::{TileDefinitions, TileSource, TileUse, TileVariant, TileVerdict, Tiles};
pub use traits::{AltarGods, BranchTraits};
