//! Significant differences between two campaigns, to review a change to vaults.

use std::collections::{BTreeMap, BTreeSet};

use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::factorial::ln_factorial;

use crate::record::LevelRecord;
use crate::shard::Shard;
use crate::two_samples::compare_counts;

/// The share of false alarms among all differences that are considered real.
pub const FALSE_ALARMS: f64 = 0.01;
/// From this expected number on, the chi-square test is as good as Fisher's exact test.
const MANY: f64 = 20.0;

/// The figures of a campaign that are compared.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// The number of levels that were built.
    pub levels: u64,
    /// The number of attempts at levels.
    pub attempts: u64,
    places: BTreeMap<String, PlaceObservations>,
    maps: BTreeMap<String, u64>,
    monsters: BTreeMap<String, u64>,
    vetoes: BTreeMap<String, u64>,
    branches: BTreeMap<String, u64>,
    /// The number of cells of a feature on each level of a branch that has it.
    features: BTreeMap<(String, String), Vec<u32>>,
}

#[derive(Clone, Debug, Default)]
struct PlaceObservations {
    tried: u64,
    failed: u64,
    quantities: BTreeMap<&'static str, Vec<u32>>,
}

/// The subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The share of levels with a map.
    Map,
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
    pub const ALL: [Subject; 6] = [
        Subject::Map,
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
            Subject::Monster => "share of levels with the monster",
            Subject::Veto => "share of attempts vetoed for",
            Subject::Failure => "share of levels that failed",
            Subject::Quantity => "mean for a level",
            Subject::Feature => "mean cells on a level",
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
    /// The test: `Fisher`, `chi²` or `KS`.
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
        for level in shard.games.iter().flat_map(|game| &game.levels) {
            self.add_level(level);
        }
    }

    fn add_level(&mut self, level: &LevelRecord) {
        self.attempts += u64::from(level.attempts);
        for veto in &level.vetoes {
            *self.vetoes.entry(veto.kind.clone()).or_default() += 1;
        }
        let here = self.places.entry(level.place.clone()).or_default();
        here.tried += 1;
        if !level.built {
            here.failed += 1;
            return;
        }
        self.levels += 1;
        *self.branches.entry(level.branch.clone()).or_default() += 1;
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
            here.quantities.entry(what).or_default().push(number);
        }
        let maps: BTreeSet<&String> = level.vaults.iter().map(|vault| &vault.map).collect();
        for map in maps {
            *self.maps.entry(map.clone()).or_default() += 1;
        }
        let kinds = level.monsters.iter().map(|monster| &monster.kind);
        let kinds: BTreeSet<&String> = kinds.filter(|kind| !kind.is_empty()).collect();
        for kind in kinds {
            *self.monsters.entry(kind.clone()).or_default() += 1;
        }
        for feature in &level.features {
            let key = (level.branch.clone(), feature.feature.clone());
            self.features.entry(key).or_default().push(feature.count);
        }
    }
}

/// Returns all comparisons, the most significant first.
pub fn compare(old: &Observations, new: &Observations) -> Vec<Difference> {
    let mut found = Vec::new();
    let levels = (old.levels, new.levels);
    found.extend(shares(Subject::Map, &old.maps, &new.maps, levels));
    found.extend(shares(Subject::Monster, &old.monsters, &new.monsters, levels));
    let attempts = (old.attempts, new.attempts);
    found.extend(shares(Subject::Veto, &old.vetoes, &new.vetoes, attempts));
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
            let levels = observations.branches.get(branch).copied().unwrap_or(0) as usize;
            let mut counts = observations.features.get(key).cloned().unwrap_or_default();
            counts.resize(levels.max(counts.len()), 0);
            counts
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

fn shares(
    subject: Subject,
    old: &BTreeMap<String, u64>,
    new: &BTreeMap<String, u64>,
    of: (u64, u64),
) -> Vec<Difference> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let count = |counts: &BTreeMap<String, u64>, name: &String| counts.get(name).copied();
    let pair = |name| (count(old, name).unwrap_or(0), count(new, name).unwrap_or(0));
    names.into_iter().map(|name| share(subject, name, pair(name), of)).collect()
}

