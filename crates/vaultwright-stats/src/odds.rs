//! The odds of a map, level by level and in a whole game.

use serde_json::{Value, json};
use vaultwright_engine::{Engine, Library, Odds};
use vaultwright_map::{LevelPlace, MapId};

/// The number of maps that are named as rivals.
const RIVALS: usize = 3;

/// How a map can be chosen for a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By its own CHANCE.
    Chance,
    /// By its PLACE.
    Place,
    /// In a draw of minivaults.
    Minivault,
    /// In the draw of a vault.
    Vault,
}

impl Way {
    /// Returns the name of the way.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Way::Chance => "chance",
            Way::Place => "place",
            Way::Minivault => "minivault",
            Way::Vault => "vault",
        }
    }
}

/// The odds of a map on a level, in one way.
#[derive(Clone, Debug)]
pub struct MapOdds {
    /// The level.
    pub place: String,
    /// How it is chosen.
    pub way: Way,
    /// Its share in the first draw of this kind.
    pub share: f64,
    /// Its rank among the maps in the draw, from 1; 1 in a draw of its own.
    pub rank: usize,
    /// The number of maps in the draw.
    pub of: usize,
    /// The maps with the largest shares, by index, with their shares.
    pub rivals: Vec<(MapId, f64)>,
    /// The share to which WEIGHT or CHANCE could bring it at most: CHANCEs of others are drawn
    /// before any WEIGHT counts, and a group of maps shares its CHANCE by WEIGHT.
    pub limit: f64,
    /// Its WEIGHT there; `None` for the usual 10.
    pub weight: Option<i32>,
    /// The probability that, if this map is not drawn, another one is that shares a `uniq_` tag
    /// with it. A game has only one map with such a tag.
    pub excluding: f64,
}

impl MapOdds {
    /// Returns its share if its WEIGHT or CHANCE is multiplied, against the same rivals.
    #[must_use]
    pub fn share_times(&self, factor: f64) -> f64 {
        let own = self.share / self.limit;
        match self.way {
            _ if self.share <= 0.0 => 0.0,
            Way::Chance => (self.share * factor).min(self.limit),
            _ if own >= 1.0 => self.limit,
            _ => self.limit * own * factor / (own * factor + 1.0 - own),
        }
    }

    /// Returns its CHANCE there, as a share of 1; `None` if it is drawn by WEIGHT.
    #[must_use]
    pub fn chance(&self) -> Option<f64> {
        (self.way == Way::Chance).then(|| self.share / self.limit)
    }

    /// Returns the row as JSON, with the names of maps in a library.
    #[must_use]
    pub fn to_json(&self, library: &Library) -> Value {
        json!({
            "place": self.place,
            "way": self.way.name(),
            "share": self.share,
            "rank": self.rank,
            "of": self.of,
            "rivals": shares_json(&self.rivals, library),
            "excluding": self.excluding,
        })
    }
}

/// Returns maps and their shares as JSON, with the names of the maps in a library.
#[must_use]
pub fn shares_json(shares: &[(MapId, f64)], library: &Library) -> Value {
    let named =
        |(map, share): &(MapId, f64)| json!({"map": library[*map].selection.name, "share": share});
    shares.iter().map(named).collect()
}

/// Returns the odds of a map on an empty level, for each way in which it can be chosen.
#[must_use]
pub fn map_odds(engine: &Engine, index: MapId, place: LevelPlace) -> Vec<MapOdds> {
    let Odds { minivaults, vaults, placed, chances } = engine.odds(place);
    let name = place.name(engine.content().branches());
    let library = engine.library();
    let selection = &library[index].selection;
    let excludes = |other: MapId| {
        let tags = &library[other].selection.tags;
        other != index && tags.iter().any(|tag| tag.starts_with("uniq_") && selection.has_tag(tag))
    };
    let ways = [
        (Way::Chance, chances),
        (Way::Place, placed),
        (Way::Minivault, minivaults),
        (Way::Vault, vaults),
    ];
    // Maps chosen in a way in which this map cannot be may exclude it, too: the first row contains
    // those.
    let mut others = 1.0;
    let mut rows: Vec<MapOdds> = Vec::new();
    for (way, mut list) in ways {
        let excluding = list.iter().filter(|(map, _)| excludes(*map));
        let excluding = excluding.map(|(_, share)| share).sum::<f64>().min(1.0);
        let own_share = list.iter().find(|&&(map, share)| map == index && share > 0.0);
        let Some(&(_, share)) = own_share else {
            others *= 1.0 - excluding;
            continue;
        };
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let own = way == Way::Chance;
        let limit = match way {
            Way::Chance => share / chance_of(&library, index, &list).max(share),
            Way::Place => 1.0,
            Way::Minivault | Way::Vault => 1.0 - by_chance(engine, &list, place),
        };
        let rank = list.iter().filter(|(_, other)| *other > share).count() + 1;
        let rivals = list.iter().copied().filter(|(map, other)| *map != index && *other > share);
        rows.push(MapOdds {
            place: name.clone(),
            way,
            share,
            rank: if own { 1 } else { rank },
            of: if own { 1 } else { list.len() },
            rivals: if own { Vec::new() } else { rivals.take(RIVALS).collect() },
            limit,
            weight: engine.with_tables(|ctx| selection.weight.on(place, ctx)),
            excluding: (excluding / (1.0 - share).max(f64::MIN_POSITIVE)).min(1.0),
        });
    }
    if let Some(first) = rows.first_mut() {
        first.excluding = 1.0 - (1.0 - first.excluding) * others;
    }
    rows
}

