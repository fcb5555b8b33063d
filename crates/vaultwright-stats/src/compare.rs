//! Significant differences between two campaigns, to review a change to vaults.

use std::collections::{BTreeMap, BTreeSet};

use crate::per_game::{Games, Hits, test_hits, test_shares};
use crate::record::{GameRecord, LevelRecord};
use crate::shard::Shard;
use crate::two_samples::compare_counts;

/// The share of false alarms among all differences that are considered real.
pub const FALSE_ALARMS: f64 = 0.01;

/// The figures of a campaign that are compared.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// The games, with the levels that were built.
    pub games: Games,
    /// The games, with the attempts at their levels.
    pub attempts: Games,
    places: BTreeMap<String, PlaceObservations>,
    maps: BTreeMap<String, Hits>,
    monsters: BTreeMap<String, Hits>,
    vetoes: BTreeMap<String, Hits>,
    /// The number of games that have a level of a branch.
    branches: BTreeMap<String, u64>,
    /// The mean number of cells of a feature on the levels of a branch, for each game that has it.
    features: BTreeMap<(String, String), Vec<f64>>,
}

/// What is counted of one game: on how many levels things are, or in how many attempts.
#[derive(Default)]
struct GameCounts<'r> {
    levels: u64,
    attempts: u64,
    maps: BTreeMap<&'r String, u64>,
    monsters: BTreeMap<&'r String, u64>,
    vetoes: BTreeMap<&'r String, u64>,
    branches: BTreeMap<&'r String, u64>,
    features: BTreeMap<(&'r String, &'r String), u64>,
}

#[derive(Clone, Debug, Default)]
struct PlaceObservations {
    tried: u64,
    failed: u64,
    quantities: BTreeMap<&'static str, Vec<f64>>,
}

/// The subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The share of levels with a map.
    Map,
    /// The share of games with a map on at least one level.
    GamesWithMap,
    /// The share of levels with a kind of monster.
    Monster,
    /// The share of attempts discarded for a reason.
    Veto,
    /// The share of levels that could not be built.
    Failure,
    /// A number for each level of a place.
    Quantity,
    /// The number of cells of a feature on each level of a branch.
    Feature,
}

impl Subject {
    /// All subjects, the most significant first.
    pub const ALL: [Subject; 7] = [
        Subject::Map,
        Subject::GamesWithMap,
        Subject::Veto,
        Subject::Failure,
        Subject::Quantity,
        Subject::Feature,
        Subject::Monster,
    ];

    /// Formats a value for people.
    pub fn show(self, value: f64) -> String {
        match self {
            Subject::Quantity | Subject::Feature => format!("{value:.2}"),
            _ => format!("{:.2} %", value * 100.0),
        }
    }

    /// Returns a description of its values.
    pub fn describe(self) -> &'static str {
        match self {
            Subject::Map => "share of levels with the map",
            Subject::GamesWithMap => "share of games with the map",
            Subject::Monster => "share of levels with the monster",
            Subject::Veto => "share of attempts vetoed for",
            Subject::Failure => "share of levels that failed",
            Subject::Quantity => "mean for a level",
            Subject::Feature => "mean cells on a level of a game",
        }
    }
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The subject.
    pub subject: Subject,
    /// The map, monster, reason, level or feature.
    pub name: String,
    /// The share or mean before.
    pub old: f64,
    /// The share or mean now.
    pub new: f64,
    /// The test: `Fisher` or `permutation` (exact), `chi²`, `chi² of games` or `KS`.
    pub test: &'static str,
    /// The probability of such a large difference if there is none.
    pub p: f64,
    /// The share of false alarms if this and all more significant differences are considered real
    /// (Benjamini and Hochberg).
    pub q: f64,
    /// The effect size: Cohen's h for shares, Cohen's d for means. 0.2 is small, 0.5 medium, 0.8
    /// large.
    pub effect: f64,
}

