//! One cell of a roll: what made it, and what else it can be.

use serde_json::{Value, json};
use vaultwright::map::{FeatureKind, MapDef, Point, SUBVAULT_GLYPH};
use vaultwright::render::legend;

use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::{params, statements};

pub fn cell(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let seed = params::seed(params)?;
    let (x, y) = params::cell(params)?;
    let (engine, index) = pack.with_map(params, Need::File)?;
    let resolved =
        engine.resolve_with_lines(index, seed).map_err(|error| Fault::of_roll(&error))?;
    let map = &resolved.map;
    let p = Point::new(x, y);
    let glyph = map.grid.get(p).ok_or_else(|| Fault::new("the roll has no such cell"))?;
    let library = engine.library();
    let entry = &library[index];
    let lines = resolved.lines.as_ref().map_or(&[][..], |lines| lines.at(p));
    let all = statements::statements(entry);
    let source = &entry.file.source.text;
    let mut made_by: Vec<Value> = lines
        .iter()
        .map(|&line| {
            let what = String::from_utf8_lossy(&source[entry.file.lines.line(line)]);
            json!({ "line": line - 1, "what": what.trim_end() })
        })
        .collect();
    let of_glyph = all.iter().filter(|s| s.glyphs.contains(&glyph) && s.at_end);
    made_by.extend(of_glyph.map(|s| json!({ "line": s.line, "what": s.text })));
    let content = engine.content();
    let entry = legend(map, content).into_iter().find(|entry| entry.glyph == glyph);
    let alternatives: Vec<Value> = match &entry {
        Some(entry) => {
            let one = |(what, share): &(String, f64)| json!({ "what": what, "probability": share });
            entry.outcomes.iter().map(one).collect()
        }
        None => Vec::new(),
    };
    let feature = match (glyph, &entry) {
        (SUBVAULT_GLYPH, _) => private_name(map, p),
        (_, Some(entry)) => in_words(&entry.outcomes),
        (_, None) => String::new(),
    };
    let within = map.subvaults.iter().filter(|place| {
        let (a, b) = (place.top_left, place.bottom_right);
        (a.x..=b.x).contains(&x) && (a.y..=b.y).contains(&y)
    });
    let subvaults: Vec<&str> = within.map(|place| place.map.name.as_str()).collect();
    let shown = if glyph == SUBVAULT_GLYPH { ' ' } else { char::from(glyph) };
    Ok(json!({
        "glyph": shown.to_string(),
        "feature": feature,
        "line": lines.last().map(|line| line - 1),
        "made_by": made_by,
        "alternatives": alternatives,
        "carries": entry.map(|entry| entry.carries).unwrap_or_default(),
        "subvaults": subvaults,
    }))
}

/// Returns what can stand somewhere, in a line.
pub fn in_words(outcomes: &[(String, f64)]) -> String {
    let words = outcomes.iter().take(6).map(|(what, share)| match *share {
        1.0 => what.clone(),
        share => format!("{what} {:.0} %", share * 100.0),
    });
    let mut words: Vec<String> = words.collect();
    if outcomes.len() > words.len() {
        words.push("\u{2026}".to_owned());
    }
    words.join(", ")
}

/// Returns what a cell of a subvault is.
pub fn private_name(map: &MapDef, p: Point) -> String {
    let Some(spec) = map.spec_at(p) else { return String::new() };
    let features = spec.features.alternatives.iter().map(|choice| match &choice.kind {
        FeatureKind::Glyph(glyph) => char::from(*glyph).to_string(),
        _ => choice.text.clone(),
    });
    let monsters = spec.monsters.iter().flat_map(|slot| &slot.alternatives).map(|a| a.text.clone());
    let items = spec.items.iter().flat_map(|slot| &slot.alternatives).map(|a| a.text.clone());
    features.chain(monsters).chain(items).collect::<Vec<_>>().join(", ")
}
