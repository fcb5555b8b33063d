//! `vaultwright place`.

use serde_json::json;
use vaultwright::content::Content;
use vaultwright::level::Level;
use vaultwright::map::MapId;
use vaultwright::render::{LevelJson, to_text};
use vaultwright::{Engine, PlaceConditions};

use crate::arguments::{Common, PlaceFormat, PlaceOptions, RowFormat, format_of};
use crate::batch::{self, Wanted};
use crate::place_pictures::picture;
use crate::{Failure, Outcome, UsageError, place_check, place_pictures, places, recorded, rows};

/// The columns of a table of placements.
const COLUMNS: &[&str] = &["map", "seed", "status", "terrain"];

pub fn run(common: &Common, options: &PlaceOptions) -> Result<Outcome, Failure> {
    if !options.check.is_empty() {
        return place_check::run(common, options);
    }
    let format = format_of(options.format, options.out.as_deref(), PlaceFormat::Text)?;
    may_be_written(options, format)?;
    let is_other = options.format.is_some_and(|format| format != PlaceFormat::Tsv);
    recorded::refuse_format(&options.runs.against, is_other)?;
    let (mut engine, wanted) = batch::maps(common, &options.maps)?;
    places::apply(&options.setting, &mut engine)?;
    engine.set_concrete(options.concrete);
    let format = match format {
        _ if options.runs.against.is_some() => RowFormat::Tsv,
        PlaceFormat::Png | PlaceFormat::Svg => {
            return place_pictures::run(engine, &wanted, common, options, format);
        }
        PlaceFormat::Text => RowFormat::Text,
        PlaceFormat::Tsv => RowFormat::Tsv,
        PlaceFormat::Json => RowFormat::Json,
    };
    let rows =
        batch::run(
            "placing",
            engine,
            &wanted,
            &options.runs,
            |engine, wanted, seed| match wanted {
                Wanted::Map(index) => row(engine, *index, seed, format, options),
                Wanted::Broken(broken) => (rows::of_broken(broken, seed, format), false),
            },
        )?;
    if let Some(path) = &options.runs.against {
        return recorded::compare(COLUMNS, &rows::texts(rows), path);
    }
    rows::print(options.out.as_deref(), format, COLUMNS, rows, &wanted)
}

/// Refuses a table or text where it would go into a folder, and an `--out` that may be a folder for
/// pictures.
fn may_be_written(options: &PlaceOptions, format: PlaceFormat) -> Result<(), UsageError> {
    let Some(out) = &options.out else { return Ok(()) };
    let is_picture = matches!(format, PlaceFormat::Png | PlaceFormat::Svg);
    let is_named = options.format.is_some() || out.extension().is_some();
    let instead = "--format png or svg writes pictures into it, and text and tables go to a file";
    match is_picture || is_named && !out.is_dir() {
        true => Ok(()),
        false => Err(UsageError(format!("--out {}: {instead}", out.display()))),
    }
}

/// Returns a row, and whether the map could be placed.
fn row(
    engine: &mut Engine,
    index: MapId,
    seed: u64,
    format: RowFormat,
    options: &PlaceOptions,
) -> (Vec<u8>, bool) {
    let library = engine.library();
    let name = &library[index].selection.name;
    let conditions = PlaceConditions { ground: options.ground(), ..PlaceConditions::default() };
    let placement = engine.place_under(index, seed, &conditions);
    let text = match (format, &placement) {
        (RowFormat::Tsv, Ok(level)) => {
            format!("{name}\t{seed}\tok\t{}\n", run_lengths(level, engine.content()))
        }
        (RowFormat::Tsv, Err(error)) => {
            format!("{name}\t{seed}\tnone\t{}\n", rows::in_a_cell(&error.to_string()))
        }
        (RowFormat::Json, Ok(level)) => {
            let json = LevelJson::of(level, engine.content());
            let json = json.with("map", name.as_str()).with("seed", seed).with("status", "ok");
            json.to_string()
        }
        (RowFormat::Json, Err(error)) => {
            let message = error.to_string();
            json!({ "map": name, "seed": seed, "status": "none", "message": message }).to_string()
        }
        (RowFormat::Text, Ok(level)) => {
            let shown = to_text(&picture(level, name, engine, None, options));
            format!("{name}, seed {seed}\n{shown}\n")
        }
        (RowFormat::Text, Err(error)) => {
            let place = rows::place_behind(error.problem());
            format!("{name}, seed {seed}: not placed: {error}{place}\n\n")
        }
    };
    (text.into_bytes(), placement.is_ok())
}

/// Returns the features of the level, row by row, as `name*count`.
fn run_lengths(level: &Level, content: &Content) -> String {
    let runs = level.features().chunk_by(|a, b| a == b);
    let runs = runs.map(|run| format!("{}*{}", content.features().get(run[0]).name, run.len()));
    runs.collect::<Vec<_>>().join(" ")
}
