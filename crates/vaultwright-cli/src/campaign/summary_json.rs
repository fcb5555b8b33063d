//! What a campaign came to, as JSON.

use serde_json::{Map, Value, json};
use vaultwright::Engine;
use vaultwright::stats::{MapSummary, Occurrence, PlaceSummary, Summary, VetoSummary, unused_maps};

use super::Surveyed;

/// Counts up when a reader has to change.
const VERSION: u32 = 1;

/// Returns the summary of a campaign: all that the text has and no times, so that the same
/// campaign always gives the same bytes.
pub fn summary_json(summary: &Summary, surveyed: &Surveyed) -> Value {
    let Surveyed { engine, manifest, complete, .. } = surveyed;
    let branches = engine.content().branches();
    let places = summary.places.iter();
    let places: Vec<Value> =
        places.map(|(place, of)| place_json(&place.name(branches), of)).collect();
    let maps: Vec<Value> =
        summary.maps.iter().map(|(name, of)| map_json(name, of, engine)).collect();
    let kinds = summary.veto_kinds.iter().map(|(kind, of)| veto_json(kind, of));
    let unread = manifest.unread.iter();
    let unread: Vec<Value> = unread.map(|of| json!({"what": of.what(), "end": of.end})).collect();
    let casualties = summary
        .casualties
        .iter()
        .map(|of| json!({"seed": of.seed, "place": of.place, "map": of.map, "end": of.end}));
    let unused = unused_maps(summary, &surveyed.manifest.plan, engine)
        .into_iter()
        .map(|map| json!({"name": map.name, "kind": map.why.kind(), "why": map.why.to_string()}));
    json!({
        "version": VERSION,
        "program": manifest.program,
        "rules": manifest.rules,
        "pack": manifest.pack,
        "seed": manifest.plan.first_seed,
        "complete": complete,
        "games": summary.games,
        "levels": {"tried": summary.tried, "built": summary.built(), "failed": summary.failed},
        "attempts": summary.attempts,
        "vetoes": summary.vetoes,
        "places": places,
        "maps": maps,
        "veto_kinds": kinds.collect::<Vec<_>>(),
        "not_read": unread,
        "casualties": casualties.collect::<Vec<_>>(),
        "unused": unused.collect::<Vec<_>>(),
    })
}

fn veto_json(kind: &str, of: &VetoSummary) -> Value {
    let reasons = of.reasons.iter();
    let reasons: Vec<Value> =
        reasons.map(|(reason, of)| with(occurrence(of), "reason", reason)).collect();
    let mut out = with(occurrence(&of.all), "kind", kind);
    out["reasons"] = reasons.into();
    out
}

fn place_json(name: &str, of: &PlaceSummary) -> Value {
    let built = of.tried - of.failed;
    let mean = |sum: u64| if built == 0 { Value::Null } else { json!(sum as f64 / built as f64) };
    let mut out = json!({
        "place": name,
        "tried": of.tried,
        "built": built,
        "failed": of.failed,
        "attempts": of.attempts,
        "vetoes": of.vetoes,
        "means": {
            "vaults": mean(of.sums.vaults),
            "monsters": mean(of.sums.monsters),
            "items": mean(of.sums.items),
            "vault_cells": mean(of.sums.vault_cells),
            "zones": mean(of.sums.zones),
            "open": mean(of.sums.open),
            "dead_ends": mean(of.sums.dead_ends),
            "chokepoints": mean(of.sums.chokepoints),
            "loops": mean(of.sums.loops),
            "openness": mean(of.sums.openness),
            "way_down": mean(of.sums.way_down),
        },
    });
    if !of.last_failure.is_empty() {
        out = with(out, "last_failure", &of.last_failure);
    }
    out
}

fn map_json(name: &str, of: &MapSummary, engine: &Engine) -> Value {
    let branches = engine.content().branches();
    let levels: Map<String, Value> =
        of.levels.iter().map(|(place, count)| (place.name(branches), json!(count))).collect();
    let errors = of.errors.iter();
    let errors: Vec<Value> =
        errors.map(|(message, of)| with(occurrence(of), "message", message)).collect();
    let mut out = json!({
        "name": name,
        "tries": of.tries,
        "placed": of.uses,
        "stands": of.successes,
        "stands_as_subvault": of.as_subvault,
        "levels": levels,
    });
    if !errors.is_empty() {
        out["errors"] = errors.into();
    }
    if of.struck.count > 0 {
        out["struck"] = occurrence(&of.struck);
    }
    out
}

/// Returns how often, and where first.
fn occurrence(of: &Occurrence) -> Value {
    json!({"count": of.count, "first": {"seed": of.seed, "place": of.place}})
}

fn with(mut value: Value, key: &str, text: &str) -> Value {
    value[key] = text.into();
    value
}
