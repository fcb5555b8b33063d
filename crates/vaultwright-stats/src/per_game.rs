//! Shares of levels with the game as the unit: levels of one game hang together. A vault that a
//! game has once stands on one of its levels at most, a coin of a game decides for all of them.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::factorial::ln_factorial;

/// From this expected number on, the chi-square test is as good as an exact one.
const MANY: f64 = 20.0;
/// More games of the smaller campaign do not differ from most, if [`MANY`] are not expected.
const MAX_OTHERS: u64 = 100;

/// The games of a campaign, each with a number of levels (or attempts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The number of games.
    pub count: u64,
    /// The number of their levels.
    pub levels: u64,
    /// The sum of the squares of their levels.
    squares: u64,
}

impl Games {
    /// Adds a game with so many levels.
    pub fn add(&mut self, levels: u64) {
        self.count += 1;
        self.levels += levels;
        self.squares += levels * levels;
    }
}

/// On how many levels of each game something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// How many games have it on so many levels; those that lack it are left out.
    games: BTreeMap<u64, u64>,
    /// The sum over games: levels that have it, times levels.
    products: u64,
}

impl Hits {
    /// Adds a game that has it on so many of its levels.
    pub fn add(&mut self, hits: u64, levels: u64) {
        if hits > 0 {
            *self.games.entry(hits).or_default() += 1;
            self.products += hits * levels;
        }
    }

    /// Returns the number of games that have it.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games.values().sum()
    }

    /// Returns the number of levels that have it.
    #[must_use]
    pub fn levels(&self) -> u64 {
        self.games.iter().map(|(hits, games)| hits * games).sum()
    }

    /// Returns the most levels that a game has it on.
    fn most(&self) -> u64 {
        self.games.keys().next_back().copied().unwrap_or(0)
    }

    /// Returns the sum of the squared differences between what games have, and a share of their
    /// levels.
    fn scatter(&self, share: f64, games: &Games) -> f64 {
        let squares: u64 = self.games.iter().map(|(hits, games)| hits * hits * games).sum();
        let products = 2.0 * share * self.products as f64;
        (squares as f64 - products + share * share * games.squares as f64).max(0.0)
    }

    /// Returns how far the share of levels may be from that of all games, in nineteen of twenty
    /// cases; 1 if that cannot be told from so few games.
    #[must_use]
    pub fn doubt(&self, games: &Games) -> f64 {
        const Z: f64 = 1.96;
        if games.count < 2 || games.levels == 0 {
            return 1.0;
        }
        let (count, levels) = (games.count as f64, games.levels as f64);
        let share = self.levels() as f64 / levels;
        let variance = self.scatter(share, games) * count / (count - 1.0) / levels.powi(2);
        // As in Wilson's interval, so that what no game has, or each, is not known for sure.
        let most = self.most().max(1) as f64;
        let unseen = (Z * most / (2.0 * levels)).powi(2);
        (Z * (variance + unseen).sqrt() / (1.0 + Z * Z * most / levels)).min(1.0)
    }
}

/// Returns the name of a test whether two campaigns differ in a share of levels, and the
/// probability of such a large difference if they do not.
pub(crate) fn test_hits(hits: (&Hits, &Hits), of: (&Games, &Games)) -> (&'static str, f64) {
    let games = (of.0.count, of.1.count);
    if hits.0.most().max(hits.1.most()) <= 1 {
        // Each game has it on one level or on none.
        return test_shares((hits.0.games(), hits.1.games()), games);
    }
    let all = (games.0 + games.1) as f64;
    let mut joined = hits.0.games.clone();
    hits.1.games.iter().for_each(|(&hits, games)| *joined.entry(hits).or_default() += games);
    let without = games.0 + games.1 - joined.values().sum::<u64>();
    joined.insert(0, without);
    let usual = joined.iter().max_by_key(|(hits, games)| (**games, u64::MAX - **hits));
    let (usual, many) = usual.map_or((0, 0), |(&hits, &games)| (hits, games));
    let smaller = games.0.min(games.1) as f64;
    if (all - many as f64) * smaller / all.max(1.0) < MANY {
        let (first, sum) = match games.0 <= games.1 {
            true => (games.0, hits.0.levels()),
            false => (games.1, hits.1.levels()),
        };
        return ("permutation", permutation(&joined, usual, first, sum));
    }
    ("chi² of games", scattered(hits, of))
}

/// Returns the probability that a sum differs so much from the one to be expected when games are
/// dealt out to two campaigns, by the variance of such sums.
fn scattered(hits: (&Hits, &Hits), of: (&Games, &Games)) -> f64 {
    let (first, second) = (of.0.count as f64, of.1.count as f64);
    let (all, levels) = (first + second, (of.0.levels + of.1.levels) as f64);
    let share = (hits.0.levels() + hits.1.levels()) as f64 / levels.max(1.0);
    let scatter = hits.0.scatter(share, of.0) + hits.1.scatter(share, of.1);
    let variance = scatter * first * second / (all * (all - 1.0));
    let distance = (hits.0.levels() as f64 - share * of.0.levels as f64).abs();
    match variance > 0.0 {
        true => beyond((distance - 0.5).max(0.0).powi(2) / variance),
        false => 1.0,
    }
}

