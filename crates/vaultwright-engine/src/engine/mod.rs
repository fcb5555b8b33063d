//! What users hold: an engine, a game, a survey, a level in play.

pub(crate) mod compiled;
pub(crate) mod errors;
pub(crate) mod game;
pub(crate) mod levels;
pub(crate) mod load;
pub(crate) mod load_changed;
pub(crate) mod placing;
pub(crate) mod play;
pub(crate) mod recorded;
pub(crate) mod reload;
pub(crate) mod rolling;
pub(crate) mod save;
pub(crate) mod session;
pub(crate) mod shared_library;
pub(crate) mod survey;
mod threads;
