//! The level on which a map is most likely.

use std::collections::{BTreeMap, HashSet};

use vaultwright::map::{LevelPlace, MapId};
use vaultwright::{Engine, Odds};

/// A level, and the probability that a map is drawn there.
#[derive(Clone, Debug, PartialEq)]
pub struct Likely {
    /// The level, such as `D:3`.
    pub place: String,
    /// The probability.
    pub chance: f64,
}

/// Returns the level on which each of these maps is most likely. Maps that are only drawn by tag
/// are left out.
#[must_use]
pub fn likeliest(engine: &Engine, maps: &[MapId]) -> BTreeMap<MapId, Likely> {
    let wanted: HashSet<MapId> = maps.iter().copied().collect();
    let mut best: BTreeMap<MapId, Likely> = BTreeMap::new();
    let branches = engine.content().branches();
    for place in LevelPlace::all(branches) {
        let Odds { minivaults, vaults, placed, chances } = engine.odds(place);
        for (map, chance) in [minivaults, vaults, placed, chances].into_iter().flatten() {
            let is_better = best.get(&map).is_none_or(|other| other.chance < chance);
            if chance > 0.0 && is_better && wanted.contains(&map) {
                best.insert(map, Likely { place: place.name(branches), chance });
            }
        }
    }
    best
}