/// Returns the CHANCE that a map has, alone or with the others of its group.
fn chance_of(library: &Library, index: MapId, list: &[(MapId, f64)]) -> f64 {
    let group = |map: MapId| {
        let tags = &library[map].selection.tags;
        tags.iter().find(|tag| tag.starts_with("chance_"))
    };
    let own = group(index);
    let of_group =
        |&&(map, _): &&(MapId, f64)| map == index || (own.is_some() && group(map) == own);
    list.iter().filter(of_group).map(|(_, share)| share).sum()
}

/// Returns the share of a draw that maps with a CHANCE take before the others are weighed.
fn by_chance(engine: &Engine, list: &[(MapId, f64)], place: LevelPlace) -> f64 {
    let library = engine.library();
    engine.with_tables(|ctx| {
        let chances =
            list.iter().filter(|&&(map, _)| library[map].selection.chance.on(place, ctx).is_some());
        chances.map(|(_, share)| share).sum()
    })
}

/// Returns the probability that a map is drawn on at least one of the levels, in their order, if
/// its WEIGHT or CHANCE is multiplied by `factor` against the same rivals. Once a map that excludes
/// it has been drawn, it is not drawn any more. Otherwise levels are treated as independent,
/// although rivals that have been drawn drop out.
#[must_use]
pub fn odds_in_a_game(rows: &[MapOdds], factor: f64) -> f64 {
    odds_in_a_game_of(rows, &|row| row.share_times(factor))
}

/// As [`odds_in_a_game`], with a function that says the share on each level.
#[must_use]
pub fn odds_in_a_game_of(rows: &[MapOdds], share: &dyn Fn(&MapOdds) -> f64) -> f64 {
    let (mut drawn, mut open) = (0.0, 1.0);
    for row in rows {
        let share = share(row);
        drawn += open * share;
        open *= (1.0 - share) * (1.0 - row.excluding);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_levels_make_the_share_of_a_game() {
        let row = |way, share| MapOdds {
            place: "D:1".to_owned(),
            way,
            share,
            rank: 1,
            of: 2,
            rivals: Vec::new(),
            limit: 1.0,
            weight: None,
            excluding: 0.0,
        };
        let rows = [row(Way::Minivault, 0.5), row(Way::Chance, 0.5)];
        assert!((odds_in_a_game(&rows, 1.0) - 0.75).abs() < 1e-12);
        // With twice the weight against the same rivals, two of three, not all.
        assert!((odds_in_a_game(&rows[..1], 2.0) - 2.0 / 3.0).abs() < 1e-12);
        assert!((odds_in_a_game(&rows[1..], 2.0) - 1.0).abs() < 1e-12);
        // Of what a CHANCE of 20 % leaves, 3 of 4 instead of 1 of 2.
        let behind = MapOdds { limit: 0.8, ..row(Way::Vault, 0.4) };
        assert!((behind.share_times(3.0) - 0.6).abs() < 1e-12);
        assert!((behind.share_times(1e12) - 0.8).abs() < 1e-9);
        // One of two in a group with a CHANCE of 50 %.
        let grouped = MapOdds { limit: 0.5, ..row(Way::Chance, 0.25) };
        assert_eq!((grouped.share_times(4.0), grouped.chance()), (0.5, Some(0.5)));
    }

    #[test]
    fn of_maps_that_exclude_each_other_a_game_has_one() {
        let row = MapOdds {
            place: "D:1".to_owned(),
            way: Way::Chance,
            share: 0.25,
            rank: 1,
            of: 1,
            rivals: Vec::new(),
            limit: 1.0,
            weight: None,
            excluding: 1.0 / 3.0,
        };
        // On the second level, half of the games are decided.
        let rows = [row.clone(), row];
        assert!((odds_in_a_game(&rows, 1.0) - 0.375).abs() < 1e-12);
        let many: Vec<MapOdds> = std::iter::repeat_n(rows[0].clone(), 100).collect();
        assert!((odds_in_a_game(&many, 1.0) - 0.5).abs() < 1e-9);
    }
}
