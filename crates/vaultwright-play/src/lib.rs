//! Playing levels: a [`Sandbox`] world, a [`Session`] of somebody's actions in it, scenarios that test what
//! vaults do in play, saved games.

mod doors;
mod sandbox;
mod session;
mod sight;
mod stairs;

pub use sandbox::{Item, Monster, Said, Sandbox};
pub use session::{Done, Session, SessionOptions, TURN};
pub use sight::{SIGHT_RADIUS, Sight};
