//! How probable a map is, and what it displaces.

use serde_json::{Value, json};
use vaultwright::Engine;
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::stats::{MapOdds, Way, map_odds, odds_in_a_game, shares_json};

use super::fault::Fault;
use super::pack::{Need, WorkerPack};

/// How many maps are named that lose most.
const DISPLACED: usize = 5;

pub fn odds(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let (engine, index) = pack.with_map(params, Need::Pack)?;
    let engine = &*engine;
    let library = engine.library();
    let mut rows: Vec<MapOdds> = Vec::new();
    let mut levels: Vec<Value> = Vec::new();
    for place in LevelPlace::all(engine.content().branches()) {
        for row in map_odds(engine, index, place) {
            let mut level = row.to_json(&library);
            level["displaces"] = shares_json(&displaced(engine, index, place, &row), &library);
            levels.push(level);
            rows.push(row);
        }
    }
    let game = odds_in_a_game(&rows, 1.0);
    Ok(json!({
        "map": library[index].selection.name,
        "levels": levels,
        "game": game,
        "games": if game > 0.0 { Some(1.0 / game) } else { None },
        "exact": "for the first draw of each kind on each level of a game that has them all",
    }))
}

/// Returns the maps that lose most of their share to this one: were it not there, each would have
/// so much more.
fn displaced(engine: &Engine, index: MapId, place: LevelPlace, row: &MapOdds) -> Vec<(MapId, f64)> {
    let odds = engine.odds(place);
    let list = match row.way {
        Way::Chance => return Vec::new(),
        Way::Place => odds.placed,
        Way::Minivault => odds.minivaults,
        Way::Vault => odds.vaults,
    };
    let library = engine.library();
    // Drawing one of these is drawing none.
    let is_dummy = |map: MapId| library[map].selection.has_tag("dummy");
    let others = (1.0 - row.share).max(f64::MIN_POSITIVE);
    let mut lost: Vec<(MapId, f64)> = list
        .into_iter()
        .filter(|(map, share)| *map != index && *share > 0.0 && !is_dummy(*map))
        .map(|(map, share)| (map, share / others - share))
        .collect();
    lost.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    lost.truncate(DISPLACED);
    lost
}
