//! What `resolve` and `place` answer for each map and seed, in the form that was asked for.

use std::path::Path;

use serde_json::json;
use vaultwright::{BrokenMap, Problem};

use crate::arguments::RowFormat;
use crate::batch::Wanted;
use crate::session::in_a_line;
use crate::{Failure, Outcome, output};

/// How many rows are put together before they are written.
const ROWS_AT_ONCE: usize = 100;

/// Prints the rows of a table, objects or texts that were made for what was wanted, or writes them
/// to a file. Beside each stands whether it came out; that none did is a finding.
pub fn print(
    out: Option<&Path>,
    format: RowFormat,
    columns: &[&str],
    rows: Vec<(Vec<u8>, bool)>,
    wanted: &[Wanted],
) -> Result<Outcome, Failure> {
    let (rows, made): (Vec<Vec<u8>>, Vec<bool>) = rows.into_iter().unzip();
    let rows = &rows[..];
    match format {
        _ if let Some(out) = out => output::write(Some(out), &whole(format, columns, rows))?,
        RowFormat::Tsv => {
            output::write(None, (columns.join("\t") + "\n").as_bytes())?;
            for rows in rows.chunks(ROWS_AT_ONCE) {
                output::write(None, &rows.concat())?;
            }
        }
        RowFormat::Json => {
            let mut between = &b"[\n"[..];
            for rows in rows.chunks(ROWS_AT_ONCE) {
                output::write(None, &[between, &rows.join(&b",\n"[..])].concat())?;
                between = b",\n";
            }
            output::write(None, if rows.is_empty() { b"[\n\n]\n" } else { b"\n]\n" })?;
        }
        RowFormat::Text => {
            output::write_text(
                None,
                &String::from_utf8_lossy(&rows.concat()),
                output::Colours::None,
            )?;
        }
    }
    let broken = wanted.iter().any(|wanted| matches!(wanted, Wanted::Broken(_)));
    let none = !made.is_empty() && !made.contains(&true);
    Ok(if broken || none { Outcome::Findings } else { Outcome::Clean })
}

/// Returns the rows alone.
pub fn texts(rows: Vec<(Vec<u8>, bool)>) -> Vec<Vec<u8>> {
    rows.into_iter().map(|(row, _)| row).collect()
}

/// Returns all rows as a whole.
fn whole(format: RowFormat, columns: &[&str], rows: &[Vec<u8>]) -> Vec<u8> {
    match format {
        RowFormat::Tsv => [(columns.join("\t") + "\n").into_bytes(), rows.concat()].concat(),
        RowFormat::Json => [&b"[\n"[..], &rows.join(&b",\n"[..]), b"\n]\n"].concat(),
        RowFormat::Text => rows.concat(),
    }
}

/// Returns what is said of a map that does not compile; as a row it has as many columns as one
/// that was not rolled.
pub fn of_broken(broken: &BrokenMap, seed: u64, format: RowFormat) -> Vec<u8> {
    let (name, problem) = (&broken.name, &broken.problem);
    let text = match format {
        RowFormat::Tsv => {
            format!("{name}\t{seed}\terror\t{}\n", in_a_cell(&in_a_line(problem)))
        }
        RowFormat::Json => {
            let at = problem.file.lines.position(problem.span.start);
            let value = json!({
                "map": name, "seed": seed, "status": "error", "message": problem.message,
                "file": &*problem.file.source.name, "line": at.line, "column": at.column,
            });
            value.to_string()
        }
        RowFormat::Text => {
            format!("{name}, seed {seed}: does not compile: {}\n\n", in_a_line(problem))
        }
    };
    text.into_bytes()
}

/// Returns a text that parts no columns and no rows of a table.
pub fn in_a_cell(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

/// Returns where the cause of an error stands, to be set behind its message; nothing, if it has
/// none.
pub fn place_behind(problem: Option<&Problem>) -> String {
    problem.map_or(String::new(), |problem| {
        let at = problem.file.lines.position(problem.span.start);
        format!(" ({}:{})", problem.file.source.name, at.line)
    })
}
