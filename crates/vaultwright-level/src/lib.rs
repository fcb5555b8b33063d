//! The level as plain data: what is where.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod by_cell;
mod cause;
mod event;
mod film;
mod furnishing;
mod ground;
mod journal;
mod level;
mod lines;
mod markers;
mod occupants;
mod shape;
mod sight;
mod vaults;
mod ways;
mod zones;

pub use cause::Cause;
pub use event::{Event, EventKind};
pub use film::CellChange;
pub use ground::{
    Demands, Overwrite, PlacementGround, edge_cells, holds_portal, is_edge_cell, is_overwritable,
    marked_for_portals, portal_places,
};
pub use journal::{Journal, Step, StepState};
pub use level::Level;
pub use lines::{SIGHT_RADIUS, sees};
pub use markers::{
    LevelMarker, MarkerId, MarkerKind, Markers, ScriptValue, TerrainCause, TerrainChange,
};
pub use occupants::{LevelItem, LevelMonster, is_needed_item};
pub use shape::LevelShape;
pub use sight::SightMemory;
pub use vaults::{NO_VAULT, VaultPlacement, vault_id};
pub use ways::faulty_ways;
pub use zones::{
    cells_of_features, is_mimic, is_passable, is_travelable, passable_cells, passable_zones,
    teleport_zones, travelable_cells, zones_of,
};

/// Bits of the map mask (spec 04 §10.2).
pub mod mask {
    /// The cell belongs to a vault.
    pub const VAULT: i64 = 0x01;
    /// No random floor items.
    pub const NO_ITEM: i64 = 0x02;
    /// No random monsters.
    pub const NO_MONSTER: i64 = 0x04;
    /// Deep water is not made shallow.
    pub const NO_POOL: i64 = 0x08;
    /// Exempt from the search for teleport closets.
    pub const NO_TELE_CLOSET: i64 = 0x10;
    /// Rock walls are not converted.
    pub const NO_WALL: i64 = 0x20;
    /// Impassable for connectivity counts.
    pub const OPAQUE: i64 = 0x40;
    /// No random trap.
    pub const NO_TRAP: i64 = 0x80;
    /// A feature mimic (0.28).
    pub const MIMIC: i64 = 0x100;
    /// Never made a mimic.
    pub const NO_MIMIC: i64 = 0x200;
    /// Always passable for connectivity counts.
    pub const PASSABLE: i64 = 0x1000;
}
