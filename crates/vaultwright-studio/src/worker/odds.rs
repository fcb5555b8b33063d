//! How probable a map is, and what it displaces.

use serde_json::{Value, json};
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::stats::{MapOdds, Way, map_odds, odds_in_a_game};
use vaultwright::{Engine, Library};

use super::desk::{Desk, Need};
use super::fault::Fault;

/// How many maps are named that lose most.
const DISPLACED: usize = 5;

pub fn odds(desk: &mut Desk, params: &Value) -> Result<Value, Fault> {
    let (engine, index) = desk.with_map(params, Need::Pack)?;
    let engine = &*engine;
    let library = engine.library();
    let branches = engine.content().branches();
    let everywhere = branches
        .iter()
        .filter(|branch| branch.order_generation.or(branch.order_portal).is_some())
        .flat_map(|branch| {
            (1..=branch.levels).map(|depth| LevelPlace { branch: branch.id, depth })
        });
    let mut rows: Vec<MapOdds> = Vec::new();
    let mut levels: Vec<Value> = Vec::new();
    for place in everywhere {
        for row in map_odds(engine, index, place) {
            levels.push(level(engine, &library, index, place, &row));
            rows.push(row);
        }
    }
    let game = odds_in_a_game(&rows, 1.0);
    Ok(json!({
        "map": library[index].definition.name,
        "levels": levels,
        "game": game,
        "games": if game > 0.0 { Some(1.0 / game) } else { None },
        "exact": "for the first draw of each kind on each level of a game that has them all",
    }))
}

fn level(
    engine: &Engine,
    library: &Library,
    index: MapId,
    place: LevelPlace,
    row: &MapOdds,
) -> Value {
    let named = |(map, share): &(MapId, f64)| json!({ "map": library[*map].definition.name, "share": share });
    let rivals: Vec<Value> = row.rivals.iter().map(named).collect();
    json!({
        "place": row.place,
        "way": row.way.name(),
        "share": row.share,
        "rank": row.rank,
        "of": row.of,
        "rivals": rivals,
        "displaces": displaced(engine, index, place, row).iter().map(named).collect::<Vec<_>>(),
    })
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
    let is_dummy = |map: MapId| library[map].definition.has_tag("dummy");
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
