//! Maps as JSON.

use serde_json::{Value, json};
use vaultwright_content::Content;
use vaultwright_map::MapDef;

use crate::legend;

/// Returns a resolved map as JSON: name, size, rows, tags, legend, markers.
pub fn map_to_json(map: &MapDef, content: &Content) -> Value {
    let rows: Vec<String> =
        map.grid.rows().map(|row| row.iter().map(|&glyph| char::from(glyph)).collect()).collect();
    let legend: Vec<Value> = legend(map, content)
        .into_iter()
        .map(|entry| {
            let outcomes: Vec<Value> = entry
                .outcomes
                .iter()
                .map(|(what, share)| json!({ "what": what, "share": share }))
                .collect();
            let mut value = json!({
                "glyph": char::from(entry.glyph).to_string(),
                "cells": entry.cells,
                "outcomes": outcomes,
            });
            if !entry.carries.is_empty() {
                value["carries"] = json!(entry.carries);
            }
            value
        })
        .collect();
    let markers: Vec<Value> =
        map.markers.iter().map(|marker| json!({ "x": marker.at.x, "y": marker.at.y })).collect();
    let subvaults: Vec<Value> = map
        .subvaults
        .iter()
        .map(|place| {
            json!({
                "name": place.map.name,
                "from": [place.top_left.x, place.top_left.y],
                "to": [place.bottom_right.x, place.bottom_right.y],
            })
        })
        .collect();
    json!({
        "name": map.name,
        "width": map.grid.width(),
        "height": map.grid.height(),
        "orient": map.orient.map(|orient| orient.name()),
        "tags": map.tags,
        "rows": rows,
        "legend": legend,
        "markers": markers,
        "subvaults": subvaults,
    })
}
