//! `vaultwright coverage`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use serde_json::json;
use vaultwright::map::{MapDef, PickTrace, Point, map_feature};
use vaultwright::render::{HeatMap, heat_to_png, heat_to_svg};
use vaultwright::syntax::{ChunkKind, PieceBody};
use vaultwright::{Engine, LibraryMap};

use crate::arguments::{Common, CoverageFormat, CoverageOptions};
use crate::session::engine_with_map;
use crate::{Failure, Outcome, output};

/// What many rolls of a map came to. Maps are compared before they are turned.
struct Tally {
    rolls: u64,
    invalid: u64,
    errors: BTreeMap<String, u64>,
    sizes: BTreeMap<(i32, i32), u64>,
    /// For each cell: what stood there, how often.
    cells: BTreeMap<(i32, i32), BTreeMap<String, u64>>,
    /// For each cell: how often it was walkable, and how often reachable from the edge.
    reach: BTreeMap<(i32, i32), (u64, u64)>,
    trace: PickTrace,
    /// Source lines of Lua that ran.
    lines: BTreeSet<u32>,
}

pub fn run(common: &Common, options: &CoverageOptions) -> Result<Outcome, Failure> {
    let (mut engine, index) = engine_with_map(common, &options.name)?;
    let library = engine.library();
    let entry = &library.maps[index];
    let tally = noted(&mut engine, index, options.rolls, options.seed);
    let bytes = match options.format {
        CoverageFormat::Text => text(&tally, entry)?.into_bytes(),
        CoverageFormat::Json => json_of(&tally, entry).into_bytes(),
        CoverageFormat::Svg => heat_to_svg(&heat(&tally)).into_bytes(),
        CoverageFormat::Png => heat_to_png(&heat(&tally)),
    };
    output::write(options.out.as_deref(), &bytes)?;
    Ok(if tally.errors.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// What so many rolls of a map come to, as JSON.
pub fn as_json(engine: &mut Engine, index: usize, rolls: u64, first_seed: u64) -> Option<String> {
    let library = engine.library();
    let entry = library.maps.get(index)?;
    Some(json_of(&noted(engine, index, rolls, first_seed), entry))
}

fn noted(engine: &mut Engine, index: usize, rolls: u64, first_seed: u64) -> Tally {
    let (tally, lines) =
        engine.noting_lines(index, |engine| tally(engine, index, rolls, first_seed));
    Tally { lines, ..tally }
}

fn tally(engine: &mut Engine, index: usize, rolls: u64, first_seed: u64) -> Tally {
    let mut tally = Tally {
        rolls,
        invalid: 0,
        errors: BTreeMap::new(),
        sizes: BTreeMap::new(),
        cells: BTreeMap::new(),
        reach: BTreeMap::new(),
        trace: PickTrace::default(),
        lines: BTreeSet::new(),
    };
    let bar = output::progress(rolls, "rolling");
    for seed in first_seed..first_seed.saturating_add(rolls) {
        let roll = engine.roll(index, seed, Some(std::mem::take(&mut tally.trace)));
        tally.trace = roll.trace.unwrap_or_default();
        if let Some(problem) = roll.problem {
            let at = problem.file.lines.position(problem.span.start);
            let file = problem.file.source.base_name();
            let message = format!("{file}:{}: {}", at.line, problem.message);
            *tally.errors.entry(message).or_default() += 1;
        }
        if let Some(map) = roll.map {
            if roll.valid {
                tally.add(engine, &map);
            } else {
                tally.invalid += 1;
            }
        }
        engine.take_messages();
        bar.inc(1);
    }
    bar.finish_and_clear();
    tally
}

impl Tally {
    fn add(&mut self, engine: &mut Engine, map: &MapDef) {
        *self.sizes.entry((map.grid.width(), map.grid.height())).or_default() += 1;
        let mut open = BTreeSet::new();
        for p in map.grid.points() {
            let (what, walkable) = outcome(engine, map, p);
            if walkable {
                open.insert((p.x, p.y));
            }
            *self.cells.entry((p.x, p.y)).or_default().entry(what).or_default() += 1;
        }
        self.add_placement_picks(engine, map);
        let reached = reachable(map, &open);
        for cell in open {
            let entry = self.reach.entry(cell).or_default();
            entry.0 += 1;
            entry.1 += u64::from(reached.contains(&cell));
        }
    }

    /// The choices that are made when cells are filled, one for each glyph on the map.
    fn add_placement_picks(&mut self, engine: &mut Engine, map: &MapDef) {
        let glyphs: BTreeSet<u8> = map.grid.points().map(|p| map.grid.glyph(p)).collect();
        let trace = &mut self.trace;
        let mut pick = |function, text: String, segment: usize, weights: Vec<i32>| {
            if weights.len() < 2 {
                return;
            }
            trace.enter(function, &text);
            engine.with_context(|ctx| {
                let chosen = ctx.rng.pick_weighted(weights.iter().copied());
                trace.record(segment, &weights, chosen);
            });
        };
        for glyph in glyphs {
            let shown = char::from(glyph);
            if let Some(keyed) = map.keyed.get(&glyph) {
                let features = &keyed.features.alternatives;
                let texts: Vec<&str> = features.iter().map(|a| a.text.as_str()).collect();
                let weights = features.iter().map(|a| a.weight).collect();
                pick("kfeat", format!("{shown} = {}", texts.join(" / ")), 0, weights);
                for (segment, slot) in keyed.monsters.iter().enumerate() {
                    let texts: Vec<&str> =
                        slot.alternatives.iter().map(|a| a.text.as_str()).collect();
                    let weights = slot.alternatives.iter().map(|a| a.weight).collect();
                    pick("kmons", format!("{shown} = {}", texts.join(" / ")), segment, weights);
                }
                for (segment, slot) in keyed.items.iter().enumerate() {
                    let texts: Vec<&str> =
                        slot.alternatives.iter().map(|a| a.text.as_str()).collect();
                    let weights = slot.alternatives.iter().map(|a| a.weight).collect();
                    pick("kitem", format!("{shown} = {}", texts.join(" / ")), segment, weights);
                }
            } else if let Some(slot) =
                glyph.checked_sub(b'1').and_then(|slot| map.monsters.get(usize::from(slot)))
                && glyph <= b'7'
            {
                let texts: Vec<&str> = slot.alternatives.iter().map(|a| a.text.as_str()).collect();
                let weights = slot.alternatives.iter().map(|a| a.weight).collect();
                pick("mons", texts.join(" / "), 0, weights);
            } else if let Some(slot) =
                glyph.checked_sub(b'd').and_then(|slot| map.items.get(usize::from(slot)))
                && glyph <= b'k'
            {
                let texts: Vec<&str> = slot.alternatives.iter().map(|a| a.text.as_str()).collect();
                let weights = slot.alternatives.iter().map(|a| a.weight).collect();
                pick("item", texts.join(" / "), 0, weights);
            }
        }
    }

    fn valid(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// Alternatives with what was expected and seen: statement, segment, weights, counts.
    fn picks(&self) -> impl Iterator<Item = (String, &Vec<i32>, &Vec<u64>)> {
        self.trace.picks.iter().map(|((_, (function, argument), segment), (weights, counts))| {
            let segment =
                if *segment == 0 { String::new() } else { format!(" (part {})", segment + 1) };
            let argument = argument.split_whitespace().collect::<Vec<_>>().join(" ");
            (format!("{}: {argument}{segment}", function.to_uppercase()), weights, counts)
        })
    }
}

/// What stands on a cell, with the draws that placing it would make, and whether one can walk
/// there.
fn outcome(engine: &mut Engine, map: &MapDef, p: Point) -> (String, bool) {
    let glyph = map.grid.glyph(p);
    let content = &Arc::clone(engine.content());
    engine.with_context(|ctx| match map_feature(map, p, ctx) {
        None => ("outside".to_owned(), false),
        Some(feature) => {
            let feature = content.features().get(feature);
            let flags = feature.flags;
            let walkable = (!flags.solid() && !flags.deep_water() && !flags.lava())
                || (flags.closed_door() && !flags.sealed());
            let keyed = map.keyed.get(&glyph);
            let monster = keyed.is_some_and(|k| !k.monsters.is_empty()) || glyph.is_ascii_digit();
            let item = keyed.is_some_and(|k| !k.items.is_empty())
                || (keyed.is_none() && matches!(glyph, b'd'..=b'k' | b'$' | b'%' | b'*' | b'|'));
            let extra = match (monster, item) {
                (true, _) => " + monster",
                (false, true) => " + item",
                _ => "",
            };
            (format!("{}{extra}", feature.name), walkable)
        }
    })
}

/// Open cells that can be reached from an open cell on the edge of the map.
fn reachable(map: &MapDef, open: &BTreeSet<(i32, i32)>) -> BTreeSet<(i32, i32)> {
    let outside = |x: i32, y: i32| map.grid.get(Point::new(x, y)).is_none_or(|glyph| glyph == b' ');
    let steps = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
    let mut queue: Vec<(i32, i32)> = open
        .iter()
        .copied()
        .filter(|&(x, y)| steps[..4].iter().any(|&(dx, dy)| outside(x + dx, y + dy)))
        .collect();
    let mut reached: BTreeSet<(i32, i32)> = queue.iter().copied().collect();
    while let Some((x, y)) = queue.pop() {
        for (dx, dy) in steps {
            let next = (x + dx, y + dy);
            if open.contains(&next) && reached.insert(next) {
                queue.push(next);
            }
        }
    }
    reached
}

/// How far each cell is from being always the same: the share of rolls that differ from the most
/// frequent outcome, scaled so that an even choice of two shows as 1.
fn heat(tally: &Tally) -> HeatMap {
    let width = tally.sizes.keys().map(|size| size.0).max().unwrap_or(1).max(1);
    let height = tally.sizes.keys().map(|size| size.1).max().unwrap_or(1).max(1);
    let mut values = vec![None; (width * height) as usize];
    for (&(x, y), outcomes) in &tally.cells {
        let total: u64 = outcomes.values().sum();
        let most = outcomes.values().max().copied().unwrap_or(0);
        let always_outside = outcomes.len() == 1 && outcomes.contains_key("outside");
        if !always_outside && total > 0 {
            values[(y * width + x) as usize] = Some((1.0 - most as f64 / total as f64) * 2.0);
        }
    }
    HeatMap { width: width as usize, height: height as usize, values }
}

/// The Lua lines of the map that hold a statement and never ran.
fn silent_lines(tally: &Tally, entry: &LibraryMap) -> Vec<u32> {
    let text = &entry.file.source.text;
    let main = entry.syntax().chunk(ChunkKind::Main);
    let mut lines = Vec::new();
    for piece in &main.pieces {
        let PieceBody::Lua(lua) = &piece.body else { continue };
        let code = lua.str(text).trim().to_owned();
        let structure =
            ["end", "else", "{", "}", "--", "local function", "function", ")", "elseif"];
        let bare = code.is_empty() || structure.iter().any(|word| code.starts_with(word));
        if !bare && !tally.lines.contains(&piece.line) && !lines.contains(&piece.line) {
            lines.push(piece.line);
        }
    }
    lines
}

fn text(tally: &Tally, entry: &LibraryMap) -> Result<String, Failure> {
    let mut out = String::new();
    let valid = tally.valid();
    writeln!(out, "{}: {} rolls", entry.definition.name, tally.rolls)?;
    if tally.invalid > 0 {
        let rate = tally.invalid as f64 / tally.rolls as f64 * 100.0;
        writeln!(out, "  {} failed validation ({rate:.1}%)", tally.invalid)?;
    }
    for (message, count) in &tally.errors {
        writeln!(out, "  {count} stopped by an error: {message}")?;
    }
    let sizes: Vec<String> =
        tally.sizes.iter().map(|((w, h), count)| format!("{w}x{h} ({count})")).collect();
    writeln!(out, "  sizes before turning: {}", sizes.join(", "))?;

    let never: Vec<String> = tally
        .picks()
        .flat_map(|(statement, weights, counts)| {
            let silent = counts.iter().enumerate().filter(|&(i, &n)| n == 0 && weights[i] > 0);
            silent.map(|(i, _)| format!("alternative {} of {statement}", i + 1)).collect::<Vec<_>>()
        })
        .collect();
    let lines = silent_lines(tally, entry);
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

    writeln!(out, "\nAlternatives (expected, observed):")?;
    for (statement, weights, counts) in tally.picks() {
        writeln!(out, "  {statement}")?;
        let total: i64 = weights.iter().map(|&weight| i64::from(weight.max(0))).sum();
        let seen: u64 = counts.iter().sum();
        for (index, (&weight, &count)) in weights.iter().zip(counts).enumerate() {
            let expected = f64::from(weight.max(0)) / total.max(1) as f64 * 100.0;
            let observed = count as f64 / seen.max(1) as f64 * 100.0;
            writeln!(out, "    {:>3}  {expected:>6.2}%  {observed:>6.2}%  {count}", index + 1)?;
        }
    }

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
    writeln!(out, "\nCells that vary (x,y from the top left, before turning):")?;
    for (shares, cells) in &patterns {
        let cells: Vec<String> = cells.iter().map(|(x, y)| format!("{x},{y}")).collect();
        writeln!(out, "  {}: {shares}", cells.join(" "))?;
    }

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
    Ok(out)
}

fn json_of(tally: &Tally, entry: &LibraryMap) -> String {
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
        "map": entry.definition.name,
        "rolls": tally.rolls,
        "valid": tally.valid(),
        "failed_validation": tally.invalid,
        "errors": tally.errors,
        "silent_lua_lines": silent_lines(tally, entry),
        "alternatives": picks,
        "cells": cells,
    });
    format!("{value:#}\n")
}
