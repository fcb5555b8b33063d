//! The expensive functions of the Lua library, written in Rust on plain grids.
//!
//! Nothing here depends on Lua, maps or levels: functions take the size of an area, and closures
//! that read and write a cell. The engine decides when to use one instead of its Lua counterpart.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod building;
mod elf_rooms;
mod placing;
mod plans;
mod procedural;
mod rooms;
mod usage;
mod zonify;

pub use building::{Built, Exit, WallSpot, build_wall};
pub use elf_rooms::{ElfShape, part_of_elf_room, turned_elf_cell};
pub use placing::{CellRule, PlacedSpot, PlanSpot, placed_cells};
pub use plans::{PlanCell, PlanChange, PlanEntry, PlanList, analyse_plan};
pub use procedural::{Fold, Noise, Plane, Position, Sides, Step, Stretch};
pub use rooms::{
    Mask, RoomCell, RoomPart, RoomShape, Spot, SpotUse, Stand, parts_of_room, room_fits,
};
pub use usage::{Usage, usage_of_plan};
pub use zonify::{Area, fill_smallest_zones};
