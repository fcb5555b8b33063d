//! `vaultwright levels`.

use std::collections::BTreeMap;
use std::sync::Arc;

use vaultwright::content::Content;
use vaultwright::level::{Level, Zones, faulty_ways, is_passable};
use vaultwright::map::LevelPlace;
use vaultwright::{Engine, LevelResult};

use crate::arguments::{Common, LevelsOptions, MapNames};
use crate::{Failure, Outcome, batch, distributions, output, places, recorded, traces};

/// The columns of a table of levels.
const COLUMNS: &[&str] =
    &["place", "seed", "status", "vaults", "zones", "features", "monsters", "draws"];
pub fn run(common: &Common, options: &LevelsOptions) -> Result<Outcome, Failure> {
    let (engine, _) = batch::maps(common, &MapNames::default())?;
    let wanted = match options.all {
        true => places::all(&engine),
        false => places::parse(&options.places, &engine)?,
    };
    let trace = options.trace;
    let (content, library) = (Arc::clone(engine.content()), engine.library());
    let rows = batch::run("building", engine, &wanted, &options.runs, |engine, &place, seed| {
        let result = engine.build(place, seed, trace);
        let name = place.name(engine.content().branches());
        match (options.check, trace) {
            (true, _) => fault_rows(&name, seed, place, &result, engine),
            (_, true) => traces::rows(&name, seed, &result),
            _ => level_row(&name, seed, &result, engine),
        }
    })?;
    if let Some(path) = options.runs.against.as_ref().filter(|_| options.distributions) {
        return distributions::compare(&rows, path, &content, &library);
    }
    if let Some(path) = options.runs.against.as_ref().filter(|_| trace) {
        return traces::compare(&rows, path);
    }
    if let Some(path) = &options.runs.against {
        return recorded::compare(COLUMNS, &rows, path);
    }
    if options.check {
        return report_faults(&content, &wanted, &rows);
    }
    let header = match trace {
        true => traces::COLUMNS.join("\t"),
        false => COLUMNS.join("\t"),
    };
    let mut out = header.into_bytes();
    out.push(b'\n');
    out.extend(rows.concat());
    output::write(None, &out)?;
    Ok(Outcome::Clean)
}

/// The faults of all levels, then their number for each place.
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
            println!("{}: {here} of {} levels", place.name(content.branches()), rows.len());
        }
    }
    println!("{} levels, {faulty} with faults", rows.len());
    Ok(if faulty > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// A line for each fault of a level.
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
        Err(vetoes) => vec![format!("not built: {}", vetoes.last().map_or("", String::as_str))],
    };
    let lines = faults.iter().map(|fault| format!("{name} seed {seed}: {fault}\n"));
    lines.collect::<String>().into_bytes()
}

fn level_row(name: &str, seed: u64, result: &LevelResult, engine: &Engine) -> Vec<u8> {
    let text = match result {
        Ok(built) => {
            let content = engine.content();
            let level = &built.level;
            let vaults: Vec<String> = level.vaults.iter().map(|vault| vault.described()).collect();
            let zones = Zones::of(level, |p| is_passable(level, content, p)).count();
            let draws: Vec<String> =
                built.draws.iter().map(|(stream, count)| format!("{stream}:{count}")).collect();
            format!(
                "{name}\t{seed}\tok\t{}\t{zones}\t{}\t{}\t{}\n",
                vaults.join(", "),
                feature_counts(level, content),
                level.monsters.len(),
                draws.join(",")
            )
        }
        Err(vetoes) => {
            let last = vetoes.last().map_or("", String::as_str).replace(['\t', '\n'], " ");
            format!("{name}\t{seed}\tnone\t{last}\n")
        }
    };
    text.into_bytes()
}

/// `name=count` for every feature, sorted by name, blanks between.
fn feature_counts(level: &Level, content: &Content) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for &id in level.features() {
        *counts.entry(&content.features().get(id).name).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name}={count}")).collect();
    counts.join(" ")
}
