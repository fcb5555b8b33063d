//! The engine: the host API for scripts, the map library, compiling and resolving maps.
//!
//! An [`Engine`] owns a pack's map library and one interpreter. [`Engine::load`] compiles the pack,
//! [`Engine::resolve`] rolls a map: runs its chunks, transforms, subvaults, validation, turns and
//! the search for a position, all from one seed.

mod api;
mod build;
mod compile;
mod data_folder;
mod declare;
mod detect;
mod engine;
mod environment;
mod game;
mod ground;
mod host;
mod library;
mod load;
mod place;
mod play;
mod problem;
mod reach;
mod resolve;
mod select;
mod shared_library;
mod sources;
mod starter;
mod subvault;
mod tally;
mod tides;

pub use detect::{Detected, detect_version};
pub use engine::{
    BuiltLevel, Engine, EngineOptions, LevelResult, Odds, PlaceConditions, Placement, Resolution,
    Resolved, Roll,
};
pub use game::{Game, Selection, Survey, SurveyedLevel};
pub use library::{BrokenMap, Library, LibraryMap, Origin};
pub use play::{
    Cloud, Event, EventKind, ItemNumber, ItemProperty, Keep, Leaving, MarkerView, Moment,
    MonsterNumber, Play, PlayItem, PlayMonster, SaveError, World, global_function,
};
pub use problem::{Code, Problem, Severity};
pub use reach::reachable_maps;
pub use shared_library::SharedLibrary;
pub use sources::{
    DataRoot, EngineError, MOST_OF_A_SOURCE, ReadError, SourceFile, des_files_below, files_below,
    read_source,
};
pub use tally::{Announce, MapTally, Picks, SurveyOptions, Tally};
pub use vaultwright_files::Skipped;
pub use vaultwright_level::{Step, StepState};

pub use vaultwright_lua::{Failure, Limits, compile as compile_lua};
