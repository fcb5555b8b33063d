//! `vaultwright place`.

use serde_json::json;
use vaultwright::content::Content;
use vaultwright::level::Level;
use vaultwright::render::{level_to_json, to_text};
use vaultwright::{BrokenMap, Engine, PlaceConditions};

use crate::arguments::{Common, PlaceFormat, PlaceOptions};
use crate::batch::{self, Wanted};
use crate::place_pictures::picture;
use crate::{Failure, Outcome, output, place_check, place_pictures, recorded};

/// The columns of a table of placements.
const COLUMNS: &[&str] = &["map", "seed", "status", "terrain"];

pub fn run(common: &Common, options: &PlaceOptions) -> Result<Outcome, Failure> {
    if !options.check.is_empty() {
        return place_check::run(common, options);
    }
    let (mut engine, wanted) = batch::maps(common, &options.maps)?;
    engine.set_concrete(options.concrete);
    let format = if options.runs.against.is_some() { PlaceFormat::Tsv } else { options.format };
    if matches!(format, PlaceFormat::Png | PlaceFormat::Svg) {
        return place_pictures::run(engine, &wanted, options);
    }
    let rows =
        batch::run(
            "placing",
            engine,
            &wanted,
            &options.runs,
            |engine, wanted, seed| match wanted {
                Wanted::Map(index) => row(engine, *index, seed, format, options),
                Wanted::Broken(broken) => error_row(broken, seed, format),
            },
        )?;
    if let Some(path) = &options.runs.against {
        return recorded::compare(COLUMNS, &rows, path);
    }
    let mut out = Vec::new();
    match format {
        PlaceFormat::Tsv => {
            out.extend(COLUMNS.join("\t").into_bytes());
            out.push(b'\n');
            out.extend(rows.concat());
        }
        PlaceFormat::Json => {
            out.extend_from_slice(b"[\n");
            out.extend(rows.join(&b",\n"[..]));
            out.extend_from_slice(b"\n]\n");
        }
        _ => out.extend(rows.concat()),
    }
    match format {
        PlaceFormat::Tsv | PlaceFormat::Json => output::write(None, &out)?,
        _ => output::write_text(None, &String::from_utf8_lossy(&out), false)?,
    }
    let broken = wanted.iter().any(|wanted| matches!(wanted, Wanted::Broken(_)));
    Ok(if broken { Outcome::Findings } else { Outcome::Clean })
}

/// What is said of a map that does not compile.
fn error_row(broken: &BrokenMap, seed: u64, format: PlaceFormat) -> Vec<u8> {
    match format {
        PlaceFormat::Tsv => batch::error_row(broken, seed),
        PlaceFormat::Json => batch::error_object(broken, seed),
        _ => batch::error_text(broken, seed),
    }
}

fn row(
    engine: &mut Engine,
    index: usize,
    seed: u64,
    format: PlaceFormat,
    options: &PlaceOptions,
) -> Vec<u8> {
    let library = engine.library();
    let name = &library.maps[index].definition.name;
    let conditions = PlaceConditions { filled: options.filled, ..PlaceConditions::default() };
    let placement = engine.place_under(index, seed, &conditions);
    let text = match (format, &placement) {
        (PlaceFormat::Tsv, Ok(level)) => {
            format!("{name}\t{seed}\tok\t{}\n", run_lengths(level, engine.content()))
        }
        (PlaceFormat::Tsv, Err(error)) => {
            format!("{name}\t{seed}\tnone\t{}\n", error.to_string().replace(['\t', '\n'], " "))
        }
        (PlaceFormat::Json, Ok(level)) => {
            let mut value = level_to_json(level, engine.content());
            value["map"] = name.as_str().into();
            value["seed"] = seed.into();
            value["status"] = "ok".into();
            value.to_string()
        }
        (PlaceFormat::Json, Err(error)) => {
            let message = error.to_string();
            json!({ "map": name, "seed": seed, "status": "none", "message": message }).to_string()
        }
        (_, Ok(level)) => {
            let shown = to_text(&picture(level, engine.content(), options));
            format!("{name}, seed {seed}\n{shown}\n")
        }
        (_, Err(error)) => {
            let at = error.problem().map_or(String::new(), |problem| {
                let at = problem.file.lines.position(problem.span.start);
                format!(" ({}:{})", problem.file.source.name, at.line)
            });
            format!("{name}, seed {seed}: not placed: {error}{at}\n\n")
        }
    };
    text.into_bytes()
}

/// The features of the level, row by row, as `name*count`.
fn run_lengths(level: &Level, content: &Content) -> String {
    let runs = level.features().chunk_by(|a, b| a == b);
    let runs = runs.map(|run| format!("{}*{}", content.features().get(run[0]).name, run.len()));
    runs.collect::<Vec<_>>().join(" ")
}
