//! The engine: the host API for scripts, the map library, compiling and resolving maps.
//!
//! An [`Engine`] owns a pack's map library and one interpreter. [`Engine::load`] compiles the pack,
//! [`Engine::resolve`] rolls a map: runs its chunks, transforms, subvaults, validation, turns and
//! the search for a position, all from one seed.

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

pub use api::dgn_layout_painters::LAYOUT_PAINTERS;
pub use builder::steps::{BuildStep, build_steps};
pub use engine::compiled::Compiled;
pub use engine::errors::{PlaceError, RollError};
pub use engine::game::Game;
pub use engine::levels::{BuildConditions, BuiltLevel, LevelResult, Odds};
pub use engine::load_changed::LoadedChanged;
pub use engine::placing::{Ground, PlaceConditions, Placement};
pub use engine::play::{MarkerView, Play};
pub use engine::rolling::{Resolution, Resolved, Roll};
pub use engine::save::SaveError;
pub use engine::session::{Engine, EngineOptions, LuaValue};
pub use engine::shared_library::SharedLibrary;
pub use engine::survey::{Selection, Survey, SurveyedLevel};
pub use journey::travel::Leaving;
pub use observe::tally::{Announce, MapTally, Picks, SurveyOptions, Tally};
pub use observe::timeline::Moment;
pub use observe::veto::{LevelError, Veto};
pub use pack::derived::Derived;
pub use pack::detect::{Detected, detect_version};
pub use pack::library::{BrokenMap, Library, LibraryMap, Origin};
pub use pack::parse_ahead::parse_ahead;
pub use pack::problem::{Code, Edit, Fix, Problem, Severity};
pub use pack::reach::{ReachedMaps, reachable_maps};
pub use pack::sources::{
    DataRoot, EngineError, MAX_SOURCE_BYTES, ReadError, SourceFile, des_files_below, files_below,
    read_source,
};
pub use play::terrain::Keep;
pub use state::cell_lines::CellLines;
pub use state::clouds::Cloud;
pub use state::glyph_notes::{GlyphNotes, Statement};
pub use state::player::Player;
pub use state::world::{ItemNumber, ItemProperty, MonsterNumber, PlayItem, PlayMonster, World};
pub use vaultwright_files::Skipped;
pub use vaultwright_level::{Event, EventKind, Step, StepState};
pub use vaultwright_map::MapId;

pub use vaultwright_lua::{Failure, Limits, compile as compile_lua};
pub use vaultwright_map::UnknownPlace;
