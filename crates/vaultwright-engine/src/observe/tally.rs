//! What statistics want to know of a level while it is built (spec 08 §6.1).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use vaultwright_map::{LevelPlace, PickCounts, PickTrace, Site};

use crate::script::problem::{ChunkError, Code};
use crate::state::host::Host;

/// What happened to the maps of the library while a level was built, attempts thrown away included.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By index of the map in the library.
    pub maps: BTreeMap<usize, MapTally>,
    /// Lua errors: the map's index, and the error as `file:line: message`.
    pub errors: Vec<(usize, String)>,
    /// What is wrong with the LAIR scripts that made a level.
    pub lair_faults: Vec<String>,
    /// Vetoes of maps that a script tried to place, and went on without.
    pub swallowed_vetoes: Vec<String>,
    /// Maps that used up what their Lua may use; the rest of the game does without them.
    pub struck: Vec<usize>,
    /// Which alternatives were picked.
    pub picks: Picks,
}

/// Picks by map, statement and part of the statement.
pub type Picks = BTreeMap<(usize, Site, usize), PickCounts>;

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
pub type Announce = Box<dyn FnMut(&str)>;

/// What a survey asks of the engine beside levels.
#[derive(Default)]
pub struct SurveyOptions {
    /// The index of a map that every level has to have (spec 08 §6.9).
    pub forced: Option<usize>,
    /// Indices of maps that are never placed.
    pub left_out: BTreeSet<usize>,
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

/// Runs `resolve` for a map, and enters in the books what comes of it; without it, none for a map that is
/// left out.
pub(crate) fn tallied<T, E>(
    host: &Host,
    name: &str,
    resolve: impl FnOnce() -> Result<T, E>,
    error_of: impl Fn(&E) -> Option<&ChunkError>,
) -> Option<Result<T, E>> {
    if host.tallying.borrow().is_none() {
        return Some(resolve());
    }
    let index = host.library.borrow().find(name);
    let picking = {
        let mut tallying = host.tallying.borrow_mut();
        let books = tallying.as_mut().zip(index);
        let Some((books, index)) = books else {
            drop(tallying);
            return Some(resolve());
        };
        books.tally.maps.entry(index).or_default().tries += 1;
        if books.options.left_out.contains(&index) {
            return None;
        }
        if let Some(announce) = &mut books.options.announce {
            announce(name);
        }
        books.options.picks
    };
    let outer = picking.then(|| host.trace.replace(Some(PickTrace::default())));
    let start = Instant::now();
    let result = resolve();
    let time = start.elapsed();
    let trace = outer.and_then(|outer| host.trace.replace(outer));
    if let (Some(books), Some(index)) = (host.tallying.borrow_mut().as_mut(), index) {
        books.tally.maps.entry(index).or_default().time += time;
        if let Some(trace) = trace {
            add_picks(host, &mut books.tally, trace);
        }
        if let Some(error) = result.as_ref().err().and_then(error_of) {
            books.tally.errors.push((index, described(error)));
            if matches!(error.code, Code::LuaBudget | Code::LuaMemory) {
                books.options.left_out.insert(index);
                books.tally.struck.push(index);
                host.refill();
            }
        }
    }
    Some(result)
}

fn add_picks(host: &Host, tally: &mut Tally, trace: PickTrace) {
    let library = host.library.borrow();
    for ((map, site, segment), (weights, counts)) in trace.picks {
        let Some(index) = library.find(&map) else { continue };
        let key = (index, site, segment);
        let sum = tally.picks.entry(key).or_insert_with(|| (weights, vec![0; counts.len()]));
        for (sum, count) in sum.1.iter_mut().zip(counts) {
            *sum += count;
        }
    }
}

/// Notes that a map has been placed.
pub(crate) fn note_use(host: &Host, name: &str) {
    if let Some(books) = host.tallying.borrow_mut().as_mut()
        && let Some(index) = host.library.borrow().find(name)
    {
        books.tally.maps.entry(index).or_default().uses += 1;
    }
}

/// Notes a veto that a script does not pass on.
pub(crate) fn note_swallowed_veto(host: &Host, reason: &str) {
    if let Some(books) = host.tallying.borrow_mut().as_mut() {
        books.tally.swallowed_vetoes.push(reason.to_owned());
    }
}

/// Notes a Lua error outside resolving, such as in a hook.
pub(crate) fn note_error(host: &Host, name: &str, error: &ChunkError) {
    if let Some(books) = host.tallying.borrow_mut().as_mut()
        && let Some(index) = host.library.borrow().find(name)
    {
        books.tally.errors.push((index, described(error)));
    }
}

/// An error as one line, with its place where that is known.
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