impl Difference {
    /// Returns whether the difference is significant.
    pub fn is_real(&self) -> bool {
        self.q <= FALSE_ALARMS
    }
}

impl Observations {
    /// Adds the records of a shard.
    pub fn add(&mut self, shard: &Shard) {
        shard.games.iter().for_each(|game| self.add_game(game));
    }

    fn add_game(&mut self, game: &GameRecord) {
        let mut counts = GameCounts::default();
        for level in &game.levels {
            counts.add(level);
            self.add_place(level);
        }
        let GameCounts { levels, attempts, maps, monsters, vetoes, branches, features } = counts;
        self.games.add(levels);
        self.attempts.add(attempts);
        for (sums, counts, of) in [
            (&mut self.maps, maps, levels),
            (&mut self.monsters, monsters, levels),
            (&mut self.vetoes, vetoes, attempts),
        ] {
            for (name, count) in counts {
                sums.entry(name.clone()).or_default().add(count, of);
            }
        }
        for ((branch, feature), cells) in features {
            let levels = branches.get(branch).copied().unwrap_or(1);
            let list = self.features.entry((branch.clone(), feature.clone())).or_default();
            list.push(cells as f64 / levels as f64);
        }
        for branch in branches.into_keys() {
            *self.branches.entry(branch.clone()).or_default() += 1;
        }
    }

    /// Adds what is compared place by place, of which a game has one level each.
    fn add_place(&mut self, level: &LevelRecord) {
        let here = self.places.entry(level.place.clone()).or_default();
        here.tried += 1;
        if !level.built {
            here.failed += 1;
            return;
        }
        let cells: u32 = level.vault_cells.iter().map(|byte| byte.count_ones()).sum();
        for (what, number) in [
            ("attempts", level.attempts),
            ("vaults", level.own_vaults().count() as u32),
            ("cells of vaults", cells),
            ("monsters", level.monsters.len() as u32),
            ("items", level.items.len() as u32),
            ("zones", level.zones),
            ("open cells", level.shape.open),
            ("dead ends", level.shape.dead_ends),
            ("chokepoints", level.shape.chokepoints),
            ("loops", level.shape.loops),
            ("openness", level.shape.openness),
            ("way down", level.shape.way_down),
        ] {
            here.quantities.entry(what).or_default().push(f64::from(number));
        }
    }
}

impl<'r> GameCounts<'r> {
    fn add(&mut self, level: &'r LevelRecord) {
        self.attempts += u64::from(level.attempts);
        for veto in &level.vetoes {
            *self.vetoes.entry(&veto.kind).or_default() += 1;
        }
        if !level.built {
            return;
        }
        self.levels += 1;
        *self.branches.entry(&level.branch).or_default() += 1;
        let maps: BTreeSet<&String> = level.vaults.iter().map(|vault| &vault.map).collect();
        for map in maps {
            *self.maps.entry(map).or_default() += 1;
        }
        let kinds = level.monsters.iter().map(|monster| &monster.kind);
        let kinds: BTreeSet<&String> = kinds.filter(|kind| !kind.is_empty()).collect();
        for kind in kinds {
            *self.monsters.entry(kind).or_default() += 1;
        }
        for feature in &level.features {
            let cells = self.features.entry((&level.branch, &feature.feature)).or_default();
            *cells += u64::from(feature.count);
        }
    }
}

