//! `vaultwright resolve`.

use serde_json::json;
use vaultwright::map::MapId;
use vaultwright::render::{Picture, map_to_json, to_text};
use vaultwright::{Engine, Resolution};

use crate::arguments::{Common, ResolveOptions, RowFormat};
use crate::batch::{self, Wanted};
use crate::{Failure, Outcome, places, recorded, rows};

/// The columns of a table of rolls.
const COLUMNS: &[&str] = &["map", "seed", "status", "width", "height", "rows", "draws"];

pub fn run(common: &Common, options: &ResolveOptions) -> Result<Outcome, Failure> {
    recorded::refuse_format(&options.runs.against, options.format == RowFormat::Json)?;
    let (mut engine, wanted) = batch::maps(common, &options.maps)?;
    places::apply(&options.setting, &mut engine)?;
    let format = if options.runs.against.is_some() { RowFormat::Tsv } else { options.format };
    let rows =
        batch::run(
            "rolling",
            engine,
            &wanted,
            &options.runs,
            |engine, wanted, seed| match wanted {
                Wanted::Map(index) => row(engine, *index, seed, format),
                Wanted::Broken(broken) => (rows::of_broken(broken, seed, format), false),
            },
        )?;
    if let Some(path) = &options.runs.against {
        return recorded::compare(COLUMNS, &rows::texts(rows), path);
    }
    rows::print(None, format, COLUMNS, rows, &wanted)
}

/// Returns a row, and whether the map could be rolled.
fn row(engine: &mut Engine, index: MapId, seed: u64, format: RowFormat) -> (Vec<u8>, bool) {
    let library = engine.library();
    let name = &library[index].selection.name;
    let resolution = engine.resolve(index, seed);
    let row = match format {
        RowFormat::Tsv => tsv_row(name, seed, &resolution),
        RowFormat::Json => {
            let value = match &resolution {
                Ok(rolled) => json!({
                    "map": name,
                    "seed": seed,
                    "status": "ok",
                    "position": [rolled.position.x, rolled.position.y],
                    "tries": rolled.tries,
                    "roll": map_to_json(&rolled.map, engine.content()),
                }),
                Err(error) => json!({
                    "map": name, "seed": seed, "status": "none", "message": error.to_string(),
                    "tries": error.tries(),
                }),
            };
            value.to_string().into_bytes()
        }
        RowFormat::Text => {
            let mut out = format!("{name}, seed {seed}");
            match &resolution {
                Ok(rolled) => {
                    let (w, h) = (rolled.map.grid.width(), rolled.map.grid.height());
                    let (x, y) = (rolled.position.x, rolled.position.y);
                    out.push_str(&format!(": {w}x{h} at {x},{y}\n"));
                    out.push_str(&to_text(&Picture::of(&rolled.map, engine.content())));
                }
                Err(error) => {
                    let place = rows::place_behind(error.problem());
                    out.push_str(&format!(
                        ": none after {} tries: {error}{place}\n",
                        error.tries()
                    ));
                }
            }
            out.push('\n');
            out.into_bytes()
        }
    };
    (row, resolution.is_ok())
}

/// Returns a row of the table: bytes as they are, a backslash doubled, a tab as `\t`, rows joined
/// by `\n`.
fn tsv_row(name: &str, seed: u64, resolution: &Resolution) -> Vec<u8> {
    let mut out = format!("{name}\t{seed}\t").into_bytes();
    match resolution {
        Err(error) => {
            let message = error.to_string();
            out.extend_from_slice(b"none\t");
            out.extend(message.bytes().map(|b| if matches!(b, b'\t' | b'\n') { b' ' } else { b }));
        }
        Ok(rolled) => {
            let grid = &rolled.map.grid;
            out.extend_from_slice(format!("ok\t{}\t{}\t", grid.width(), grid.height()).as_bytes());
            for (index, row) in grid.rows().enumerate() {
                if index > 0 {
                    out.extend_from_slice(b"\\n");
                }
                for &glyph in row {
                    match glyph {
                        b'\\' => out.extend_from_slice(b"\\\\"),
                        b'\t' => out.extend_from_slice(b"\\t"),
                        other => out.push(other),
                    }
                }
            }
            let draws: Vec<String> =
                rolled.draws.iter().map(|(stream, count)| format!("{stream}:{count}")).collect();
            out.push(b'\t');
            out.extend_from_slice(draws.join(",").as_bytes());
        }
    }
    out.push(b'\n');
    out
}
