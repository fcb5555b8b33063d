//! What each glyph of a vault can become.

use std::collections::{BTreeMap, BTreeSet};

use crate::level_json::{mask_names, named_bits, property_names};
use vaultwright_content::Content;
use vaultwright_map::{ItemSlot, MapDef, MarkerPayload, MonsterSlot, SUBVAULT_GLYPH};

/// What a glyph of a map can become.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// The glyph.
    pub glyph: u8,
    /// The number of cells that show it.
    pub cells: usize,
    /// What it can be, with the probabilities.
    pub outcomes: Vec<(String, f64)>,
    /// What else its cells have, without duplicates: masks, properties, colours, tiles, heights,
    /// markers.
    pub carries: Vec<String>,
}

/// Returns the legend of a resolved map, by glyph, without blanks and subvault cells.
pub fn legend(map: &MapDef, content: &Content) -> Vec<LegendEntry> {
    let mut cells: BTreeMap<u8, usize> = BTreeMap::new();
    for p in map.grid.points() {
        *cells.entry(map.grid.glyph(p)).or_default() += 1;
    }
    cells.remove(&b' ');
    cells.remove(&SUBVAULT_GLYPH);
    let entries = cells.into_iter().map(|(glyph, cells)| LegendEntry {
        glyph,
        cells,
        outcomes: meaning(map, glyph, content),
        carries: carries(map, glyph, content),
    });
    entries.collect()
}

fn carries(map: &MapDef, glyph: u8, content: &Content) -> Vec<String> {
    let mut list: BTreeSet<String> = BTreeSet::new();
    for p in map.grid.points().filter(|&p| map.grid.glyph(p) == glyph) {
        if let Some(spec) = map.spec_at(p) {
            let (set, unset) = (spec.mask.set, spec.mask.unset);
            let names = mask_names(content);
            list.extend(named_bits(set, &names).map(str::to_owned));
            list.extend(named_bits(unset, &names).map(|mask| format!("not {mask}")));
        }
        let markers = map.markers.iter().filter(|marker| marker.at == p);
        list.extend(markers.map(|marker| match marker.payload {
            MarkerPayload::Feature(id) => {
                format!("a marker for {}", content.features().get(id).name)
            }
            MarkerPayload::Lua(_) => "a Lua marker".to_owned(),
        }));
        let Some(overlay) = map.overlay.get(p) else { continue };
        let names = property_names(content);
        list.extend(named_bits(overlay.properties, &names).map(str::to_owned));
        if let Some(colour) = &overlay.colour {
            list.insert(format!("colour {colour}"));
        }
        let tiles = &overlay.tiles;
        for (kind, tile) in
            [("floor tile", &tiles.floor), ("rock tile", &tiles.rock), ("tile", &tiles.feature)]
        {
            list.extend(tile.as_ref().map(|tile| format!("{kind} {tile}")));
        }
        list.extend(overlay.height.map(|height| format!("height {height}")));
    }
    list.into_iter().collect()
}

/// Returns what a glyph of a map can be, with the probabilities.
pub fn meaning(map: &MapDef, glyph: u8, content: &Content) -> Vec<(String, f64)> {
    let keyed = map.keyed.get(&glyph);
    let mut list = Vec::new();
    if let Some(keyed) = keyed {
        let features = &keyed.features.alternatives;
        list.extend(shares(features.iter().map(|choice| (choice.text.as_str(), choice.weight))));
        for slot in &keyed.monsters {
            list.extend(monsters(slot));
        }
        for slot in &keyed.items {
            list.extend(items(slot));
        }
    }
    if !list.is_empty() {
        return list;
    }
    let slot = |first: u8| usize::from(glyph - first);
    match glyph {
        b'1'..=b'7' => match map.monsters.get(slot(b'1')) {
            Some(slot) => monsters(slot),
            None => vec![("random monster".into(), 1.0)],
        },
        b'd'..=b'k' => match map.items.get(slot(b'd')) {
            Some(slot) => items(slot),
            None => vec![("nothing".into(), 1.0)],
        },
        _ => vec![(default_meaning(glyph, content), 1.0)],
    }
}

fn default_meaning(glyph: u8, content: &Content) -> String {
    match glyph {
        b'0' => "random monster".into(),
        b'8' => "random monster, far out of depth".into(),
        b'9' => "random monster, out of depth".into(),
        b'$' => "gold".into(),
        b'%' => "random item".into(),
        b'*' => "better item".into(),
        b'|' => "good item".into(),
        b'@' => "floor, entry".into(),
        b'^' => "random trap".into(),
        b'C' => "random altar".into(),
        b'B' => "temple altar".into(),
        b't' => "tree".into(),
        _ => {
            let feature = content.features().by_map_glyph(glyph);
            feature.map_or("floor".into(), |id| content.features().get(id).name.clone())
        }
    }
}

fn monsters(slot: &MonsterSlot) -> Vec<(String, f64)> {
    shares(slot.alternatives.iter().map(|a| (a.text.as_str(), a.weight)))
}

fn items(slot: &ItemSlot) -> Vec<(String, f64)> {
    shares(slot.alternatives.iter().map(|a| (a.text.as_str(), a.weight)))
}

fn shares<'a>(alternatives: impl Iterator<Item = (&'a str, i32)>) -> Vec<(String, f64)> {
    let list: Vec<(&str, i32)> = alternatives.collect();
    let total: i64 = list.iter().map(|&(_, weight)| i64::from(weight.max(0))).sum();
    let share = |weight: i32| f64::from(weight.max(0)) / total.max(1) as f64;
    list.iter().map(|&(text, weight)| (without_weight(text), share(weight))).collect()
}

/// Returns the spec without its weight, which is shown as a share instead.
fn without_weight(text: &str) -> String {
    let words = text.split_whitespace();
    let kept: Vec<&str> =
        words.filter(|word| !word.starts_with("w:") && !word.starts_with("weight:")).collect();
    kept.join(" ")
}
