//! Layouts that look like a sample everywhere (wave function collapse, overlapping patterns).

use std::collections::VecDeque;

use super::Spend;
use crate::grid::{GlyphSet, Grid, ORTHOGONAL, Point};
use crate::paint::Area;
use foldhash::{HashMap, HashMapExt};
use vaultwright_rng::Streams;

/// How a sample is read.
#[derive(Clone, Copy, Debug)]
pub struct SampleReading {
    /// The width and height of its squares.
    pub size: i32,
    /// Whether squares count in all eight ways to turn and mirror them.
    pub turned: bool,
    /// Whether the sample goes on at its other side.
    pub wrapped: bool,
}

/// The squares of glyphs that a sample has, and how often.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The width and height of a square.
    size: i32,
    /// Row by row.
    patterns: Vec<Vec<u8>>,
    /// How often each pattern occurs.
    weights: Vec<i32>,
}

impl Sample {
    /// More patterns than this take too long to compare.
    pub const MAX_PATTERNS: usize = 1000;

    /// Reads the squares of a sample of rows, all as long as the longest (blanks are added), in
    /// order of their first cells.
    ///
    /// Returns `None` if it has no square, or more than [`Sample::MAX_PATTERNS`].
    pub fn new(rows: &[&[u8]], reading: SampleReading) -> Option<Sample> {
        let SampleReading { size, turned, wrapped } = reading;
        let height = rows.len() as i32;
        let width = rows.iter().map(|row| row.len()).max()? as i32;
        if size < 1 || width < size || height < size {
            return None;
        }
        let glyph = |x: i32, y: i32| {
            let row = rows[(y % height) as usize];
            row.get((x % width) as usize).copied().unwrap_or(b' ')
        };
        let less = if wrapped { 0 } else { size - 1 };
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut patterns, mut weights) = (Vec::new(), Vec::new());
        for (x, y) in (0..height - less).flat_map(|y| (0..width - less).map(move |x| (x, y))) {
            let square = (0..size).flat_map(|dy| (0..size).map(move |dx| (dx, dy)));
            let mut square: Vec<u8> = square.map(|(dx, dy)| glyph(x + dx, y + dy)).collect();
            for turn in 0..if turned { 8 } else { 1 } {
                let next = *known.entry(square.clone()).or_insert_with(|| {
                    patterns.push(square.clone());
                    weights.push(0);
                    patterns.len() - 1
                });
                weights[next] += 1;
                square = if turn == 3 { mirrored(&square, size) } else { quarter(&square, size) };
            }
            if patterns.len() > Sample::MAX_PATTERNS {
                return None;
            }
        }
        Some(Sample { size, patterns, weights })
    }

    /// Returns the number of different squares.
    pub fn patterns(&self) -> usize {
        self.patterns.len()
    }
}

/// Returns the square turned by a quarter.
fn quarter(square: &[u8], size: i32) -> Vec<u8> {
    let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    cells.map(|(x, y)| square[((size - 1 - x) * size + y) as usize]).collect()
}

/// Returns the square with left and right exchanged.
fn mirrored(square: &[u8], size: i32) -> Vec<u8> {
    square.chunks(size as usize).flat_map(|row| row.iter().rev().copied()).collect()
}

/// Returns what a square shows where another lies on it that is one step away.
fn part_below(square: &[u8], size: i32, (dx, dy): (i32, i32)) -> Vec<u8> {
    let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let below =
        cells.filter(|(x, y)| (0..size).contains(&(x - dx)) && (0..size).contains(&(y - dy)));
    below.map(|(x, y)| square[(y * size + x) as usize]).collect()
}

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

/// A set of patterns, a bit for each.
type Set<const W: usize> = [u64; W];

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

/// Returns the patterns of which something holds.
fn set_of<const W: usize>(sample: &Sample, mut holds: impl FnMut(&[u8]) -> bool) -> Set<W> {
    let mut set = [0; W];
    for (index, pattern) in sample.patterns.iter().enumerate() {
        set[index / 64] |= u64::from(holds(pattern)) << (index % 64);
    }
    set
}

/// Which patterns fit beside those that a square may have.
struct Neighbours<const W: usize> {
    /// For each pattern what fits to the east, west, south and north of it.
    fitting: Vec<[Set<W>; 4]>,
    /// For each pattern those beside which the same fits.
    alike: Vec<[Set<W>; 4]>,
    /// For each four patterns in turn what fits beside one of some of them, by which of the four.
    of_four: Vec<[[Set<W>; 4]; 16]>,
}

impl<const W: usize> Neighbours<W> {
    fn new(sample: &Sample) -> Neighbours<W> {
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
    fn of(&self, set: &Set<W>) -> [Set<W>; 4] {
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

/// Adds the patterns of sets to others.
fn add_each<const W: usize>(sets: &mut [Set<W>; 4], more: &[Set<W>; 4]) {
    sets.iter_mut().zip(more).for_each(|(set, more)| add(set, more));
}

/// Adds the patterns of a set to another.
fn add<const W: usize>(set: &mut Set<W>, more: &Set<W>) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

/// Returns the patterns that are in two sets.
fn both<const W: usize>(one: &Set<W>, other: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| one[word] & other[word])
}

/// Returns how many patterns are in a set.
fn size<const W: usize>(set: &Set<W>) -> u16 {
    set.iter().map(|word| word.count_ones() as u16).sum()
}

/// Returns the patterns of a set, in order.
fn patterns_of<const W: usize>(set: &Set<W>) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| index * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(next)
        })
    })
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
        let gone = std::array::from_fn(|word| told[word] & !left[word]);
        // What is looked at is either what has gone or, by fours, what is left.
        let fours = self.left[square].min(self.neighbours.of_four.len() as u16);
        if 3 * size(&gone) < fours {
            self.neighbours.after(left, &gone)
        } else {
            self.neighbours.of(left)
        }
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
    use super::super::drawn::{filled, freely, rows, streams};
    use super::*;

    /// How samples are read that are not turned.
    const UPRIGHT: SampleReading = SampleReading { size: 2, turned: false, wrapped: true };

    fn sample(rows: &[&str], reading: SampleReading) -> Sample {
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        Sample::new(&rows, reading).expect("a sample")
    }

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

    const ROOMS: [&str; 6] = ["xxxxxx", "x...xx", "x...xx", "x...xx", "xxxxxx", "xxxxxx"];

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
