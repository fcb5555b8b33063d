//! The engine: from the text of vaults to rolled maps, levels, games, and levels in play.
//!
//! An [`Engine`] owns a pack's map library and one interpreter. [`Engine::open`] compiles a pack,
//! [`Engine::resolve`] rolls a map (its chunks, transforms, subvaults, validation, turns and the
//! search for a position, all from one seed), [`Engine::place`] puts it on an empty level,
//! [`Engine::level`] builds a level, [`Engine::game`] all levels of a game. [`Play`] runs a level
//! for a game that implements [`World`].
//!
//! ```
//! use vaultwright_engine::{DataRoot, Engine};
//!
//! let mut engine = Engine::open(DataRoot::Embedded)?;
//! let pond = engine.library().find("moonlit_pond").expect("a map of the embedded pack");
//! if let Ok(rolled) = engine.resolve(pond, 1) {
//!     assert!(rolled.map.grid.width() > 0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each module is a stage, and imports only those above it in this list (`tests/structure.rs`):
//!
//! | module | contains |
//! | --- | --- |
//! | `pack` | what never changes once loaded: data roots, sources, the map library, problems |
//! | `observe` | what happens in rolls and builds, as events, and the observers of these events |
//! | `state` | what the stages act on, by lifetime: game, attempt, roll, level in play |
//! | `script` | running Lua for maps: environments, arguments, errors with their place |
//! | `select` | which maps a level gets |
//! | `resolve` | from a listed map to a rolled one |
//! | `compile` | from source text to the library |
//! | `play` | a level in play: markers, events, terrain that changes |
//! | `place` | one map onto a level |
//! | `builder` | whole levels, step by step |
//! | `game` | what is drawn when a game begins, and the order of its levels |
//! | `journey` | leaving and entering levels, and time that passes |
//! | `api` | the functions of scripts, one file for each Lua table |
//! | `engine` | what users hold: [`Engine`], [`Game`], [`Survey`], [`Play`], saved games |

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod api;
mod builder;
mod compile;
mod engine;
mod game;
mod journey;
mod observe;
mod pack;
mod place;
mod play;
mod resolve;
mod script;
mod select;
mod state;

// Engines, and how they are opened.
pub use engine::compiled::Compiled;
pub use engine::load_changed::LoadedChanged;
pub use engine::session::{Engine, EngineOptions, LuaValue};
pub use engine::shared_library::SharedLibrary;
pub use vaultwright_lua::{Budget, Failure, Limits, compile as compile_lua};

// Packs: where data comes from, the maps in them, and the problems of those maps.
pub use pack::derived::Derived;
pub use pack::detect::{Detected, detect_version};
pub use pack::library::{BrokenMap, Library, LibraryMap, Origin, Unnamed};
pub use pack::parse_ahead::parse_ahead;
pub use pack::problem::{Code, Edit, Fix, Problem, Severity};
pub use pack::reach::{ReachedMaps, reachable_maps};
pub use pack::source_file::SourceFile;
pub use pack::sources::{
    DataRoot, EngineError, MAX_SOURCE_BYTES, ReadError, des_files_below, files_below, read_source,
};
pub use vaultwright_files::Skipped;

// Rolling and placing maps.
pub use api::dgn_layout_painters::LAYOUT_PAINTERS;
pub use engine::errors::{PlaceError, RollError};
pub use engine::placing::{Ground, PlaceConditions, Placement};
pub use engine::rolling::{Resolution, Resolved, Roll};
pub use state::cell_lines::CellLines;
pub use state::glyph_notes::{GlyphNotes, Statement};
pub use state::player::Player;
pub use vaultwright_map::{MapId, UnknownPlace};

// Levels and games, and how they were built.
pub use builder::steps::{BuildStep, build_steps};
pub use engine::game::Game;
pub use engine::levels::{
    BuildConditions, BuiltLevel, LevelConditions, LevelResult, LevelsBefore, Odds,
};
pub use observe::veto::{LevelError, Veto};
pub use vaultwright_level::{Step, StepState};

// Surveys: the input of statistics.
pub use engine::survey::{Selection, Survey, SurveyedLevel};
pub use observe::tally::{Announce, MapTally, Picks, SurveyOptions, Tally};

// Levels in play, and the surrounding game.
pub use engine::play::{MarkerView, Play};
pub use engine::save::SaveError;
pub use journey::travel::Leaving;
pub use observe::timeline::Moment;
pub use play::displacing::Keep;
pub use state::clouds::Cloud;
pub use state::world::{
    ItemNumber, ItemProperty, MonsterNames, MonsterNumber, PlayItem, PlayMonster, World,
};
pub use vaultwright_level::{Event, EventKind};
