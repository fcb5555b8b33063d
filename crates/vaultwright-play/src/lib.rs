//! Playing levels: a [`Sandbox`] world, a [`Session`] of a player's actions in it, scenarios that
//! test how vaults behave in play, and saved games.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod door_words;
mod doors;
mod exercise;
mod exploring;
mod magic;
mod picture;
mod sandbox;
mod saving;
mod scenario;
mod scenario_api;
mod scenario_values;
mod session;
mod sight;
mod stairs;
mod voices;
mod walk;

pub use exercise::{ErrorPlace, Exercise, PlayError, exercise, play_at_random};
pub use picture::glyph;
pub use sandbox::{Item, Monster, Said, Sandbox};
pub use scenario::{Outcome, ScenarioFailure, ScenarioFile};
pub use session::{Done, Session, SessionOptions, TURN};
pub use sight::Sight;
pub use vaultwright_level::SIGHT_RADIUS;
pub use walk::{Action, Answer, Start, Walk};
