//! `vaultwright coverage`.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;
use vaultwright::lint::Coverage;
use vaultwright::map::MapId;
use vaultwright::render::{HeatMap, heat_to_png, heat_to_svg};
use vaultwright::{Engine, LibraryMap};

use crate::arguments::{Common, CoverageFormat, CoverageOptions, format_of, refuse_seeds_beyond};
use crate::progress::Bar;
use crate::session::engine_with_map;
use crate::{Failure, Outcome, output, places};

pub fn run(common: &Common, options: &CoverageOptions) -> Result<Outcome, Failure> {
    let format = format_of(options.format, options.out.as_deref(), CoverageFormat::Text)?;
    refuse_seeds_beyond(options.seed, options.rolls)?;
    let (mut engine, index) = engine_with_map(common, &options.name)?;
    places::apply(&options.setting, &mut engine)?;
    let library = engine.library();
    let entry = &library[index];
    let tally = noted(&mut engine, index, options.rolls, options.seed);
    let bytes = match format {
        CoverageFormat::Text => text(&tally, entry)?.into_bytes(),
        CoverageFormat::Json => json_of(&tally, entry).into_bytes(),
        CoverageFormat::Svg => heat_to_svg(&heat(&tally)).into_bytes(),
        CoverageFormat::Png => heat_to_png(&heat(&tally)),
    };
    output::write(options.out.as_deref(), &bytes)?;
    // Of a map that never comes out there is nothing to tell.
    let is_clean = tally.errors.is_empty() && tally.valid() > 0;
    Ok(if is_clean { Outcome::Clean } else { Outcome::Findings })
}

/// Returns what so many rolls of a map come to, as JSON.
pub fn as_json(engine: &mut Engine, index: MapId, rolls: u64, first_seed: u64) -> Option<String> {
    let library = engine.library();
    let entry = library.get(index)?;
    Some(json_of(&noted(engine, index, rolls, first_seed), entry))
}

fn noted(engine: &mut Engine, index: MapId, rolls: u64, first_seed: u64) -> Coverage {
    let bar = Bar::new(rolls, "rolling");
    let seeds = first_seed..=first_seed.saturating_add(rolls.saturating_sub(1));
    let coverage = Coverage::of(engine, index, seeds, &mut || bar.step());
    bar.end();
    coverage
}

fn heat(tally: &Coverage) -> HeatMap {
    let (width, height, values) = tally.variation();
    HeatMap { width, height, values }
}

fn text(tally: &Coverage, entry: &LibraryMap) -> Result<String, Failure> {
    let mut out = String::new();
    write_rolls(&mut out, tally, entry)?;
    write_silent(&mut out, tally, entry)?;
    write_alternatives(&mut out, tally)?;
    write_cells(&mut out, tally)?;
    write_reach(&mut out, tally)?;
    Ok(out)
}

/// Writes how many rolls there were, which of them failed, and their sizes.
fn write_rolls(out: &mut String, tally: &Coverage, entry: &LibraryMap) -> std::fmt::Result {
    writeln!(out, "{}: {} rolls", entry.selection.name, tally.rolls)?;
    if tally.invalid > 0 {
        let rate = tally.invalid as f64 / tally.rolls as f64 * 100.0;
        writeln!(out, "  {} failed validation ({rate:.1}%)", tally.invalid)?;
    }
    for (message, count) in &tally.errors {
        writeln!(out, "  {count} stopped by an error: {message}")?;
    }
    let sizes: Vec<String> =
        tally.sizes.iter().map(|((w, h), count)| format!("{w}x{h} ({count})")).collect();
    writeln!(out, "  sizes before turning: {}", sizes.join(", "))
}

/// How much of a statement is shown with each of its alternatives, in characters.
const SHOWN: usize = 100;

fn shortened(statement: &str) -> String {
    match statement.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &statement[..end]),
        None => statement.to_owned(),
    }
}

/// Writes the alternatives and lines of Lua that never happened.
fn write_silent(out: &mut String, tally: &Coverage, entry: &LibraryMap) -> std::fmt::Result {
    let never: Vec<String> = tally
        .picks()
        .flat_map(|(statement, weights, counts)| {
            let silent = counts.iter().enumerate().filter(|&(i, &n)| n == 0 && weights[i] > 0);
            let statement = shortened(&statement);
            silent.map(|(i, _)| format!("alternative {} of {statement}", i + 1)).collect::<Vec<_>>()
        })
        .collect();
    let lines = tally.silent_lines(entry);
    writeln!(
        out,
        "\nNever happened: {}",
        if never.is_empty() && lines.is_empty() { "nothing" } else { "" }
    )?;
    for line in &never {
        writeln!(out, "  {line}")?;
    }
    for line in lines {
        writeln!(out, "  Lua of line {line}")?;
    }
    Ok(())
}