/// Returns all comparisons, the most significant first. Levels of one game hang together, so shares
/// of levels and attempts, and cells of branches, are tested with the game as the unit.
pub fn compare(old: &Observations, new: &Observations) -> Vec<Difference> {
    let mut found = Vec::new();
    let games = (&old.games, &new.games);
    found.extend(shares(Subject::Map, (&old.maps, &new.maps), games));
    if (old.games.levels, new.games.levels) != (old.games.count, new.games.count) {
        found.extend(shares_of_games((&old.maps, &new.maps), games));
    }
    found.extend(shares(Subject::Monster, (&old.monsters, &new.monsters), games));
    let attempts = (&old.attempts, &new.attempts);
    found.extend(shares(Subject::Veto, (&old.vetoes, &new.vetoes), attempts));
    for (place, before) in &old.places {
        let Some(now) = new.places.get(place) else { continue };
        if before.failed + now.failed > 0 {
            let (failed, tried) = ((before.failed, now.failed), (before.tried, now.tried));
            found.push(share(Subject::Failure, place, failed, tried));
        }
        for (what, before) in &before.quantities {
            let Some(now) = now.quantities.get(what) else { continue };
            found.push(means(Subject::Quantity, format!("{place}: {what}"), before, now));
        }
    }
    let features: BTreeSet<_> = old.features.keys().chain(new.features.keys()).collect();
    for key in features {
        let (branch, feature) = key;
        let padded = |observations: &Observations| {
            let games = observations.branches.get(branch).copied().unwrap_or(0) as usize;
            let mut means = observations.features.get(key).cloned().unwrap_or_default();
            means.resize(games.max(means.len()), 0.0);
            means
        };
        let (before, now) = (padded(old), padded(new));
        if !before.is_empty() && !now.is_empty() {
            found.push(means(Subject::Feature, format!("{branch}: {feature}"), &before, &now));
        }
    }
    control_false_alarms(&mut found);
    found
}

/// Corrects the probabilities by the method of Benjamini and Hochberg, and sorts by them.
fn control_false_alarms(found: &mut [Difference]) {
    found.sort_by(|a, b| {
        let size = |difference: &Difference| difference.effect.abs();
        let by_size = size(b).total_cmp(&size(a));
        a.p.total_cmp(&b.p).then(by_size).then_with(|| a.name.cmp(&b.name))
    });
    let tests = found.len() as f64;
    let mut least: f64 = 1.0;
    for (index, difference) in found.iter_mut().enumerate().rev() {
        least = least.min(difference.p * tests / (index + 1) as f64);
        difference.q = least;
    }
}

/// The hits of both campaigns, by name.
type HitsOfBoth<'o> = (&'o BTreeMap<String, Hits>, &'o BTreeMap<String, Hits>);

/// Calls `test` with each name and its hits in both campaigns.
fn each_name(
    (old, new): HitsOfBoth,
    test: &dyn Fn(&str, (&Hits, &Hits)) -> Difference,
) -> Vec<Difference> {
    let nothing = Hits::default();
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let hits = |name| (old.get(name).unwrap_or(&nothing), new.get(name).unwrap_or(&nothing));
    names.into_iter().map(|name| test(name, hits(name))).collect()
}

/// Compares shares of levels, or of attempts.
fn shares(subject: Subject, of_both: HitsOfBoth, of: (&Games, &Games)) -> Vec<Difference> {
    each_name(of_both, &|name, hits| {
        let counts = (hits.0.levels(), hits.1.levels());
        difference(subject, name, counts, (of.0.levels, of.1.levels), test_hits(hits, of))
    })
}

/// Compares shares of games that have a map.
fn shares_of_games(of_both: HitsOfBoth, of: (&Games, &Games)) -> Vec<Difference> {
    each_name(of_both, &|name, hits| {
        let (counts, games) = ((hits.0.games(), hits.1.games()), (of.0.count, of.1.count));
        share(Subject::GamesWithMap, name, counts, games)
    })
}

/// Compares two shares of independent things.
fn share(subject: Subject, name: &str, counts: (u64, u64), of: (u64, u64)) -> Difference {
    difference(subject, name, counts, of, test_shares(counts, of))
}

