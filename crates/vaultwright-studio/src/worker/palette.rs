//! What the glyphs of a map mean.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use vaultwright::map::{MapDef, SUBVAULT_GLYPH, Transform};
use vaultwright::render::meaning;
use vaultwright::syntax::{Argument, ChunkKind, Header, PieceBody};
use vaultwright::{Engine, LibraryMap};

use super::cell::in_words;
use super::colours::look_of;
use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::params;
use super::statements::statements;

pub fn palette(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let seed = params::seed(params)?;
    let (engine, index) = pack.with_map(params, Need::File)?;
    let library = engine.library();
    let entry = &library[index];
    // What the last statement says counts, so that a roll has to say it.
    let map = (seed..seed + 4).find_map(|seed| engine.roll(index, seed, None).map);
    engine.take_messages();
    let map = map.ok_or_else(|| Fault::new("the map could not be rolled"))?;
    let all = statements(entry);
    let mut cells: BTreeMap<u8, usize> = BTreeMap::new();
    for glyph in drawn(entry) {
        *cells.entry(glyph).or_default() += 1;
    }
    for &glyph in map.grid.rows().flatten().chain(map.keyed.keys()) {
        cells.entry(glyph).or_default();
    }
    for statement in all.iter().filter(|statement| statement.at_end) {
        for &glyph in &statement.glyphs {
            cells.entry(glyph).or_default();
        }
    }
    cells.retain(|&glyph, _| glyph > b' ' && glyph != SUBVAULT_GLYPH);
    let changes = changes(entry);
    let glyphs: Vec<Value> = cells
        .into_iter()
        .map(|(glyph, count)| {
            let lines: Vec<u32> = all
                .iter()
                .filter(|s| s.glyphs.contains(&glyph) || s.becomes.contains(&glyph))
                .map(|s| s.line)
                .collect();
            let becomes = changes.iter().find(|(from, ..)| *from == glyph);
            one(engine, &map, glyph, count, lines, becomes)
        })
        .collect();
    Ok(json!({ "glyphs": glyphs }))
}

type Change = (u8, Vec<(u8, f64)>);

fn one(
    engine: &Engine,
    map: &MapDef,
    glyph: u8,
    count: usize,
    lines: Vec<u32>,
    becomes: Option<&Change>,
) -> Value {
    let content = engine.content();
    let outcomes: Vec<(String, f64, u8)> = match becomes {
        Some((_, into)) => into
            .iter()
            .flat_map(|&(to, share)| {
                let meant = meaning(map, to, content).into_iter();
                meant.map(move |(what, part)| (what, part * share, to))
            })
            .collect(),
        None => meaning(map, glyph, content)
            .into_iter()
            .map(|(what, share)| (what, share, glyph))
            .collect(),
    };
    let shown: Vec<Value> = outcomes
        .iter()
        .map(|(what, share, glyph)| {
            let look = look_of(what, content);
            let (symbol, colour) =
                look.unwrap_or_else(|| (char::from(*glyph).to_string(), "#b8b8b2".to_owned()));
            json!({ "what": what, "probability": share, "symbol": symbol, "colour": colour })
        })
        .collect();
    let pairs: Vec<(String, f64)> =
        outcomes.iter().map(|(what, share, _)| (what.clone(), *share)).collect();
    let mut value = json!({
        "glyph": char::from(glyph).to_string(),
        "meaning": in_words(&pairs),
        "cells": count,
        "outcomes": shown,
        "lines": lines,
    });
    if let [(_, share)] = &pairs[..] {
        value["probability"] = (*share).into();
    }
    value
}

/// Returns the glyphs of the drawing as it is written.
fn drawn(entry: &LibraryMap) -> Vec<u8> {
    let text = &entry.file.source.text;
    let rows =
        entry.syntax().chunk(ChunkKind::Map).pieces.iter().filter_map(|piece| match &piece.body {
            PieceBody::Row(row) => Some(row.bytes(text)),
            _ => None,
        });
    rows.flatten().copied().collect()
}

/// Returns what each SUBST turns its glyphs into, with shares; a later one acts on what an earlier
/// one has made.
fn changes(entry: &LibraryMap) -> Vec<Change> {
    let text = &entry.file.source.text;
    let mut changes: Vec<Change> = Vec::new();
    for piece in &entry.syntax().chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(Header::Subst, Argument::Text(argument)) = &piece.body else {
            continue;
        };
        let Ok(Some(Transform::Subst { key, list, .. })) = Transform::subst(argument.bytes(text))
        else {
            continue;
        };
        let total: i32 = list.weights.iter().sum();
        let into: Vec<(u8, f64)> = list
            .glyphs
            .iter()
            .zip(list.weights.iter())
            .map(|(&glyph, &weight)| (glyph, f64::from(weight) / f64::from(total.max(1))))
            .collect();
        for (_, before) in &mut changes {
            *before = before
                .iter()
                .flat_map(|&(glyph, share)| match key.contains(&glyph) {
                    true => into.iter().map(|&(to, part)| (to, part * share)).collect(),
                    false => vec![(glyph, share)],
                })
                .collect();
        }
        for &glyph in key.iter() {
            if !changes.iter().any(|(from, _)| *from == glyph) {
                changes.push((glyph, into.clone()));
            }
        }
    }
    changes
}
