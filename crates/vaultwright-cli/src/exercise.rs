//! `vaultwright exercise`: random play on vaults, to see what they do.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use vaultwright::map::MapId;
use vaultwright::play::{Exercise, PlayError, Session, exercise};
use vaultwright::{BrokenMap, EventKind};

use crate::arguments::{Common, ExerciseFormat, ExerciseOptions};
use crate::batch::{self, Wanted};
use crate::output::counted;
use crate::session::in_a_line;
use crate::{Failure, Outcome, output, places};

pub fn run(common: &Common, options: &ExerciseOptions) -> Result<Outcome, Failure> {
    let (mut engine, wanted) = batch::maps(common, &options.maps)?;
    places::apply(&options.setting, &mut engine)?;
    let library = engine.library();
    let (mut maps, mut broken) = (Vec::new(), Vec::new());
    for map in wanted {
        match map {
            Wanted::Map(index) => maps.push(index),
            Wanted::Broken(map) => broken.push(map),
        }
    }
    if options.markers_only {
        maps.retain(|&map| options.seed.clone().any(|seed| brings_markers(&mut engine, map, seed)));
    }
    let mut session = Session::new(engine, 1);
    let mut runs = Vec::new();
    for &map in &maps {
        for seed in options.seed.clone() {
            let result = exercise(&mut session, map, seed, options.turns);
            runs.push(Run { name: &library[map].selection.name, seed, result });
        }
    }
    let failed = runs.iter().any(|run| run.result.as_ref().is_ok_and(|of| !of.errors.is_empty()));
    let all = All { options, maps: maps.len(), runs, broken };
    match options.format {
        ExerciseFormat::Text => output::write_text(None, &all.text(), output::Colours::None)?,
        ExerciseFormat::Tsv => output::write(None, all.tsv().as_bytes())?,
        ExerciseFormat::Json => output::write(None, format!("{:#}\n", all.json()).as_bytes())?,
    }
    let is_none_placed = !all.runs.is_empty() && all.runs.iter().all(|run| run.result.is_err());
    let is_clean = !failed && !is_none_placed && all.broken.is_empty();
    Ok(if is_clean { Outcome::Clean } else { Outcome::Findings })
}

/// A map that was played on, or why it could not be placed.
struct Run<'a> {
    name: &'a str,
    seed: u64,
    result: Result<Exercise, String>,
}

/// All runs, and the maps that do not compile.
struct All<'a> {
    options: &'a ExerciseOptions,
    maps: usize,
    runs: Vec<Run<'a>>,
    broken: Vec<BrokenMap>,
}

impl All<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        let mut total = Exercise::default();
        let (mut runs, mut failed, mut unplaced) = (0, 0, 0);
        // Writing to a string cannot fail.
        for Run { name, seed, result } in &self.runs {
            let result = match result {
                Ok(result) => result,
                Err(message) => {
                    unplaced += 1;
                    let _ = writeln!(text, "{name}\t{seed}\tnot placed: {message}");
                    continue;
                }
            };
            runs += 1;
            failed += usize::from(!result.errors.is_empty());
            for (error, turn) in &result.errors {
                let _ = writeln!(text, "{name}\t{seed}\tturn {turn}: {error}");
            }
            if !self.options.maps.all {
                let _ = writeln!(text, "{name} with seed {seed}: {} Lua markers", result.markers);
                told_of(&mut text, &result.told);
                for (words, times) in &result.said {
                    let _ = writeln!(text, "  said {times} times: {words}");
                }
            }
            total.markers += result.markers;
            for (key, count) in &result.told {
                *total.told.entry(key.clone()).or_default() += count;
            }
        }
        for map in &self.broken {
            let _ = writeln!(text, "{}\tdoes not compile: {}", map.name, in_a_line(&map.problem));
        }
        if self.options.maps.all {
            told_of(&mut text, &total.told);
        }
        let broken = match self.broken.len() {
            0 => String::new(),
            count => format!(", {count} do not compile"),
        };
        let maps = counted(self.maps as u64, "map");
        let runs = counted(runs, "run");
        let turns = counted(self.options.turns.into(), "turn");
        let markers = counted(total.markers as u64, "Lua marker");
        let failed = counted(failed as u64, "run");
        let _ = writeln!(
            text,
            "{maps}, {runs} of {turns}, {markers}; {failed} with errors, {unplaced} not \
             placed{broken}",
        );
        text
    }

    fn tsv(&self) -> String {
        let mut text = "map\tseed\tmarkers\terrors\tdraws\tdigest\n".to_owned();
        for Run { name, seed, result } in &self.runs {
            let _ = match result {
                Ok(Exercise { markers, errors, draws, digest, .. }) => writeln!(
                    text,
                    "{name}\t{seed}\t{markers}\t{}\t{draws}\t{digest:08x}",
                    errors.len(),
                ),
                Err(_) => writeln!(text, "{name}\t{seed}\t0\t0\t0\tnot placed"),
            };
        }
        for map in &self.broken {
            for seed in self.options.seed.clone() {
                let _ = writeln!(text, "{}\t{seed}\t0\t0\t0\terror", map.name);
            }
        }
        text
    }

    fn json(&self) -> Value {
        let runs = self.runs.iter().map(|Run { name, seed, result }| match result {
            Ok(of) => {
                let errors = of.errors.iter();
                let errors: Vec<Value> = errors
                    .map(|(PlayError { message, place }, turn)| {
                        let (file, line) = place.as_ref().map(|at| (&at.file, at.line)).unzip();
                        json!({"turn": turn, "message": message, "file": file, "line": line})
                    })
                    .collect();
                let told = of.told.iter().map(|((class, event), times)| {
                    json!({"class": class, "event": event.name(), "times": times})
                });
                json!({
                    "map": name,
                    "seed": seed,
                    "markers": of.markers,
                    "errors": errors,
                    "told": told.collect::<Vec<_>>(),
                    "said": of.said,
                    "draws": of.draws,
                    "digest": format!("{:08x}", of.digest),
                })
            }
            Err(message) => json!({"map": name, "seed": seed, "not_placed": message}),
        });
        let broken = self.broken.iter();
        let broken = broken.map(|map| json!({"map": map.name, "message": in_a_line(&map.problem)}));
        json!({
            "turns": self.options.turns,
            "runs": runs.collect::<Vec<_>>(),
            "not_compiled": broken.collect::<Vec<_>>(),
        })
    }
}

fn brings_markers(engine: &mut vaultwright::Engine, map: MapId, seed: u64) -> bool {
    match engine.place(map, seed) {
        Ok(level) => level
            .markers
            .iter()
            .any(|marker| matches!(marker.kind, vaultwright::level::MarkerKind::Lua(_))),
        Err(_) => false,
    }
}

fn told_of(text: &mut String, told: &BTreeMap<(String, EventKind), u64>) {
    for ((class, event), count) in told {
        let _ = writeln!(text, "  {class:24} {:16} {count}", event.name());
    }
}
