//! `vaultwright levels`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use vaultwright::content::Content;
use vaultwright::level::{faulty_ways, passable_zones};
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::{BuildConditions, BuiltLevel, Engine, LevelError, LevelResult, LevelsBefore};

use crate::arguments::{Common, LevelsFormat, LevelsOptions};
#[cfg(feature = "campaigns")]
use crate::distributions;
use crate::levels_before::left_before;
use crate::recorded::Recorded;
use crate::session::map_named;
use crate::{Failure, Outcome, batch, output, places, recorded, traces};

/// The columns of a table of levels.
const COLUMNS: &[&str] =
    &["place", "seed", "status", "vaults", "zones", "features", "monsters", "draws"];
pub fn run(common: &Common, options: &LevelsOptions) -> Result<Outcome, Failure> {
    let is_json = options.format == Some(LevelsFormat::Json);
    recorded::refuse_format(&options.runs.against, is_json)?;
    let mut engine = batch::pack(common)?;
    places::apply_player(&options.player, &mut engine)?;
    let wanted = match options.all {
        true => places::all(&engine),
        false => places::parse(&options.places, &engine)?,
    };
    let forced = forced(options.force.as_deref(), &engine)?;
    let trace = options.trace;
    let json = is_json;
    let content = Arc::clone(engine.content());
    #[cfg(feature = "campaigns")]
    let library = engine.library();
    // The table tells nothing of scripts.
    let without_scripts = !(options.check || json);
    let conditions =
        BuildConditions { forced, steps: trace, without_scripts, ..Default::default() };
    let plain = !(trace || options.check || options.distributions);
    if let Some(path) = options.runs.against.as_ref().filter(|_| plain) {
        return compare(engine, &wanted, options, &conditions, path);
    }
    let built = batch::run("building", engine, &wanted, &options.runs, |engine, &place, seed| {
        let result = engine.build_under(place, seed, &conditions);
        let name = place.name(engine.content().branches());
        let failure = result.as_ref().err().map(|error| not_built(&name, seed, error));
        let row = match (options.check, trace) {
            (true, _) => fault_rows(&name, seed, place, &result, engine),
            (_, true) => traces::rows(&name, seed, &result),
            _ if json => json_row(&name, seed, &result, engine.content()),
            _ => tsv_row(&name, seed, &result, engine.content()),
        };
        (row, failure)
    })?;
    let (rows, failures): (Vec<Vec<u8>>, Vec<Option<String>>) = built.into_iter().unzip();
    #[cfg(feature = "campaigns")]
    if let Some(path) = options.runs.against.as_ref().filter(|_| options.distributions) {
        return distributions::compare(&rows, path, &content, &library);
    }
    #[cfg(not(feature = "campaigns"))]
    if options.distributions {
        return Err(crate::left_out("campaigns"));
    }
    if let Some(path) = options.runs.against.as_ref().filter(|_| trace) {
        return traces::compare(&rows, path);
    }
    if options.check {
        return report_faults(&content, &wanted, &rows);
    }
    let mut out = match (trace, json) {
        (true, _) => traces::COLUMNS.join("\t") + "\n",
        (_, true) => String::new(),
        _ => COLUMNS.join("\t") + "\n",
    }
    .into_bytes();
    out.extend(rows.concat());
    output::write(None, &out)?;
    let mut outcome = Outcome::Clean;
    for failure in failures.into_iter().flatten() {
        eprintln!("{failure}");
        outcome = Outcome::Findings;
    }
    Ok(outcome)
}

/// Builds levels and compares them with a recorded table. One that is another level alone, but the
/// recorded one behind those recorded before it, is equal.
fn compare(
    engine: Engine,
    wanted: &[LevelPlace],
    options: &LevelsOptions,
    conditions: &BuildConditions,
    path: &Path,
) -> Result<Outcome, Failure> {
    let table = recorded::read_table(path)?;
    let recorded = Recorded::of(COLUMNS, &table, path)?;
    let left_before = left_before(&table, &engine);
    let built = batch::run("building", engine, wanted, &options.runs, |engine, &place, seed| {
        let name = place.name(engine.content().branches());
        let mut row = |conditions: &BuildConditions| {
            let result = engine.build_under(place, seed, conditions);
            tsv_row(&name, seed, &result, engine.content())
        };
        let alone = row(conditions);
        let key = (name.clone().into_bytes(), seed.to_string().into_bytes());
        let before = left_before.get(&key).filter(|before| **before != LevelsBefore::default());
        let Some(before) = before.filter(|_| recorded.differs(&alone)) else {
            return (alone, false);
        };
        // The first of a process, as which any row may have been built, has drawn no items yet.
        let first = LevelsBefore { gameplay: None, ..before.clone() };
        let mut behind = [before.clone(), first].into_iter().map(|before| {
            let row = row(&BuildConditions { before, ..conditions.clone() });
            (!recorded.differs(&row)).then_some(row)
        });
        match behind.find_map(|row| row) {
            Some(row) => (row, true),
            None => (alone, false),
        }
    })?;
    let (rows, behind): (Vec<Vec<u8>>, Vec<bool>) = built.into_iter().unzip();
    let behind = behind.into_iter().filter(|&behind| behind).count();
    if behind > 0 {
        output::line(format_args!(
            "{behind} rows are equal behind the rows before them in the table"
        ))?;
    }
    recorded.compare(&rows)
}

