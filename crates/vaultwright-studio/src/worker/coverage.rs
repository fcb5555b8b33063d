//! What a map becomes over many rolls: heat maps, and what never happens.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vaultwright::lint::Coverage;

use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::params;

/// Rolls that have not begun by then are left out.
const PATIENCE: Duration = Duration::from_secs(20);

pub fn coverage(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let first = params::seed(params)?;
    let rolls = params::count(params, "rolls", 200, 5000)?;
    let (engine, index) = pack.with_map(params, Need::File)?;
    let library = engine.library();
    let began = Instant::now();
    let seeds = (first..first.saturating_add(rolls)).take_while(|_| began.elapsed() < PATIENCE);
    let coverage = Coverage::of(engine, index, seeds, &mut || {});
    let (width, height, heat) = coverage.variation();
    let cells = (0..width * height).map(|index| {
        let outcomes = coverage.cells.get(&((index % width) as i32, (index / width) as i32));
        let Some(outcomes) = outcomes else { return Value::Null };
        let all: u64 = outcomes.values().sum();
        let mut outcomes: Vec<(&String, &u64)> = outcomes.iter().collect();
        outcomes.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let one = |(what, count): (&String, &u64)| {
            json!({ "what": what, "share": *count as f64 / all.max(1) as f64 })
        };
        outcomes.into_iter().map(one).collect()
    });
    let cells: Vec<Value> = cells.collect();
    let reach = (0..width * height).map(|index| {
        let cell = ((index % width) as i32, (index / width) as i32);
        let (open, reached) = coverage.reach.get(&cell)?;
        Some(*reached as f64 / (*open).max(1) as f64)
    });
    let reach: Vec<Option<f64>> = reach.collect();
    let picks = coverage.picks().map(|(statement, weights, counts)| {
        json!({ "statement": statement, "weights": weights, "counts": counts })
    });
    let picks: Vec<Value> = picks.collect();
    let errors = coverage.errors.iter();
    let errors: Vec<Value> =
        errors.map(|(message, count)| json!({ "message": message, "count": count })).collect();
    let sizes = coverage.sizes.iter();
    let sizes: Vec<Value> = sizes
        .map(|((width, height), count)| json!({ "width": width, "height": height, "count": count }))
        .collect();
    let silent = coverage.silent_lines(&library[index]);
    let silent: Vec<u32> = silent.into_iter().map(|line| line.saturating_sub(1)).collect();
    Ok(json!({
        "width": width,
        "height": height,
        "rolls": coverage.rolls,
        "valid": coverage.valid(),
        "failed_validation": coverage.invalid,
        "cells": cells,
        "heat": heat,
        "reachable": reach,
        "alternatives": picks,
        "silent_lines": silent,
        "errors": errors,
        "sizes": sizes,
    }))
}
