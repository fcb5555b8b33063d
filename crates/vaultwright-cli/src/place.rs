//! `vaultwright place`.

use vaultwright::content::Content;
use vaultwright::level::Level;
use vaultwright::{Engine, Placement};

use crate::arguments::{Common, PlaceFormat, PlaceOptions};
use crate::{Failure, Outcome, batch, output, recorded};

/// The columns of a table of placements.
const COLUMNS: &[&str] = &["map", "seed", "status", "terrain"];

pub fn run(common: &Common, options: &PlaceOptions) -> Result<Outcome, Failure> {
    let (engine, wanted) = batch::maps(common, &options.maps)?;
    let format = if options.runs.against.is_some() { PlaceFormat::Tsv } else { options.format };
    let rows = batch::run("placing", engine, &wanted, &options.runs, |engine, &index, seed| {
        row(engine, index, seed, format)
    })?;
    if let Some(path) = &options.runs.against {
        return recorded::compare(COLUMNS, &rows, path);
    }
    let mut out = Vec::new();
    if format == PlaceFormat::Tsv {
        out.extend(COLUMNS.join("\t").into_bytes());
        out.push(b'\n');
    }
    out.extend(rows.concat());
    output::write(None, &out)?;
    Ok(Outcome::Clean)
}

fn row(engine: &Engine, index: usize, seed: u64, format: PlaceFormat) -> Vec<u8> {
    let library = engine.library();
    let name = &library.maps[index].definition.name;
    let placement = engine.place(index, seed);
    let text = match (format, &placement) {
        (PlaceFormat::Tsv, Placement::Ok(level)) => {
            format!("{name}\t{seed}\tok\t{}\n", run_lengths(level, engine.content()))
        }
        (PlaceFormat::Tsv, Placement::None { message, .. }) => {
            format!("{name}\t{seed}\tnone\t{}\n", message.replace(['\t', '\n'], " "))
        }
        (PlaceFormat::Text, Placement::Ok(level)) => {
            format!("{name}, seed {seed}\n{}\n", picture(level, engine.content()))
        }
        (PlaceFormat::Text, Placement::None { message, problem }) => {
            let at = problem.as_ref().map_or(String::new(), |problem| {
                let at = problem.file.lines.position(problem.span.start);
                format!(" ({}:{})", problem.file.source.name, at.line)
            });
            format!("{name}, seed {seed}: not placed: {message}{at}\n\n")
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

fn picture(level: &Level, content: &Content) -> String {
    let mut out = String::new();
    for row in level.features().chunks(80) {
        out.extend(row.iter().map(|&id| content.features().get(id).glyph));
        out.push('\n');
    }
    out
}
