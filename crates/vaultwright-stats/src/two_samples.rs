//! Two-sample tests over counts and kinds.

use std::collections::{BTreeMap, BTreeSet};

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// An observation of one level, or of any other random thing.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Counts by name, such as cells of floor; a missing one is 0.
    pub counts: BTreeMap<String, u64>,
    /// Kinds by name of the property, such as its layouts; each kind may occur several times.
    pub kinds: BTreeMap<String, Vec<String>>,
}

/// The test used to compare two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The Kolmogorov-Smirnov test, for numbers.
    KolmogorovSmirnov,
    /// The chi-square test over the frequent kinds, with the others merged.
    ChiSquare,
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What was compared.
    pub what: String,
    /// The test used.
    pub test: Test,
    /// The means of a count in both samples; for kinds, the numbers of different ones.
    pub values: (f64, f64),
    /// For kinds, the number of frequent ones, plus one for the merged others, if there were any.
    pub columns: usize,
    /// The test statistic.
    pub statistic: f64,
    /// The probability of such a large difference if there is none; 1 if all values are equal.
    pub p: f64,
}

/// The minimum expected number for a kind to be tested separately in a chi-square test.
const MIN_EXPECTED: f64 = 5.0;

/// Compares every count and every kind property that occurs in either list.
pub fn compare_samples(ours: &[Sample], theirs: &[Sample]) -> Vec<Comparison> {
    let names: BTreeSet<&String> =
        ours.iter().chain(theirs).flat_map(|sample| sample.counts.keys()).collect();
    let questions: BTreeSet<&String> =
        ours.iter().chain(theirs).flat_map(|sample| sample.kinds.keys()).collect();
    let counts = names.into_iter().map(|name| {
        let of = |samples: &[Sample]| -> Vec<f64> {
            let count = |sample: &Sample| sample.counts.get(name).copied().unwrap_or(0) as f64;
            samples.iter().map(count).collect()
        };
        compare_counts(name, of(ours), of(theirs))
    });
    let kinds = questions.into_iter().map(|question| {
        let of = |samples: &[Sample]| -> BTreeMap<String, u64> {
            let mut tally = BTreeMap::new();
            for kind in samples.iter().filter_map(|sample| sample.kinds.get(question)).flatten() {
                *tally.entry(kind.clone()).or_default() += 1;
            }
            tally
        };
        compare_kinds(question, &of(ours), &of(theirs))
    });
    counts.chain(kinds).collect()
}

pub(crate) fn compare_counts(name: &str, ours: Vec<f64>, theirs: Vec<f64>) -> Comparison {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let values = (mean(&ours), mean(&theirs));
    let statistic = largest_distance(ours.clone(), theirs.clone());
    let size = (ours.len() * theirs.len()) as f64 / (ours.len() + theirs.len()).max(1) as f64;
    let p = kolmogorov(statistic, size);
    let test = Test::KolmogorovSmirnov;
    Comparison { what: name.to_owned(), test, values, columns: 0, statistic, p }
}

/// Returns the largest distance between the shares of both samples that do not exceed a value.
/// (statrs also has this test, but its loop does not end for equal samples.)
fn largest_distance(mut ours: Vec<f64>, mut theirs: Vec<f64>) -> f64 {
    ours.sort_by(f64::total_cmp);
    theirs.sort_by(f64::total_cmp);
    let share = |sorted: &[f64], value: f64| {
        sorted.partition_point(|&other| other <= value) as f64 / sorted.len().max(1) as f64
    };
    let values = ours.iter().chain(&theirs);
    values.map(|&value| (share(&ours, value) - share(&theirs, value)).abs()).fold(0.0, f64::max)
}

/// Returns the probability of at least this distance, by Kolmogorov's series. For counts, which
/// have ties, it is conservative.
fn kolmogorov(distance: f64, size: f64) -> f64 {
    let root = size.sqrt();
    let lambda = (root + 0.12 + 0.11 / root.max(1e-9)) * distance;
    if lambda < 0.2 {
        return 1.0;
    }
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
        sign * (-2.0 * f64::from(k * k) * lambda * lambda).exp()
    };
    (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

/// Compares how often kinds occur in two samples with a chi-square test.
pub fn compare_kinds(
    question: &str,
    ours: &BTreeMap<String, u64>,
    theirs: &BTreeMap<String, u64>,
) -> Comparison {
    let totals = (ours.values().sum::<u64>() as f64, theirs.values().sum::<u64>() as f64);
    let all = totals.0 + totals.1;
    let kinds: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let smaller = totals.0.min(totals.1);
    let (mut columns, mut rare) = (Vec::new(), (0.0, 0.0));
    for kind in kinds {
        let of = |tally: &BTreeMap<String, u64>| tally.get(kind).copied().unwrap_or(0) as f64;
        let pair = (of(ours), of(theirs));
        if (pair.0 + pair.1) * smaller / all >= MIN_EXPECTED {
            columns.push(pair);
        } else {
            rare = (rare.0 + pair.0, rare.1 + pair.1);
        }
    }
    if rare.0 + rare.1 > 0.0 {
        columns.push(rare);
    }
    let statistic: f64 = columns
        .iter()
        .flat_map(|&(a, b)| {
            let part = (a + b) / all;
            [(a, part * totals.0), (b, part * totals.1)]
        })
        .filter(|&(_, expected)| expected > 0.0)
        .map(|(seen, expected)| (seen - expected).powi(2) / expected)
        .sum();
    let p = match ChiSquared::new(columns.len().saturating_sub(1) as f64) {
        Ok(distribution) if columns.len() > 1 => distribution.sf(statistic),
        _ => 1.0,
    };
    Comparison {
        what: question.to_owned(),
        test: Test::ChiSquare,
        values: (ours.len() as f64, theirs.len() as f64),
        columns: columns.len(),
        statistic,
        p,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(count: u64, kind: &str) -> Sample {
        Sample {
            counts: BTreeMap::from([("floor".to_owned(), count)]),
            kinds: BTreeMap::from([("layout".to_owned(), vec![kind.to_owned()])]),
        }
    }

    #[test]
    fn equal_samples_pass_and_different_ones_do_not() {
        let one: Vec<Sample> =
            (0..100).map(|n| sample(n, if n % 3 == 0 { "caves" } else { "halls" })).collect();
        for comparison in compare_samples(&one, &one) {
            assert!(comparison.p > 0.99, "{comparison:?}");
        }
        let other: Vec<Sample> =
            (0..100).map(|n| sample(n + 60, if n % 3 == 0 { "halls" } else { "caves" })).collect();
        let found = compare_samples(&one, &other);
        assert_eq!(found.len(), 2);
        for comparison in found {
            assert!(comparison.p < 0.001, "{comparison:?}");
        }
    }

    #[test]
    fn chi_square_is_that_of_the_tables() {
        // 30:70 against 50:50 of a hundred each: 8.333 with one degree of freedom, p = 0.0039.
        let of = |first: u64| {
            (0..100).map(|n| sample(0, if n < first { "a" } else { "b" })).collect::<Vec<_>>()
        };
        let found = compare_samples(&of(30), &of(50));
        let kinds = found.iter().find(|c| c.test == Test::ChiSquare).expect("a chi-square test");
        assert!((kinds.statistic - 8.3333).abs() < 1e-3 && (kinds.p - 0.003892).abs() < 1e-4);
    }
}
