//! What statistics need to know about the build of a level (spec 08 §6.1).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use vaultwright_map::{LevelPlace, MapId, PickCounts, PickTrace, StatementKey};

use super::event::{BuildEvent, Observer};
use super::veto::Veto;
use crate::pack::library::Library;
use crate::pack::problem::ChunkError;

/// Counts of what happened to the library's maps while a level was built, including discarded
/// attempts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The counts by map.
    pub maps: BTreeMap<MapId, MapTally>,
    /// Lua errors: the map, and the error as `file:line: message`.
    pub errors: Vec<(MapId, String)>,
    /// Problems of the LAIR scripts that made a level.
    pub lair_faults: Vec<String>,
    /// Vetoes of maps that a script tried to place, and continued without.
    pub swallowed_vetoes: Vec<Veto>,
    /// Maps that exceeded the limits of their Lua. They are not used for the rest of the game.
    pub struck: Vec<MapId>,
    /// Which alternatives were picked.
    pub picks: Picks,
}

/// Picks by map, statement and part of the statement.
pub type Picks = BTreeMap<(MapId, StatementKey, usize), PickCounts>;

/// Counts of what happened to one map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapTally {
    /// How often the map was to be resolved for a place on the level.
    pub tries: u32,
    /// How often the map was placed.
    pub uses: u32,
    /// The wall-clock time spent on resolving it.
    pub time: Duration,
}

/// A callback that receives the name of each map before it is resolved.
pub type Announce = Box<dyn FnMut(&str) + Send>;

/// Options of a survey.
#[derive(Default)]
pub struct SurveyOptions {
    /// A map that every level must have (spec 08 §6.9).
    pub forced: Option<MapId>,
    /// Maps that no level has: they are never chosen.
    pub without: BTreeSet<MapId>,
    /// Maps that may be chosen but are never placed, because running them ends badly.
    pub left_out: BTreeSet<MapId>,
    /// Levels that are not built.
    pub left_out_places: BTreeSet<LevelPlace>,
    /// Whether levels with closets that can be teleported into are discarded. Otherwise teleporting
    /// into them is prevented.
    pub veto_closets: bool,
    /// Whether to count picks.
    pub picks: bool,
    /// Called with the name of each map before it is resolved.
    pub announce: Option<Announce>,
}

/// The counts while a survey runs.
#[derive(Default)]
pub(crate) struct Tallying {
    pub(crate) tally: Tally,
    /// Picks by map name, if they are counted.
    pub(crate) picks: Option<PickTrace>,
}

impl Tallying {
    /// Returns what has been counted since the last call, without picks of maps that the library
    /// does not have.
    pub(crate) fn take(&mut self, library: &Library) -> Tally {
        let mut tally = std::mem::take(&mut self.tally);
        let picks = self.picks.as_mut().map(|trace| std::mem::take(&mut trace.picks));
        for ((map, site, segment), counted) in picks.into_iter().flatten() {
            if let Some(map) = library.find(&map) {
                tally.picks.insert((map, site, segment), counted);
            }
        }
        tally
    }
}

impl Observer for Tallying {
    fn notice(&mut self, event: &BuildEvent) {
        let tally = &mut self.tally;
        match *event {
            BuildEvent::Tried(map) => tally.maps.entry(map).or_default().tries += 1,
            BuildEvent::Resolved(map, time, error) => {
                tally.maps.entry(map).or_default().time += time;
                tally.errors.extend(error.map(|error| (map, described(error))));
            }
            BuildEvent::Struck(map) => tally.struck.push(map),
            BuildEvent::Placed(map) => tally.maps.entry(map).or_default().uses += 1,
            BuildEvent::HookFailed(map, error) => tally.errors.push((map, described(error))),
            BuildEvent::SwallowedVeto(veto) => tally.swallowed_vetoes.push(veto.clone()),
            BuildEvent::LairFault(fault) => tally.lair_faults.push(fault.to_owned()),
            _ => {}
        }
        if let Some(picks) = &mut self.picks {
            picks.notice(event);
        }
    }
}

/// Returns an error on one line, with its location if known.
fn described(error: &ChunkError) -> String {
    let message = error.message.lines().next().unwrap_or("");
    match &error.place {
        Some((file, span)) => {
            let line = file.lines.position(span.start).line;
            format!("{}:{line}: {message}", file.source.base_name())
        }
        None => message.to_owned(),
    }
}
