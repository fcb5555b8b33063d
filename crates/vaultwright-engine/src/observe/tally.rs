//! What statistics want to know of a level while it is built (spec 08 §6.1).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use vaultwright_map::{LevelPlace, MapId, PickCounts, Site};

use super::veto::Veto;

/// What happened to the maps of the library while a level was built, attempts thrown away included.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By map.
    pub maps: BTreeMap<MapId, MapTally>,
    /// Lua errors: the map, and the error as `file:line: message`.
    pub errors: Vec<(MapId, String)>,
    /// What is wrong with the LAIR scripts that made a level.
    pub lair_faults: Vec<String>,
    /// Vetoes of maps that a script tried to place, and went on without.
    pub swallowed_vetoes: Vec<Veto>,
    /// Maps that used up what their Lua may use; the rest of the game does without them.
    pub struck: Vec<MapId>,
    /// Which alternatives were picked.
    pub picks: Picks,
}

/// Picks by map, statement and part of the statement.
pub type Picks = BTreeMap<(MapId, Site, usize), PickCounts>;

/// What happened to one map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapTally {
    /// How often it was to be resolved for a place on the level.
    pub tries: u32,
    /// How often it was placed.
    pub uses: u32,
    /// Real time that resolving it took.
    pub time: Duration,
}

/// What is told when a map is about to be resolved.
pub type Announce = Box<dyn FnMut(&str) + Send>;

/// What a survey asks of the engine beside levels.
#[derive(Default)]
pub struct SurveyOptions {
    /// A map that every level has to have (spec 08 §6.9).
    pub forced: Option<MapId>,
    /// Maps that are never placed.
    pub left_out: BTreeSet<MapId>,
    /// Levels that are not built.
    pub left_out_places: BTreeSet<LevelPlace>,
    /// Levels with closets one can be teleported into are thrown away; else teleports are kept out.
    pub veto_closets: bool,
    /// Whether picks are counted.
    pub picks: bool,
    /// Called with the name of each map before it is resolved.
    pub announce: Option<Announce>,
}

/// The books while a survey is under way.
#[derive(Default)]
pub(crate) struct Tallying {
    pub(crate) options: SurveyOptions,
    pub(crate) tally: Tally,
}