/// Compares two shares.
fn share(subject: Subject, name: &str, counts: (u64, u64), of: (u64, u64)) -> Difference {
    let part = |count: u64, of: u64| (count as f64 / of.max(1) as f64).min(1.0);
    let (old, new) = (part(counts.0, of.0), part(counts.1, of.1));
    let (test, p) = test_shares(counts, of);
    let angle = |share: f64| 2.0 * share.sqrt().asin();
    let effect = angle(new) - angle(old);
    Difference { subject, name: name.to_owned(), old, new, test, p, q: 1.0, effect }
}

fn test_shares(counts: (u64, u64), of: (u64, u64)) -> (&'static str, f64) {
    let all = (of.0 + of.1) as f64;
    let with = (counts.0 + counts.1) as f64;
    let smallest = with.min(all - with) * of.0.min(of.1) as f64 / all.max(1.0);
    if smallest < MANY {
        return ("Fisher", fisher(counts, of));
    }
    let expected = with * of.0 as f64 / all;
    let distance = ((counts.0 as f64 - expected).abs() - 0.5).max(0.0);
    let statistic =
        distance.powi(2) * all.powi(3) / (of.0 as f64 * of.1 as f64 * with * (all - with));
    let p = ChiSquared::new(1.0).map_or(1.0, |distribution| distribution.sf(statistic));
    ("chi²", p)
}

/// Returns the two-sided probability of Fisher's exact test of a table of two by two.
fn fisher(counts: (u64, u64), of: (u64, u64)) -> f64 {
    let with = counts.0 + counts.1;
    let all = of.0 + of.1;
    let (counts, with) = if with * 2 <= all {
        (counts, with)
    } else {
        ((of.0.saturating_sub(counts.0), of.1.saturating_sub(counts.1)), all - with.min(all))
    };
    let ways = |n: u64, k: u64| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let probability = |first: u64| ways(of.0, first) + ways(of.1, with - first) - ways(all, with);
    let possible = with.saturating_sub(of.1)..=with.min(of.0);
    if !possible.contains(&counts.0) {
        return 1.0;
    }
    let seen = probability(counts.0);
    // As in R, what is as improbable up to rounding also counts.
    let sum: f64 = possible.map(probability).filter(|&p| p <= seen + 1e-7).map(f64::exp).sum();
    sum.min(1.0)
}

/// Compares two samples of numbers.
fn means(subject: Subject, name: String, old: &[u32], new: &[u32]) -> Difference {
    let floats = |numbers: &[u32]| numbers.iter().map(|&n| f64::from(n)).collect::<Vec<f64>>();
    let (old, new) = (floats(old), floats(new));
    let spread = ((variance(&old) + variance(&new)) / 2.0).sqrt();
    let comparison = compare_counts(&name, old, new);
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

    /// Returns a campaign whose levels have the vault `a` this many times, and this many zones.
    fn observed(levels: u32, with_vault: u32, zones: u32) -> Observations {
        let vault = VaultRecord {
            map: "a".to_owned(),
            host: String::new(),
            x: 0,
            y: 0,
            width: 1,
            height: 1,
            orient: String::new(),
            turns: String::new(),
            rotation: 0,
            layout: false,
        };
        let level = |n: u32| LevelRecord {
            place: "D:1".to_owned(),
            branch: "D".to_owned(),
            built: true,
            attempts: 1,
            zones: zones + n % 3,
            vaults: if n < with_vault { vec![vault.clone()] } else { Vec::new() },
            ..LevelRecord::default()
        };
        let game = GameRecord { levels: (0..levels).map(level).collect(), ..GameRecord::default() };
        let mut observations = Observations::default();
        observations.add(&Shard { games: vec![game], picks: Vec::new() });
        observations
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

    #[test]
    fn the_tests_are_those_of_the_books() {
        // Fisher's tea: 3 of 4 against 1 of 4, both sides: 0.4857.
        assert!((fisher((3, 1), (4, 4)) - 0.485_714).abs() < 1e-5);
        assert!((fisher((1, 3), (4, 4)) - 0.485_714).abs() < 1e-5);
        // R: fisher.test(matrix(c(1, 9, 11, 3), 2)), 0.002759.
        assert!((fisher((1, 11), (10, 14)) - 0.002_759).abs() < 1e-5);
        assert_eq!(fisher((0, 0), (10, 10)), 1.0);
        // R: prop.test(c(100, 180), c(400, 400)): 34.290 with one degree of freedom.
        let (test, p) = test_shares((100, 180), (400, 400));
        assert!(test == "chi²" && (p / 4.75e-9 - 1.0).abs() < 0.05, "{p}");
    }
}
