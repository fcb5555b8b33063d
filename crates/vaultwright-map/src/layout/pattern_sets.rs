//! Sets of the patterns of a sample, and which fit beside those of a set.

use super::sample::{Sample, part_below};
use crate::grid::ORTHOGONAL;
use foldhash::{HashMap, HashMapExt};

/// A set of patterns, or of the parts that they show, a bit for each.
pub(super) type Set<const W: usize> = [u64; W];

/// What squares show of each other where they lie one step apart: the part of a pattern that the
/// one beside it covers, too. Each different part has a number, in rows and in columns.
pub(super) struct Parts {
    /// The numbers of each pattern's parts to the east, west, south and north.
    shown: Vec<[usize; 4]>,
    /// How many different parts there are in rows, and in columns.
    counts: [usize; 2],
}

impl Parts {
    pub(super) fn of(sample: &Sample) -> Parts {
        let mut numbers: [HashMap<Vec<u8>, usize>; 2] = [HashMap::new(), HashMap::new()];
        let mut number = |pattern: &Vec<u8>, direction: usize| {
            let numbers = &mut numbers[axis(direction)];
            let next = numbers.len();
            let part = part_below(pattern, sample.size, ORTHOGONAL[direction]);
            *numbers.entry(part).or_insert(next)
        };
        let each = sample.patterns.iter();
        let shown = each.map(|pattern| DIRECTIONS.map(|to| number(pattern, to))).collect();
        Parts { shown, counts: numbers.map(|numbers| numbers.len()) }
    }

    /// Returns how many different parts there are in rows or columns, whichever has more.
    pub(super) fn most(&self) -> usize {
        self.counts[0].max(self.counts[1])
    }
}

/// East, west, south and north.
pub(super) const DIRECTIONS: [usize; 4] = [0, 1, 2, 3];

/// Returns the direction that leads back.
pub(super) fn opposite(direction: usize) -> usize {
    direction ^ 1
}

/// Returns 0 for directions along a row, 1 for those along a column.
fn axis(direction: usize) -> usize {
    direction / 2
}

/// Which parts the patterns of a square show, and which patterns fit beside them: sets of patterns
/// of `W` words, and of parts of `O`.
pub(super) struct Overlaps<'a, const W: usize, const O: usize> {
    parts: &'a Parts,
    /// For each eight patterns in turn what some of them show to the east, west, south and north,
    /// by which of the eight; nothing where that would be too large.
    shown_by_eight: Vec<[[Set<O>; 4]; 256]>,
    /// By direction and number of a part: the patterns that fit there.
    fitting: [Vec<Set<W>>; 4],
}

impl<const W: usize, const O: usize> Overlaps<'_, W, O> {
    pub(super) fn new(parts: &Parts) -> Overlaps<'_, W, O> {
        let mut fitting = DIRECTIONS.map(|to| vec![[0; W]; parts.counts[axis(to)]]);
        for (pattern, shown) in parts.shown.iter().enumerate() {
            for direction in DIRECTIONS {
                insert(&mut fitting[opposite(direction)][shown[direction]], pattern);
            }
        }
        let eights = parts.shown.chunks(8).filter(|_| O == 1);
        Overlaps { parts, shown_by_eight: eights.map(shown_by_some).collect(), fitting }
    }

    /// Returns which parts the patterns of a set show to the east, west, south and north.
    pub(super) fn shown(&self, patterns: &Set<W>) -> [Set<O>; 4] {
        let mut shown = [[0; O]; 4];
        if O == 1 {
            for (eights, word) in self.shown_by_eight.chunks(8).zip(patterns) {
                for (by_some, some) in eights.iter().zip(word.to_le_bytes()) {
                    let more = &by_some[usize::from(some)];
                    shown.iter_mut().zip(more).for_each(|(set, more)| add(set, more));
                }
            }
        } else {
            for pattern in members(patterns) {
                add_parts(&mut shown, &self.parts.shown[pattern]);
            }
        }
        shown
    }

    /// Returns which patterns fit in a direction of one of some parts.
    pub(super) fn fitting_some(&self, direction: usize, parts: &Set<O>) -> Set<W> {
        let mut fitting = [0; W];
        for part in members(parts) {
            add(&mut fitting, &self.fitting[direction][part]);
        }
        fitting
    }

    /// Returns, of the patterns that have fitted in a direction so far, those that still do, and
    /// perhaps others: some parts have `gone`, those are still `shown`.
    pub(super) fn allowed(&self, direction: usize, gone: &Set<O>, shown: &Set<O>) -> Set<W> {
        // A pattern fits to one part only.
        if size(gone) < size(shown) {
            self.fitting_some(direction, gone).map(|word| !word)
        } else {
            self.fitting_some(direction, shown)
        }
    }
}