/// Writes how often each alternative was expected and observed.
fn write_alternatives(out: &mut String, tally: &Coverage) -> std::fmt::Result {
    for (index, (statement, weights, counts)) in tally.picks().enumerate() {
        if index == 0 {
            writeln!(out, "\nAlternatives (expected, observed):")?;
        }
        writeln!(out, "  {statement}")?;
        let total: i64 = weights.iter().map(|&weight| i64::from(weight.max(0))).sum();
        let seen: u64 = counts.iter().sum();
        for (index, (&weight, &count)) in weights.iter().zip(counts).enumerate() {
            let expected = f64::from(weight.max(0)) / total.max(1) as f64 * 100.0;
            let observed = count as f64 / seen.max(1) as f64 * 100.0;
            writeln!(out, "    {:>3}  {expected:>6.2}%  {observed:>6.2}%  {count}", index + 1)?;
        }
    }
    Ok(())
}

/// Writes the cells that vary, those with the same shares together.
fn write_cells(out: &mut String, tally: &Coverage) -> std::fmt::Result {
    let valid = tally.valid();
    let mut patterns: BTreeMap<String, Vec<(i32, i32)>> = BTreeMap::new();
    for (&cell, outcomes) in &tally.cells {
        if outcomes.len() > 1 {
            let mut list: Vec<(&String, &u64)> = outcomes.iter().collect();
            list.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            let shares: Vec<String> = list
                .iter()
                .map(|(what, count)| {
                    format!("{what} {:.1}%", **count as f64 / valid.max(1) as f64 * 100.0)
                })
                .collect();
            patterns.entry(shares.join(", ")).or_default().push(cell);
        }
    }
    if !patterns.is_empty() {
        writeln!(out, "\nCells that vary (x,y from the top left, before turning):")?;
    }
    for (shares, cells) in &patterns {
        let cells: Vec<String> = cells.iter().map(|(x, y)| format!("{x},{y}")).collect();
        writeln!(out, "  {}: {shares}", cells.join(" "))?;
    }
    Ok(())
}

/// Writes which cells cannot always be reached from the edge.
fn write_reach(out: &mut String, tally: &Coverage) -> std::fmt::Result {
    let partly: Vec<String> = tally
        .reach
        .iter()
        .filter(|(_, (open, reached))| *reached > 0 && reached < open)
        .map(|((x, y), (open, reached))| format!("{x},{y} ({reached} of {open})"))
        .collect();
    let never_reached: Vec<String> = tally
        .reach
        .iter()
        .filter(|(_, (open, reached))| *reached == 0 && *open > 0)
        .map(|((x, y), _)| format!("{x},{y}"))
        .collect();
    if !partly.is_empty() {
        writeln!(out, "\nReachable from the edge in only some rolls:\n  {}", partly.join(" "))?;
    }
    if !never_reached.is_empty() {
        writeln!(out, "\nNever reachable from the edge:\n  {}", never_reached.join(" "))?;
    }
    Ok(())
}

fn json_of(tally: &Coverage, entry: &LibraryMap) -> String {
    let cells: Vec<serde_json::Value> = tally
        .cells
        .iter()
        .map(|((x, y), outcomes)| {
            let reach = tally.reach.get(&(*x, *y)).copied().unwrap_or_default();
            json!({ "x": x, "y": y, "outcomes": outcomes, "open": reach.0, "reachable": reach.1 })
        })
        .collect();
    let picks: Vec<serde_json::Value> = tally
        .picks()
        .map(|(statement, weights, counts)| {
            json!({ "statement": statement, "weights": weights, "counts": counts })
        })
        .collect();
    let value = json!({
        "map": entry.selection.name,
        "rolls": tally.rolls,
        "valid": tally.valid(),
        "failed_validation": tally.invalid,
        "errors": tally.errors,
        "silent_lua_lines": tally.silent_lines(entry),
        "alternatives": picks,
        "cells": cells,
    });
    format!("{value:#}\n")
}
