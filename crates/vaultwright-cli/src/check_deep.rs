//! `vaultwright check --deep`: what only rolls on other levels and play show.

use std::sync::atomic::{AtomicUsize, Ordering};

use vaultwright::map::MapId;
use vaultwright::play::{Session, exercise};
use vaultwright::{Engine, Problem, Severity, lint};

use crate::arguments::CheckOptions;
use crate::progress::Bar;
use crate::{Failure, places};

/// How many turns are played on a map with markers.
const TURNS: u32 = 120;
/// The seeds of the games in which they are played.
const SEEDS: [u64; 2] = [1, 2];

/// Returns what is wrong with maps beyond what compiling them has told.
pub fn problems(
    engine: &mut Engine,
    maps: &[MapId],
    options: &CheckOptions,
) -> Result<Vec<Problem>, Failure> {
    places::apply(&options.setting, engine)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.jobs.unwrap_or(cores).clamp(1, 256).min(maps.len().div_ceil(8).max(1));
    let bar = Bar::new(maps.len() as u64, "rolling");
    let next = AtomicUsize::new(0);
    let shared = engine.share();
    let work = || -> Result<Vec<(MapId, Problem)>, vaultwright::EngineError> {
        let mut engine = shared.engine()?;
        let mut found = Vec::new();
        let mut playable = Vec::new();
        while let Some(&map) = maps.get(next.fetch_add(1, Ordering::Relaxed)) {
            let problems = lint::look_deeply(&mut engine, map, options.rolls);
            let fails = problems.iter().any(|problem| problem.severity == Severity::Error);
            if !fails && brings_markers(&mut engine, map) {
                playable.push(map);
            }
            found.extend(problems.into_iter().map(|problem| (map, problem)));
            engine.take_messages();
            bar.step();
        }
        let mut session = Session::new(engine, 1);
        for map in playable {
            for seed in SEEDS {
                let Ok(played) = exercise(&mut session, map, seed, TURNS) else { continue };
                for (error, turn) in &played.errors {
                    let when = format!("in turn {turn} of a play with seed {seed}");
                    let engine = session.play().engine();
                    let place = error.place.as_ref().map(|at| (&*at.file, at.start..at.end));
                    let problem = lint::play_problem(engine, map, &error.message, place, &when);
                    found.extend(problem.map(|problem| (map, problem)));
                }
            }
        }
        Ok(found)
    };
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<_>, _>>()
    });
    bar.end();
    let mut found: Vec<(MapId, Problem)> = done?.into_iter().flatten().collect();
    // The order does not depend on which thread was at what.
    found.sort_by(|(a, one), (b, other)| {
        (a, one.span.start, &one.message).cmp(&(b, other.span.start, &other.message))
    });
    let same = |one: &Problem, other: &Problem| {
        one.span == other.span && one.severity == other.severity && one.code == other.code
    };
    found.dedup_by(|(a, one), (b, other)| a == b && same(one, other));
    Ok(found.into_iter().map(|(_, problem)| problem).collect())
}

fn brings_markers(engine: &mut Engine, map: MapId) -> bool {
    let library = engine.library();
    let listed = &library[map].selection;
    let stands_alone = !listed.depths.is_empty() || !listed.place.is_empty();
    let is_lua = |kind: &vaultwright::level::MarkerKind| {
        matches!(kind, vaultwright::level::MarkerKind::Lua(_))
    };
    stands_alone
        && engine
            .place(map, 1)
            .is_ok_and(|level| level.markers.iter().any(|marker| is_lua(&marker.kind)))
}
