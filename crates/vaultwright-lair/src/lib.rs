//! The LAIR generator (spec 09). For every cell of a tower, it calls functions of a script that
//! decide whether there is a particle or a mobile, and what it is. A tower consists of floors, each
//! a rectangle of rooms.
//!
//! [`generate`] makes a [`Tower`] from a [`Project`] (the scripts in a folder) and a seed. The
//! tower can be output as a picture or as JSON.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod asking;
mod carve;
mod connect;
#[cfg(feature = "drawing")]
mod drawing;
mod error;
mod findings;
mod generate;
mod json;
mod level;
mod library;
mod maze;
mod names;
mod passes;
mod project;
mod reading;
mod resources;
mod room;
mod script;
mod tower;
mod turns;
mod vision;

#[cfg(feature = "drawing")]
pub use drawing::{floor_for_tiled, floor_picture, floor_to_lua};
pub use error::LairError;
pub use generate::{Asked, Options, check, generate, generate_floor, generate_floor_watched};
pub use json::TowerJson;
pub use level::{Laid, lay_floor};
pub use project::Project;
pub use resources::{Resource, Resources};
pub use tower::{Body, Entity, Files, Floor, Mobile, Player, Report, Size, Tags, Tower};
pub use turns::play;