fn difference(
    subject: Subject,
    name: &str,
    counts: (u64, u64),
    of: (u64, u64),
    (test, p): (&'static str, f64),
) -> Difference {
    let part = |count: u64, of: u64| (count as f64 / of.max(1) as f64).min(1.0);
    let (old, new) = (part(counts.0, of.0), part(counts.1, of.1));
    let angle = |share: f64| 2.0 * share.sqrt().asin();
    let effect = angle(new) - angle(old);
    Difference { subject, name: name.to_owned(), old, new, test, p, q: 1.0, effect }
}

/// Compares two samples of numbers.
fn means(subject: Subject, name: String, old: &[f64], new: &[f64]) -> Difference {
    let spread = ((variance(old) + variance(new)) / 2.0).sqrt();
    let comparison = compare_counts(&name, old.to_vec(), new.to_vec());
    let (before, now) = comparison.values;
    let effect = if spread > 0.0 { (now - before) / spread } else { 0.0 };
    Difference { subject, name, old: before, new: now, test: "KS", p: comparison.p, q: 1.0, effect }
}

fn variance(numbers: &[f64]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    numbers.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRecord, VaultRecord};

    /// Returns a campaign of games with one level each, of which so many have the vault `a`, and
    /// all so many zones.
    fn observed(games: u32, with_vault: u32, zones: u32) -> Observations {
        let level = |n: u32| level(n < with_vault, zones + n % 3);
        observed_games((0..games).map(|n| vec![level(n)]).collect())
    }

    fn level(has_vault: bool, zones: u32) -> LevelRecord {
        let vault = VaultRecord { map: "a".to_owned(), ..VaultRecord::default() };
        LevelRecord {
            place: "D:1".to_owned(),
            branch: "D".to_owned(),
            built: true,
            attempts: 1,
            zones,
            vaults: if has_vault { vec![vault] } else { Vec::new() },
            ..LevelRecord::default()
        }
    }

    fn observed_games(games: Vec<Vec<LevelRecord>>) -> Observations {
        let games = games.into_iter().map(|levels| GameRecord { levels, ..GameRecord::default() });
        let mut observations = Observations::default();
        observations.add(&Shard { games: games.collect(), picks: Vec::new() });
        observations
    }

    #[test]
    fn maps_are_compared_by_levels_and_by_games() {
        // Once in three of five games against four of five.
        let once = |games: u32| {
            let with = |n: u32| (0..8).map(|at| level(n < games && at == 0, 1)).collect();
            observed_games((0..300).map(with).collect())
        };
        let found = compare(&once(180), &once(240));
        let of = |subject| found.iter().find(|d| d.subject == subject).expect("a comparison");
        let (levels, games) = (of(Subject::Map), of(Subject::GamesWithMap));
        assert!((games.old, games.new) == (0.6, 0.8) && games.is_real(), "{games:?}");
        assert!((levels.old, levels.new) == (0.075, 0.1) && levels.is_real(), "{levels:?}");
        // The same number of levels, all of them in half of the games.
        let coins = |games: u32| {
            let with = |n: u32| (0..8).map(|_| level(n < games, 1)).collect();
            observed_games((0..100).map(with).collect())
        };
        let found = compare(&coins(45), &coins(58));
        let maps = found.iter().filter(|d| d.name == "a");
        assert!(maps.clone().count() == 2 && maps.clone().all(|d| d.p > 0.05), "{found:?}");
    }

    #[test]
    fn a_change_is_found_and_nothing_else() {
        let same = compare(&observed(400, 100, 1), &observed(400, 100, 1));
        assert!(same.iter().all(|difference| !difference.is_real()), "{same:?}");
        let found = compare(&observed(400, 100, 1), &observed(400, 180, 1));
        let real: Vec<_> = found.iter().filter(|difference| difference.is_real()).collect();
        let names: Vec<&str> = real.iter().map(|d| d.name.as_str()).collect();
        assert_eq!(names, ["a", "D:1: vaults"]);
        assert!(
            (real[0].old, real[0].new) == (0.25, 0.45) && (real[0].effect - 0.424).abs() < 0.01
        );
        let shifted = compare(&observed(400, 100, 1), &observed(400, 100, 2));
        let real: Vec<_> = shifted.iter().filter(|difference| difference.is_real()).collect();
        assert_eq!(real.len(), 1);
        assert!(real[0].name == "D:1: zones" && real[0].effect > 0.8);
    }
}
