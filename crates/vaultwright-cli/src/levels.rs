//! `vaultwright levels`.

use std::collections::BTreeMap;

use vaultwright::content::Content;
use vaultwright::level::{Level, Zones, is_passable};
use vaultwright::{Engine, LevelResult};

use crate::arguments::{Common, LevelsOptions, MapNames};
use crate::{Failure, Outcome, batch, output, places, recorded};

/// The columns of a table of levels.
const COLUMNS: &[&str] =
    &["place", "seed", "status", "vaults", "zones", "features", "monsters", "draws"];

pub fn run(common: &Common, options: &LevelsOptions) -> Result<Outcome, Failure> {
    let (engine, _) = batch::maps(common, &MapNames::default())?;
    let wanted = places::parse(&options.places, &engine)?;
    let trace = options.trace;
    let rows = batch::run("building", engine, &wanted, &options.runs, |engine, &place, seed| {
        let result = engine.build(place, seed, trace);
        let name = place.name(engine.content().branches());
        match trace {
            true => trace_rows(&name, seed, &result),
            false => level_row(&name, seed, &result, engine),
        }
    })?;
    if let Some(path) = &options.runs.against {
        return recorded::compare(COLUMNS, &rows, path);
    }
    let header = match trace {
        true => "place\tseed\trow\tattempt\tstep\tdraws\thash\tdetail".to_owned(),
        false => COLUMNS.join("\t"),
    };
    let mut out = header.into_bytes();
    out.push(b'\n');
    out.extend(rows.concat());
    output::write(None, &out)?;
    Ok(Outcome::Clean)
}

fn trace_rows(name: &str, seed: u64, result: &LevelResult) -> Vec<u8> {
    let Ok(built) = result else {
        return format!("{name}\t{seed}\t0\t50\tfailed\t-\t-\t\n").into_bytes();
    };
    let mut out = String::new();
    for (index, step) in built.steps.iter().enumerate() {
        out.push_str(&format!(
            "{name}\t{seed}\t{}\t{}\t{}\t{}\t{:016x}\t{}\n",
            index + 1,
            step.attempt,
            step.name,
            step.draws,
            step.hash,
            step.detail
        ));
    }
    out.into_bytes()
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