/// Returns what some of up to eight patterns show to the east, west, south and north, by which.
fn shown_by_some<const O: usize>(eight: &[[usize; 4]]) -> [[Set<O>; 4]; 256] {
    let mut by_some = [[[0; O]; 4]; 256];
    for some in 1..1_usize << eight.len() {
        let last = some.ilog2() as usize;
        by_some[some] = by_some[some ^ (1 << last)];
        add_parts(&mut by_some[some], &eight[last]);
    }
    by_some
}

/// Adds the part that a pattern shows in each direction.
fn add_parts<const O: usize>(shown: &mut [Set<O>; 4], parts: &[usize; 4]) {
    shown.iter_mut().zip(parts).for_each(|(set, &part)| insert(set, part));
}

/// Returns the patterns of which something holds.
pub(super) fn set_of<const W: usize>(
    sample: &Sample,
    mut holds: impl FnMut(&[u8]) -> bool,
) -> Set<W> {
    let mut set = [0; W];
    for (index, pattern) in sample.patterns.iter().enumerate() {
        set[index / 64] |= u64::from(holds(pattern)) << (index % 64);
    }
    set
}

/// Adds one to a set.
fn insert<const W: usize>(set: &mut Set<W>, number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// Adds what is in a set to another.
fn add<const W: usize>(set: &mut Set<W>, more: &Set<W>) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

/// Returns what is in both of two sets.
pub(super) fn both<const W: usize>(one: &Set<W>, other: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| one[word] & other[word])
}

/// Returns what is in a set and not in another.
pub(super) fn without<const W: usize>(set: &Set<W>, other: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| set[word] & !other[word])
}

/// Returns whether none is in a set.
pub(super) fn is_empty<const W: usize>(set: &Set<W>) -> bool {
    set.iter().all(|&word| word == 0)
}

/// Returns how many are in a set.
pub(super) fn size<const W: usize>(set: &Set<W>) -> u16 {
    set.iter().map(|word| word.count_ones() as u16).sum()
}

/// Returns the numbers of what is in a set, in order.
pub(super) fn members<const W: usize>(set: &Set<W>) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| index * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(next)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{ROOMS, UPRIGHT, sample, streams};
    use super::super::sample::SampleReading;
    use super::*;

    /// What fits beside some patterns, compared cell by cell.
    fn fitting(sample: &Sample, patterns: &Set<1>, (dx, dy): (i32, i32)) -> Set<1> {
        let parts: Vec<Vec<u8>> = members(patterns)
            .map(|pattern| part_below(&sample.patterns[pattern], sample.size, (dx, dy)))
            .collect();
        set_of(sample, |other| parts.contains(&part_below(other, sample.size, (-dx, -dy))))
    }

    #[test]
    fn what_still_fits_after_a_loss_is_what_fits_beside_the_rest() {
        for reading in [UPRIGHT, SampleReading { turned: true, ..UPRIGHT }] {
            let sample = sample(&ROOMS, reading);
            let parts = Parts::of(&sample);
            let overlaps = Overlaps::<1, 1>::new(&parts);
            let mut rng = streams(5);
            for _ in 0..200 {
                let [left, lost] = [8, 3].map(|share| set_of(&sample, |_| rng.random2(share) == 0));
                let before = [left[0] | lost[0]];
                let (told, shown) = (overlaps.shown(&before), overlaps.shown(&left));
                for (direction, step) in ORTHOGONAL.into_iter().enumerate() {
                    let gone = without(&told[direction], &shown[direction]);
                    let allowed = overlaps.allowed(direction, &gone, &shown[direction]);
                    let fitted = fitting(&sample, &before, step);
                    assert_eq!(both(&fitted, &allowed), fitting(&sample, &left, step));
                }
            }
        }
    }

    #[test]
    fn what_nothing_is_shown_for_fits_nowhere() {
        let reading = SampleReading { size: 2, turned: false, wrapped: false };
        let sample = sample(&["ab.", "c.."], reading);
        let parts = Parts::of(&sample);
        let overlaps = Overlaps::<1, 1>::new(&parts);
        let shown = overlaps.shown(&[0b11]);
        for (direction, step) in ORTHOGONAL.into_iter().enumerate() {
            let fitting = fitting(&sample, &[0b11], step);
            assert_eq!(overlaps.fitting_some(direction, &shown[direction]), fitting);
        }
    }

    #[test]
    fn what_is_shown_is_the_same_in_sets_of_any_width() {
        let sample = sample(&ROOMS, SampleReading { turned: true, ..UPRIGHT });
        let parts = Parts::of(&sample);
        let (narrow, wide) = (Overlaps::<1, 1>::new(&parts), Overlaps::<1, 2>::new(&parts));
        let mut rng = streams(7);
        for _ in 0..50 {
            let some = set_of(&sample, |_| rng.random2(3) == 0);
            let shown = wide.shown(&some);
            assert_eq!(narrow.shown(&some), shown.map(|[first, _]| [first]));
            assert!(shown.iter().all(|&[_, second]| second == 0));
        }
    }
}
