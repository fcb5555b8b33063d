//! Layouts that look like a sample everywhere (wave function collapse, overlapping patterns).

use std::collections::VecDeque;

use super::Spend;
use super::pattern_sets::{Neighbours, Set, both, patterns_of, set_of, size};
use super::sample::Sample;
use crate::grid::{GlyphSet, Grid, ORTHOGONAL, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// Fills the area so that each of its squares is one of the sample. Cells with a glyph of `keep`
/// stay as they are, and what is around them fits. Returns whether one of `tries` came out; if none
/// did, nothing is painted.
///
/// Draws, for each try: a shuffle of the squares of the area (`random2(n)` for n down to 2), for
/// which is decided first among those with the fewest patterns left; then, for each that is
/// decided, `random2(weight)` over the patterns that are left.
pub fn paint_like<E>(
    grid: &mut Grid,
    area: Area,
    sample: &Sample,
    keep: &GlyphSet,
    tries: i32,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<bool, E> {
    // Sets of patterns are as wide as they have to be: it is they that take the time.
    match sample.patterns().div_ceil(64) {
        1 => paint::<1, E>(grid, area, sample, keep, tries, rng, spend),
        2 => paint::<2, E>(grid, area, sample, keep, tries, rng, spend),
        3 => paint::<3, E>(grid, area, sample, keep, tries, rng, spend),
        4 => paint::<4, E>(grid, area, sample, keep, tries, rng, spend),
        5..=8 => paint::<8, E>(grid, area, sample, keep, tries, rng, spend),
        _ => paint::<16, E>(grid, area, sample, keep, tries, rng, spend),
    }
}

/// As [`paint_like`], with sets of so many words.
fn paint<const W: usize, E>(
    grid: &mut Grid,
    area: Area,
    sample: &Sample,
    keep: &GlyphSet,
    tries: i32,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<bool, E> {
    let columns = area.width() - sample.size + 1;
    let lines = area.height() - sample.size + 1;
    if columns < 1 || lines < 1 {
        return Ok(false);
    }
    let neighbours = Neighbours::<W>::new(sample);
    for _ in 0..tries {
        let mut wave = Wave::<W>::new(sample, &neighbours, columns, lines);
        if wave.solve(grid, area, keep, rng, spend)? {
            for p in area.points() {
                grid.set(p, wave.glyph(p.x - area.x1, p.y - area.y1));
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// Which patterns each square of the area may still have.
struct Wave<'a, const W: usize> {
    sample: &'a Sample,
    neighbours: &'a Neighbours<W>,
    columns: i32,
    lines: i32,
    /// By square.
    possible: Vec<Set<W>>,
    /// Of which patterns those around a square know that it has no others.
    told: Vec<Set<W>>,
    /// How many patterns a square may have.
    left: Vec<u16>,
    /// Squares that have lost a pattern which those around have not been told of yet.
    changed: VecDeque<usize>,
    is_changed: Vec<bool>,
}

impl<'a, const W: usize> Wave<'a, W> {
    fn new(
        sample: &'a Sample,
        neighbours: &'a Neighbours<W>,
        columns: i32,
        lines: i32,
    ) -> Wave<'a, W> {
        let squares = (columns * lines) as usize;
        Wave {
            sample,
            neighbours,
            columns,
            lines,
            possible: vec![set_of(sample, |_| true); squares],
            told: vec![set_of(sample, |_| true); squares],
            left: vec![sample.patterns() as u16; squares],
            changed: VecDeque::new(),
            is_changed: vec![false; squares],
        }
    }

    /// Decides all squares. Returns false if one has no pattern left.
    fn solve<E>(
        &mut self,
        grid: &Grid,
        area: Area,
        keep: &GlyphSet,
        rng: &mut Streams,
        spend: Spend<E>,
    ) -> Result<bool, E> {
        let squares = self.left.len();
        spend((squares * W) as u64)?;
        let mut order: Vec<u32> = (0..squares as u32).collect();
        rng.shuffle(&mut order);
        let mut undecided = Undecided::new(order, self.sample.patterns());
        self.keep_cells(grid, area, keep);
        // What has nothing that fits beside it goes at once; else a square that may have any
        // pattern rules nothing out.
        let all = set_of(self.sample, |_| true);
        let allowed = self.neighbours.of(&all);
        for square in (0..squares).filter(|_| allowed != [all; 4]) {
            self.narrow_around(square, &allowed, &mut Vec::new());
        }
        let mut touched: Vec<usize> = (0..squares).collect();
        loop {
            if !self.propagate(&mut touched, spend)? {
                return Ok(false);
            }
            for square in touched.drain(..) {
                undecided.note(square, self.left[square]);
            }
            let Some(square) = undecided.first() else { return Ok(true) };
            self.decide(square, rng);
            touched.push(square);
        }
    }

    /// Returns the squares to the east, west, south and north of one.
    fn around(&self, square: usize) -> [Option<usize>; 4] {
        let (x, y) = (square as i32 % self.columns, square as i32 / self.columns);
        ORTHOGONAL.map(|(dx, dy)| {
            let (x, y) = (x + dx, y + dy);
            let inside = (0..self.columns).contains(&x) && (0..self.lines).contains(&y);
            inside.then_some((y * self.columns + x) as usize)
        })
    }

    /// Returns the patterns that a square may have, in order.
    fn patterns_of(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        patterns_of(&self.possible[square])
    }

    /// Leaves a square those patterns that are in the set as well. Returns whether it has lost any.
    fn narrow(&mut self, square: usize, set: &Set<W>) -> bool {
        let own = &mut self.possible[square];
        let left = both(own, set);
        // Mostly nothing is lost, and counting takes longer than comparing.
        let has_lost = left != *own;
        if has_lost {
            *own = left;
            self.left[square] = size(&left);
            self.note_change(square);
        }
        has_lost
    }

    fn note_change(&mut self, square: usize) {
        if !std::mem::replace(&mut self.is_changed[square], true) {
            self.changed.push_back(square);
        }
    }

    /// Rules out what would change cells that are to stay.
    fn keep_cells(&mut self, grid: &Grid, area: Area, keep: &GlyphSet) {
        let size = self.sample.size;
        for square in 0..self.left.len() {
            let corner = Point::new(
                area.x1 + square as i32 % self.columns,
                area.y1 + square as i32 / self.columns,
            );
            for cell in 0..size * size {
                let p = corner.offset((cell % size, cell / size));
                let Some(glyph) = grid.get(p).filter(|&glyph| keep.contains(glyph)) else {
                    continue;
                };
                let fits = set_of(self.sample, |pattern| pattern[cell as usize] == glyph);
                self.narrow(square, &fits);
            }
        }
    }

    /// Tells the squares around what has gone, until nothing more follows; false if a square has no
    /// pattern left.
    fn propagate<E>(&mut self, touched: &mut Vec<usize>, spend: Spend<E>) -> Result<bool, E> {
        while let Some(square) = self.changed.pop_front() {
            self.is_changed[square] = false;
            if self.left[square] == 0 {
                return Ok(false);
            }
            spend(u64::from(self.left[square]))?;
            let allowed = self.allowed(square);
            self.narrow_around(square, &allowed, touched);
        }
        Ok(true)
    }

    /// Leaves the squares around one what is allowed to the east, west, south and north of it.
    fn narrow_around(&mut self, square: usize, allowed: &[Set<W>; 4], touched: &mut Vec<usize>) {
        for (beside, allowed) in self.around(square).into_iter().zip(allowed) {
            if let Some(beside) = beside
                && self.narrow(beside, allowed)
            {
                touched.push(beside);
            }
        }
    }

    /// Returns what fits beside a square, of what those around it may have as far as they know.
    fn allowed(&mut self, square: usize) -> [Set<W>; 4] {
        let left = &self.possible[square];
        let told = std::mem::replace(&mut self.told[square], *left);
        self.neighbours.since(&told, left, self.left[square])
    }

    /// Gives a square one of the patterns it may have, by weight.
    fn decide(&mut self, square: usize, rng: &mut Streams) {
        let weight = |pattern: &usize| self.sample.weights[*pattern];
        let mut drawn = rng.random2(self.patterns_of(square).map(|pattern| weight(&pattern)).sum());
        let chosen = self.patterns_of(square).find(|pattern| {
            drawn -= weight(pattern);
            drawn < 0
        });
        let mut one = [0; W];
        if let Some(pattern) = chosen {
            one[pattern / 64] |= 1 << (pattern % 64);
        }
        self.narrow(square, &one);
    }

    /// Returns the glyph of a cell when all squares are decided, from the first square that covers
    /// it.
    fn glyph(&self, x: i32, y: i32) -> u8 {
        let (column, line) = (x.min(self.columns - 1), y.min(self.lines - 1));
        let square = (line * self.columns + column) as usize;
        let cell = (y - line) * self.sample.size + x - column;
        let decided = self.patterns_of(square).next();
        decided.map_or(b' ', |pattern| self.sample.patterns[pattern][cell as usize])
    }
}

/// Squares by how many patterns they may have; those with fewer than two are decided.
struct Undecided {
    /// The squares in the order in which those with as many patterns come.
    order: Vec<u32>,
    /// The place of each square in the order.
    place: Vec<u32>,
    /// How many patterns each square was last told to have; 0 before.
    told: Vec<u16>,
    /// For each number of patterns the places of the squares that have so many, a bit for each.
    places: Vec<u64>,
    /// How many squares have so many patterns.
    counts: Vec<u32>,
    /// No undecided square has fewer patterns.
    least: usize,
}

impl Undecided {
    fn new(order: Vec<u32>, patterns: usize) -> Undecided {
        let mut place = vec![0; order.len()];
        for (at, &square) in (0..).zip(&order) {
            place[square as usize] = at;
        }
        Undecided {
            told: vec![0; order.len()],
            places: vec![0; order.len().div_ceil(64) * (patterns + 1)],
            counts: vec![0; patterns + 1],
            least: patterns,
            order,
            place,
        }
    }

    /// Notes how many patterns a square may have.
    fn note(&mut self, square: usize, left: u16) {
        let told = std::mem::replace(&mut self.told[square], left);
        if told == left {
            return;
        }
        let (words, place) = (self.words(), self.place[square] as usize);
        let mut change = |patterns: u16, by: u32| {
            self.places[usize::from(patterns) * words + place / 64] ^= 1 << (place % 64);
            let count = &mut self.counts[usize::from(patterns)];
            *count = count.wrapping_add(by);
        };
        if told > 1 {
            change(told, u32::MAX);
        }
        if left > 1 {
            change(left, 1);
            self.least = self.least.min(usize::from(left));
        }
    }

    /// Returns the undecided square that has the fewest patterns, of equal ones the first in the
    /// order.
    fn first(&mut self) -> Option<usize> {
        let more = self.counts[self.least..].iter().position(|&count| count > 0)?;
        self.least += more;
        let words = self.words();
        let places = &self.places[self.least * words..][..words];
        let word = places.iter().position(|&word| word != 0)?;
        let place = word * 64 + places[word].trailing_zeros() as usize;
        Some(self.order[place] as usize)
    }

    /// How many words hold a bit for each square.
    fn words(&self) -> usize {
        self.order.len().div_ceil(64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{ROOMS, UPRIGHT, filled, freely, rows, sample, streams};
    use super::super::sample::SampleReading;
    use super::*;

    fn squares(rows: &[String]) -> std::collections::BTreeSet<String> {
        let pairs = rows.windows(2).flat_map(|pair| {
            let width = pair[0].len();
            (0..width - 1).map(|x| format!("{}{}", &pair[0][x..x + 2], &pair[1][x..x + 2]))
        });
        pairs.collect()
    }

    #[test]
    fn the_square_with_the_fewest_patterns_comes_first_and_of_equal_ones_the_first_in_order() {
        let order: Vec<u32> = (0..200).map(|place| place * 77 % 200).collect();
        let mut undecided = Undecided::new(order.clone(), 9);
        let mut left = [0_u16; 200];
        let mut state = 3_u32;
        for _ in 0..3000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let square = (state >> 8) as usize % 200;
            left[square] = (state >> 20) as u16 % 10;
            undecided.note(square, left[square]);
            let open = order.iter().map(|&square| square as usize);
            let open = open.filter(|&square| left[square] > 1);
            assert_eq!(undecided.first(), open.min_by_key(|&square| left[square]));
        }
    }

    #[test]
    fn all_squares_are_of_the_sample() {
        let own: Vec<String> = ROOMS.iter().map(|row| (*row).to_owned()).collect();
        let allowed = squares(&own);
        for seed in 1..=10 {
            let mut grid = filled(30, 20, "w");
            let area = Area::new(2, 3, 27, 17);
            let sample = sample(&ROOMS, SampleReading { turned: true, ..UPRIGHT });
            let mut rng = streams(seed);
            let none = GlyphSet::new(b"");
            let done = paint_like(&mut grid, area, &sample, &none, 20, &mut rng, &mut freely);
            assert_eq!(done, Ok(true));
            let painted: Vec<String> =
                rows(&grid)[3..=17].iter().map(|r| r[2..=27].into()).collect();
            assert!(squares(&painted).is_subset(&allowed), "{painted:#?}");
            assert_eq!(rows(&grid)[2], "w".repeat(30));
        }
    }

    #[test]
    fn cells_that_are_kept_have_what_fits_around_them() {
        let mut grid = filled(12, 8, " ");
        grid.set(Point::new(5, 4), b'.');
        let sample = sample(&ROOMS, UPRIGHT);
        let area = Area::of(&grid);
        let keep = GlyphSet::new(b".");
        let mut rng = streams(4);
        assert_eq!(
            paint_like(&mut grid, area, &sample, &keep, 20, &mut rng, &mut freely),
            Ok(true)
        );
        assert_eq!(grid.glyph(Point::new(5, 4)), b'.');
        assert_eq!(rows(&grid).concat().matches(' ').count(), 0);
    }

    #[test]
    fn what_cannot_be_leaves_the_map_as_it_is() {
        // Every second cell is wall in the sample: two floors side by side fit nowhere.
        let checked = sample(&["x.", ".x"], UPRIGHT);
        let mut grid = filled(6, 6, " ");
        grid.set(Point::new(2, 2), b'.');
        grid.set(Point::new(3, 2), b'.');
        let before = grid.clone();
        let (area, keep) = (Area::of(&grid), GlyphSet::new(b"."));
        let mut rng = streams(1);
        assert_eq!(
            paint_like(&mut grid, area, &checked, &keep, 3, &mut rng, &mut freely),
            Ok(false)
        );
        assert_eq!(grid, before);
        let reading = SampleReading { size: 2, turned: true, wrapped: true };
        assert!(Sample::new(&[b"x"], reading).is_none());
        assert!(Sample::new(&[], reading).is_none());
    }
}
