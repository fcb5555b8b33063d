//! `vaultwright exercise`: random play on vaults, to see what they do.

use std::collections::BTreeMap;
use std::fmt::Write;

use vaultwright::EventKind;
use vaultwright::play::{Exercise, Session, exercise};

use crate::arguments::{Common, ExerciseFormat, ExerciseOptions};
use crate::batch::{self, Wanted};
use crate::output::plural;
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
    let mut total = Exercise::default();
    let (mut text, mut runs, mut failed, mut unplaced) = (String::new(), 0, 0, 0);
    for &map in &maps {
        for seed in options.seed.clone() {
            let name = &library.maps[map].definition.name;
            let result = match exercise(&mut session, map, seed, options.turns) {
                Ok(result) => result,
                Err(message) => {
                    unplaced += 1;
                    if options.format == ExerciseFormat::Tsv {
                        let _ = writeln!(text, "{name}\t{seed}\t0\t0\t0\tnot placed");
                        continue;
                    }
                    let _ = writeln!(text, "{name}\t{seed}\tnot placed: {message}");
                    continue;
                }
            };
            runs += 1;
            failed += usize::from(!result.errors.is_empty());
            if options.format == ExerciseFormat::Tsv {
                let _ = writeln!(
                    text,
                    "{name}\t{seed}\t{}\t{}\t{}\t{:08x}",
                    result.markers,
                    result.errors.len(),
                    result.draws,
                    result.digest
                );
                continue;
            }
            for (error, turn) in &result.errors {
                let _ = writeln!(text, "{name}\t{seed}\tturn {turn}: {error}");
            }
            if !options.maps.all {
                let _ = writeln!(text, "{name} with seed {seed}: {} Lua markers", result.markers);
                told_of(&mut text, &result.told);
                for (words, times) in &result.said {
                    let _ = writeln!(text, "  said {times} times: {words}");
                }
            }
            total.markers += result.markers;
            for (key, count) in result.told {
                *total.told.entry(key).or_default() += count;
            }
        }
    }
    for map in &broken {
        let (name, error) = (&map.name, in_a_line(&map.problem));
        if options.format == ExerciseFormat::Text {
            let _ = writeln!(text, "{name}\tdoes not compile: {error}");
            continue;
        }
        for seed in options.seed.clone() {
            let _ = writeln!(text, "{name}\t{seed}\t0\t0\t0\terror");
        }
    }
    let outcome = if failed + broken.len() == 0 { Outcome::Clean } else { Outcome::Findings };
    if options.format == ExerciseFormat::Tsv {
        let head = "map\tseed\tmarkers\terrors\tdraws\tdigest\n";
        output::write(None, format!("{head}{text}").as_bytes())?;
        return Ok(outcome);
    }
    if options.maps.all {
        told_of(&mut text, &total.told);
    }
    let broken = match broken.len() {
        0 => String::new(),
        count => format!(", {count} do not compile"),
    };
    let maps = plural(maps.len() as u64, "map");
    let runs = plural(runs as u64, "run");
    let turns = plural(options.turns.into(), "turn");
    let markers = plural(total.markers as u64, "Lua marker");
    let failed = plural(failed as u64, "run");
    let _ = writeln!(
        text,
        "{maps}, {runs} of {turns}, {markers}; {failed} with errors, {unplaced} not placed{broken}",
    );
    output::write_text(None, &text, false)?;
    Ok(outcome)
}

fn brings_markers(engine: &mut vaultwright::Engine, map: usize, seed: u64) -> bool {
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
