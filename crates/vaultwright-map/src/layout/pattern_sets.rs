//! Sets of the patterns of a sample, and which fit beside those of a set.

use super::sample::{Sample, part_below};
use crate::grid::ORTHOGONAL;
use foldhash::{HashMap, HashMapExt};

/// A set of patterns, a bit for each.
pub(super) type Set<const W: usize> = [u64; W];

/// Which patterns fit beside those that a square may have.
pub(super) struct Neighbours<const W: usize> {
    /// For each pattern what fits to the east, west, south and north of it.
    fitting: Vec<[Set<W>; 4]>,
    /// For each pattern those beside which the same fits.
    alike: Vec<[Set<W>; 4]>,
    /// For each four patterns in turn what fits beside one of some of them, by which of the four.
    of_four: Vec<[[Set<W>; 4]; 16]>,
}

impl<const W: usize> Neighbours<W> {
    pub(super) fn new(sample: &Sample) -> Neighbours<W> {
        let (fitting, alike) = fitting_and_alike(sample);
        let of_four = fitting.chunks(4).map(|four| {
            let mut by_some = [[[0; W]; 4]; 16];
            for some in 1..16_usize {
                let last = some.ilog2() as usize;
                by_some[some] = by_some[some ^ (1 << last)];
                if let Some(fitting) = four.get(last) {
                    add_each(&mut by_some[some], fitting);
                }
            }
            by_some
        });
        Neighbours { of_four: of_four.collect(), fitting, alike }
    }

    /// Returns what fits beside the patterns that a square has left, `count` of them, of what did
    /// beside those that it had before.
    pub(super) fn since(&self, before: &Set<W>, left: &Set<W>, count: u16) -> [Set<W>; 4] {
        let gone = std::array::from_fn(|word| before[word] & !left[word]);
        // What is looked at is either what has gone or, by fours, what is left.
        let fours = count.min(self.of_four.len() as u16);
        if 3 * size(&gone) < fours { self.after(left, &gone) } else { self.of(left) }
    }

    /// Returns what fits beside the patterns that a square has left, of what did before it lost
    /// others.
    fn after(&self, left: &Set<W>, gone: &Set<W>) -> [Set<W>; 4] {
        let mut lost = [[0; W]; 4];
        for pattern in patterns_of(gone) {
            let (alike, fitting) = (&self.alike[pattern], &self.fitting[pattern]);
            for direction in 0..4 {
                let still =
                    both(left, &alike[direction]).into_iter().fold(0, |any, word| any | word);
                // Without a branch, which nobody could foretell.
                let gone = u64::from(still != 0).wrapping_sub(1);
                for (lost, fitting) in lost[direction].iter_mut().zip(&fitting[direction]) {
                    *lost |= fitting & gone;
                }
            }
        }
        lost.map(|set| set.map(|word| !word))
    }

    /// Returns what fits beside one of the patterns of a set, to the east, west, south and north.
    pub(super) fn of(&self, set: &Set<W>) -> [Set<W>; 4] {
        let mut allowed = [[0; W]; 4];
        for (fours, &word) in self.of_four.chunks(16).zip(set) {
            let mut left = word;
            while left != 0 {
                // Of most fours none is left.
                let place = left.trailing_zeros() / 4;
                let some = (word >> (4 * place)) as usize % 16;
                left &= !(0xf << (4 * place));
                if let Some(four) = fours.get(place as usize) {
                    add_each(&mut allowed, &four[some]);
                }
            }
        }
        allowed
    }
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

/// Adds the patterns of sets to others.
fn add_each<const W: usize>(sets: &mut [Set<W>; 4], more: &[Set<W>; 4]) {
    sets.iter_mut().zip(more).for_each(|(set, more)| add(set, more));
}

/// Adds the patterns of a set to another.
fn add<const W: usize>(set: &mut Set<W>, more: &Set<W>) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

/// Returns the patterns that are in two sets.
pub(super) fn both<const W: usize>(one: &Set<W>, other: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| one[word] & other[word])
}

/// Returns how many patterns are in a set.
pub(super) fn size<const W: usize>(set: &Set<W>) -> u16 {
    set.iter().map(|word| word.count_ones() as u16).sum()
}

/// Returns the patterns of a set, in order.
pub(super) fn patterns_of<const W: usize>(set: &Set<W>) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| index * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(next)
        })
    })
}

/// Returns for each pattern which ones fit one cell to the east, west, south and north of it: those
/// that show the same where both lie. And which ones show there what it shows.
fn fitting_and_alike<const W: usize>(sample: &Sample) -> (Vec<[Set<W>; 4]>, Vec<[Set<W>; 4]>) {
    let none = vec![[[0; W]; 4]; sample.patterns()];
    let (mut fitting, mut alike) = (none.clone(), none);
    for (direction, (dx, dy)) in ORTHOGONAL.into_iter().enumerate() {
        let (here, beside) = (showing(sample, (dx, dy)), showing(sample, (-dx, -dy)));
        for (index, pattern) in sample.patterns.iter().enumerate() {
            let part = part_below(pattern, sample.size, (dx, dy));
            fitting[index][direction] = beside.get(&part).copied().unwrap_or([0; W]);
            alike[index][direction] = here.get(&part).copied().unwrap_or([0; W]);
        }
    }
    (fitting, alike)
}

/// Returns the patterns by what they show where another lies on them that is one step away.
fn showing<const W: usize>(sample: &Sample, step: (i32, i32)) -> HashMap<Vec<u8>, Set<W>> {
    let mut showing = HashMap::new();
    for (index, pattern) in sample.patterns.iter().enumerate() {
        let part = part_below(pattern, sample.size, step);
        showing.entry(part).or_insert([0; W])[index / 64] |= 1 << (index % 64);
    }
    showing
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{ROOMS, UPRIGHT, sample, streams};
    use super::super::sample::SampleReading;
    use super::*;

    #[test]
    fn what_fits_after_a_loss_is_what_fits_beside_the_rest() {
        let sample = sample(&ROOMS, SampleReading { turned: true, ..UPRIGHT });
        let neighbours = Neighbours::<1>::new(&sample);
        let mut rng = streams(5);
        let mut lost_something = 0;
        for _ in 0..200 {
            let [left, gone] = [8, 3].map(|share| set_of(&sample, |_| rng.random2(share) == 0));
            let before = neighbours.of(&[left[0] | gone[0]]);
            let after = neighbours.after(&left, &[gone[0] & !left[0]]);
            let left = neighbours.of(&left);
            for direction in 0..4 {
                assert_eq!(both(&before[direction], &after[direction]), left[direction]);
            }
            lost_something += i32::from(left != before);
        }
        assert!(lost_something > 100, "{lost_something}");
    }
}