/// Returns the index of the map that `--force` names.
pub fn forced(name: Option<&str>, engine: &Engine) -> Result<Option<MapId>, Failure> {
    name.map(|name| map_named(&engine.library(), name)).transpose()
}

/// Returns why a level could not be made.
pub fn not_built(place: &str, seed: u64, error: &LevelError) -> String {
    format!("{place}, seed {seed}: {error}")
}

/// Returns the faults of all levels, then their number for each place.
fn report_faults(
    content: &Content,
    wanted: &[LevelPlace],
    rows: &[Vec<u8>],
) -> Result<Outcome, Failure> {
    output::write(None, &rows.concat())?;
    let faulty = rows.iter().filter(|row| !row.is_empty()).count();
    for (place, rows) in wanted.iter().zip(rows.chunks(rows.len() / wanted.len().max(1))) {
        let here = rows.iter().filter(|row| !row.is_empty()).count();
        if here > 0 {
            let place = place.name(content.branches());
            output::line(format_args!("{place}: {here} of {} levels", rows.len()))?;
        }
    }
    output::line(format_args!("{} levels, {faulty} with faults", rows.len()))?;
    Ok(if faulty > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// Returns a line for each fault of a level.
fn fault_rows(
    name: &str,
    seed: u64,
    place: LevelPlace,
    result: &LevelResult,
    engine: &Engine,
) -> Vec<u8> {
    let content = engine.content();
    let faults = match result {
        Ok(built) => {
            let levels = content.branches().get(place.branch).map_or(1, |branch| branch.levels);
            faulty_ways(&built.level, content, place, levels)
        }
        Err(error) => vec![format!("not built: {}", error.last_reason().unwrap_or_default())],
    };
    let lines = faults.iter().map(|fault| format!("{name} seed {seed}: {fault}\n"));
    lines.collect::<String>().into_bytes()
}

/// What a row tells of a level.
pub struct LevelFacts {
    /// What each vault is called, in the order they were placed.
    pub vaults: Vec<String>,
    pub zones: usize,
    /// How many cells have each feature.
    pub features: BTreeMap<String, usize>,
    pub monsters: usize,
    /// How often each stream was asked.
    pub draws: Vec<(usize, u64)>,
}

pub fn facts(built: &BuiltLevel, content: &Content) -> LevelFacts {
    let level = &built.level;
    let mut counts = vec![0; content.features().len()];
    // Mostly the same lie side by side.
    for same in level.features().chunk_by(|a, b| a == b) {
        counts[usize::from(same[0].0)] += same.len();
    }
    let mut features = BTreeMap::new();
    for ((_, feature), count) in content.features().iter().zip(counts).filter(|&(_, n)| n > 0) {
        *features.entry(feature.name.clone()).or_default() += count;
    }
    LevelFacts {
        vaults: level.vaults.iter().map(|vault| vault.described()).collect(),
        zones: passable_zones(level, content).count(),
        features,
        monsters: level.monsters.len(),
        draws: built.draws.clone(),
    }
}

fn tsv_row(name: &str, seed: u64, result: &LevelResult, content: &Content) -> Vec<u8> {
    let text = match result {
        Ok(built) => {
            let facts = facts(built, content);
            let features = facts.features.iter().map(|(name, count)| format!("{name}={count}"));
            let draws = facts.draws.iter().map(|(stream, count)| format!("{stream}:{count}"));
            format!(
                "{name}\t{seed}\tok\t{}\t{}\t{}\t{}\t{}\n",
                facts.vaults.join(", "),
                facts.zones,
                features.collect::<Vec<_>>().join(" "),
                facts.monsters,
                draws.collect::<Vec<_>>().join(",")
            )
        }
        Err(error) => {
            let last = error.last_reason().unwrap_or_default().replace(['\t', '\n'], " ");
            format!("{name}\t{seed}\tnone\t{last}\n")
        }
    };
    text.into_bytes()
}

/// Returns an object on a line of its own; a level that was not built has the reason of its last
/// attempt.
fn json_row(name: &str, seed: u64, result: &LevelResult, content: &Content) -> Vec<u8> {
    let value = match result {
        Ok(built) => {
            let facts = facts(built, content);
            let draws = facts.draws.iter().map(|(stream, count)| (stream.to_string(), *count));
            json!({
                "place": name, "seed": seed, "status": "ok", "vaults": facts.vaults,
                "zones": facts.zones, "features": facts.features, "monsters": facts.monsters,
                "draws": draws.collect::<BTreeMap<_, _>>(),
            })
        }
        Err(error) => {
            let last = error.last_reason();
            json!({ "place": name, "seed": seed, "status": "none", "message": last })
        }
    };
    format!("{value}\n").into_bytes()
}
