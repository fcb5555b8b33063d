//! `vaultwright levels --games`: whole games, level after level.

use std::path::Path;
use std::sync::Arc;

use vaultwright::content::Content;
use vaultwright::map::LevelPlace;
use vaultwright::{Engine, LevelResult};

use crate::arguments::{Common, LevelsOptions, MapNames};
use crate::games_compare::{COLUMNS, compare};
use crate::levels::{LevelFacts, facts};
use crate::{Failure, Outcome, batch, output, traces};

pub fn run(common: &Common, options: &LevelsOptions) -> Result<Outcome, Failure> {
    options.runs.check()?;
    let (engine, _) = batch::maps(common, &MapNames::default())?;
    let seeds: Vec<u64> = options.runs.seeds().collect();
    if options.trace {
        return run_traced(engine, &seeds, options);
    }
    // What is wrong with a table is told before games are built for it.
    let recorded = match options.runs.against.as_deref() {
        Some(path) => Some(recorded_games(path)?),
        None => None,
    };
    let games = batch::each("building", engine, &seeds, options.runs.jobs, |engine, &seed| {
        game_rows(engine, seed)
    })?;
    let table = games.concat();
    match recorded {
        Some(recorded) => compare(&table, &recorded),
        None => {
            output::write(None, format!("{}\n{table}", COLUMNS.join("\t")).as_bytes())?;
            Ok(Outcome::Clean)
        }
    }
}

/// Returns the steps of all levels of all games.
fn run_traced(engine: Engine, seeds: &[u64], options: &LevelsOptions) -> Result<Outcome, Failure> {
    let games = batch::each("building", engine, seeds, options.runs.jobs, |engine, &seed| {
        let content = Arc::clone(engine.content());
        let game = engine.game(seed).without_portals().traced();
        let name = |place: LevelPlace| place.name(content.branches());
        game.map(|(place, result)| traces::rows(&name(place), seed, &result)).collect::<Vec<_>>()
    })?;
    let builds = games.concat();
    if let Some(path) = &options.runs.against {
        return traces::compare(&builds, path);
    }
    let header = traces::COLUMNS.join("\t") + "\n";
    output::write(None, &[header.into_bytes(), builds.concat()].concat())?;
    Ok(Outcome::Clean)
}

fn recorded_games(path: &Path) -> Result<String, Failure> {
    let bytes = crate::recorded::read_table(path)?;
    // Names of vaults are bytes.
    Ok(bytes.into_iter().map(char::from).collect())
}

/// Returns the levels of a game in the order in which they are made, without the portals on the
/// way.
fn game_rows(engine: &mut Engine, seed: u64) -> String {
    let content = Arc::clone(engine.content());
    let mut game = engine.game(seed).without_portals().terse();
    let mut out = String::new();
    while let Some((place, result)) = game.next() {
        let words = game.draws().iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        out += &row(seed, &place.name(content.branches()), &result, &words, &content);
    }
    out
}

fn row(seed: u64, place: &str, result: &LevelResult, words: &str, content: &Content) -> String {
    match result {
        Ok(built) => {
            let LevelFacts { vaults, zones, features, monsters, .. } = facts(built, content);
            let features: Vec<String> =
                features.iter().map(|(name, count)| format!("{name}={count}")).collect();
            let (vaults, features) = (joined(&vaults), features.join(" "));
            format!("{seed}\t{place}\tok\t{vaults}\t{zones}\t{features}\t{monsters}\t{words}\n")
        }
        Err(error) => {
            let last = error.last_reason().unwrap_or_default().replace(['\t', '\n'], " ");
            format!("{seed}\t{place}\tnone\t{last}\n")
        }
    }
}

/// Returns names as a list in words: `a, b and c`.
fn joined(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}