/// Returns the probability that a sum is at least so far from the one to be expected, if `first`
/// games are drawn among all, of which so many have each number. `usual` is the number most have.
fn permutation(games: &BTreeMap<u64, u64>, usual: u64, first: u64, sum: u64) -> f64 {
    let all: u64 = games.values().sum();
    let many = games.get(&usual).copied().unwrap_or(0);
    let others: Vec<(i64, u64)> = games
        .iter()
        .filter(|&(&hits, _)| hits != usual)
        .map(|(&hits, &games)| (hits as i64 - usual as i64, games))
        .collect();
    // The ways to draw so many games other than the usual, whose numbers differ by so much in sum.
    let mut ways: BTreeMap<(u64, i64), f64> = BTreeMap::from([((0, 0), 1.0)]);
    for &(more, count) in &others {
        let mut next = BTreeMap::new();
        for (&(drawn, differs), &so_far) in &ways {
            for some in 0..=count.min(first - drawn).min(MAX_OTHERS.saturating_sub(drawn)) {
                let key = (drawn + some, differs + more * some as i64);
                *next.entry(key).or_insert(0.0) += so_far * ln_ways(count, some).exp();
            }
        }
        ways = next;
    }
    let total: i64 = others.iter().map(|&(more, count)| more * count as i64).sum();
    let expected = first as f64 / all as f64 * total as f64;
    let seen = sum as f64 - (usual * first) as f64;
    let far = (seen - expected).abs() - 1e-9;
    let is_so_far = |&((drawn, differs), _): &((u64, i64), f64)| {
        (differs as f64 - expected).abs() >= far && first - drawn <= many
    };
    let of_all = ln_ways(all, first);
    let parts = ways.into_iter().filter(is_so_far);
    let parts =
        parts.map(|((drawn, _), ways)| ways * (ln_ways(many, first - drawn) - of_all).exp());
    parts.sum::<f64>().min(1.0)
}

/// Returns the logarithm of the number of ways to choose `k` of `n`.
fn ln_ways(n: u64, k: u64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// Returns the probability of a larger value with one degree of freedom.
fn beyond(statistic: f64) -> f64 {
    ChiSquared::new(1.0).map_or(1.0, |distribution| distribution.sf(statistic))
}

/// Returns the name of a test whether two shares of independent things differ, and the probability
/// of such a large difference if they do not.
pub(crate) fn test_shares(counts: (u64, u64), of: (u64, u64)) -> (&'static str, f64) {
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
    ("chi²", beyond(statistic))
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
    let probability =
        |first: u64| ln_ways(of.0, first) + ln_ways(of.1, with - first) - ln_ways(all, with);
    let possible = with.saturating_sub(of.1)..=with.min(of.0);
    if !possible.contains(&counts.0) {
        return 1.0;
    }
    let seen = probability(counts.0);
    // As in R, what is as improbable up to rounding also counts.
    let sum: f64 = possible.map(probability).filter(|&p| p <= seen + 1e-7).map(f64::exp).sum();
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns games that have something on so many of their ten levels.
    fn games(of: &[(u64, u64)]) -> (Hits, Games) {
        let (mut hits, mut games) = (Hits::default(), Games::default());
        for &(number, count) in of {
            for _ in 0..count {
                hits.add(number, 10);
                games.add(10);
            }
        }
        (hits, games)
    }

    fn test(old: &[(u64, u64)], new: &[(u64, u64)]) -> (&'static str, f64) {
        let ((a, first), (b, second)) = (games(old), games(new));
        test_hits((&a, &b), (&first, &second))
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

    #[test]
    fn a_vault_that_games_have_once_is_compared_by_games() {
        let (name, p) = test(&[(1, 181), (0, 119)], &[(1, 242), (0, 58)]);
        assert!(name == "chi²" && p < 1e-6, "{p}");
    }

    #[test]
    fn a_coin_of_a_game_is_no_difference_of_its_levels() {
        // 500 of 1,000 levels against 620 look different only if levels are taken for themselves.
        let (name, p) = test(&[(10, 50), (0, 50)], &[(10, 62), (0, 38)]);
        assert!(name == "chi² of games" && (0.05..0.15).contains(&p), "{p}");
    }

    #[test]
    fn few_games_are_dealt_out_in_all_ways() {
        // Of the ways to deal 3, 1 and two times 0 to two and two games, 2 of 6 are so uneven.
        let (name, p) = test(&[(3, 1), (1, 1)], &[(0, 2)]);
        assert!(name == "permutation" && (p - 2.0 / 6.0).abs() < 1e-9, "{p}");
        assert_eq!(test(&[(3, 1)], &[(0, 1)]).1, 1.0, "one game tells nothing");
        let (_, p) = test(&[(10, 9), (8, 1)], &[(10, 9), (8, 1)]);
        assert!((p - 1.0).abs() < 1e-9, "the same: {p}");
    }

    #[test]
    fn what_a_game_decides_for_all_its_levels_is_known_as_well_as_it() {
        let (coin, all) = games(&[(10, 50), (0, 50)]);
        // Of a hundred games: 1.96 √(0.25 / 99), a little more.
        assert!((coin.doubt(&all) - 0.098).abs() < 0.002, "{}", coin.doubt(&all));
        let (once, all) = games(&[(1, 100)]);
        assert!((0.001..0.003).contains(&once.doubt(&all)), "{}", once.doubt(&all));
        let (none, all) = games(&[(0, 100)]);
        assert!((0.001..0.003).contains(&none.doubt(&all)));
        assert_eq!(games(&[(1, 1)]).0.doubt(&games(&[(1, 1)]).1), 1.0);
    }
}
