//! Layouts that resemble a sample everywhere (wave function collapse, overlapping patterns).

use std::collections::VecDeque;

use super::Spend;
use super::pattern_sets::{
    Overlaps, Parts, Set, both, is_empty, members, opposite, set_of, size, without,
};
use super::sample::Sample;
use crate::grid::{GlyphSet, Grid, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// What an area should look like.
#[derive(Clone, Debug)]
pub struct Likeness<'a> {
    /// The sample. Each square of the area is one of its squares.
    pub sample: &'a Sample,
    /// The glyphs of cells to keep. The cells around them are made to fit.
    pub keep: GlyphSet,
    /// The maximum number of tries.
    pub tries: i32,
}

/// Fills the area so that each of its squares is one of the sample. Returns whether a try
/// succeeded; if none did, nothing is painted.
///
/// Draws, for each try: a shuffle of the squares of the area (`random2(n)` for n down to 2), for
/// the order in which those with the fewest remaining patterns are decided; then, for each
/// decision, `random2(weight)` over the remaining patterns.
pub fn paint_like<E>(
    grid: &mut Grid,
    area: Area,
    likeness: &Likeness,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<bool, E> {
    let parts = Parts::of(likeness.sample);
    // Sets are only as wide as necessary, since they take most of the time. There are at most two
    // parts for each pattern, mostly far fewer.
    let few_parts = parts.most() <= 64;
    let paint = match likeness.sample.patterns().div_ceil(64) {
        0..=1 if few_parts => paint::<1, 1, E>,
        2 if few_parts => paint::<2, 1, E>,
        3..=4 if few_parts => paint::<4, 1, E>,
        0..=1 => paint::<1, 2, E>,
        2..=4 => paint::<4, 8, E>,
        5..=8 => paint::<8, 16, E>,
        _ => paint::<16, 32, E>,
    };
    paint(grid, area, likeness, &parts, rng, spend)
}

/// Like [`paint_like`], with sets of patterns of `W` words, and sets of parts of `O`.
fn paint<const W: usize, const O: usize, E>(
    grid: &mut Grid,
    area: Area,
    likeness: &Likeness,
    parts: &Parts,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<bool, E> {
    let sample = likeness.sample;
    let columns = area.width() - sample.size + 1;
    let lines = area.height() - sample.size + 1;
    if columns < 1 || lines < 1 {
        return Ok(false);
    }
    let overlaps = Overlaps::<W, O>::new(parts);
    for _ in 0..likeness.tries {
        let mut wave = Wave::new(sample, &overlaps, columns as usize, lines as usize);
        if wave.solve(grid, area, &likeness.keep, rng, spend)? {
            for p in area.points() {
                grid.set(p, wave.glyph(p.x - area.x1, p.y - area.y1));
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// Which patterns each square of the area may still have.
struct Wave<'a, const W: usize, const O: usize> {
    sample: &'a Sample,
    overlaps: &'a Overlaps<'a, W, O>,
    columns: usize,
    lines: usize,
    /// By square. The squares around the area have no pattern to lose.
    possible: Vec<Set<W>>,
    /// For each square, the parts that its neighbours to the east, west, south and north know it
    /// may show.
    told: Vec<[Set<O>; 4]>,
    /// The number of possible patterns of each square.
    left: Vec<u16>,
    /// Squares that have lost a pattern, which their neighbours do not know yet.
    changed: VecDeque<usize>,
    is_changed: Vec<bool>,
}

impl<'a, const W: usize, const O: usize> Wave<'a, W, O> {
    fn new(
        sample: &'a Sample,
        overlaps: &'a Overlaps<'a, W, O>,
        columns: usize,
        lines: usize,
    ) -> Wave<'a, W, O> {
        let all = set_of(sample, |_| true);
        let squares = (columns + 2) * (lines + 2);
        let mut wave = Wave {
            sample,
            overlaps,
            columns,
            lines,
            possible: vec![[0; W]; squares],
            told: vec![overlaps.shown(&all); squares],
            left: vec![0; squares],
            changed: VecDeque::new(),
            is_changed: vec![false; squares],
        };
        for line in 0..lines {
            let row = wave.square(0, line)..wave.square(columns, line);
            wave.possible[row.clone()].fill(all);
            wave.left[row].fill(sample.patterns() as u16);
        }
        wave
    }

    /// Returns the number of a square.
    fn square(&self, column: usize, line: usize) -> usize {
        (line + 1) * self.stride() + column + 1
    }

    fn stride(&self) -> usize {
        self.columns + 2
    }

    /// Returns the squares of the area, row by row.
    fn squares(&self) -> Vec<u32> {
        let rows =
            (0..self.lines).map(|line| self.square(0, line)..self.square(self.columns, line));
        rows.flatten().map(|square| square as u32).collect()
    }

    /// Decides all squares. Returns false if a square has no pattern left.
    fn solve<E>(
        &mut self,
        grid: &Grid,
        area: Area,
        keep: &GlyphSet,
        rng: &mut Streams,
        spend: Spend<E>,
    ) -> Result<bool, E> {
        let squares = self.squares();
        spend((squares.len() * W) as u64)?;
        let mut order = squares.clone();
        rng.shuffle(&mut order);
        let mut undecided = Undecided::new(order, self.left.len(), self.sample.patterns());
        self.keep_cells(grid, area, keep);
        let mut touched: Vec<usize> = squares.iter().map(|&square| square as usize).collect();
        self.drop_misfits(&touched);
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

    /// Removes patterns from squares that nothing fits next to. Otherwise a square that may have
    /// any pattern rules nothing out.
    fn drop_misfits(&mut self, squares: &[usize]) {
        let all = set_of(self.sample, |_| true);
        let shown = self.overlaps.shown(&all);
        for (direction, shown) in shown.iter().enumerate() {
            let allowed = self.overlaps.fitting_some(direction, shown);
            for &square in squares.iter().filter(|_| allowed != all) {
                self.narrow(self.beside(square, direction), &allowed);
            }
        }
    }

    /// Returns the neighbour of a square to the east, west, south or north.
    #[inline]
    fn beside(&self, square: usize, direction: usize) -> usize {
        match direction {
            0 => square + 1,
            1 => square - 1,
            2 => square + self.stride(),
            _ => square - self.stride(),
        }
    }

    /// Returns the possible patterns of a square, in order.
    fn patterns_of(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        members(&self.possible[square])
    }

    /// Restricts a square to the patterns in the set. Returns whether it has lost any.
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

    /// Rules out patterns that would change cells that must be kept.
    fn keep_cells(&mut self, grid: &Grid, area: Area, keep: &GlyphSet) {
        let (size, columns) = (self.sample.size, self.columns);
        let squares =
            (0..self.lines).flat_map(|line| (0..columns).map(move |column| (column, line)));
        for (column, line) in squares {
            let corner = Point::new(area.x1 + column as i32, area.y1 + line as i32);
            for cell in 0..size * size {
                let p = corner.offset((cell % size, cell / size));
                let Some(glyph) = grid.get(p).filter(|&glyph| keep.contains(glyph)) else {
                    continue;
                };
                let fits = set_of(self.sample, |pattern| pattern[cell as usize] == glyph);
                self.narrow(self.square(column, line), &fits);
            }
        }
    }

    /// Informs neighbours about what is gone, until nothing more follows. Returns false if a square
    /// has no pattern left.
    fn propagate<E>(&mut self, touched: &mut Vec<usize>, spend: Spend<E>) -> Result<bool, E> {
        while let Some(square) = self.changed.pop_front() {
            self.is_changed[square] = false;
            if self.left[square] == 0 {
                return Ok(false);
            }
            spend(u64::from(self.left[square]))?;
            self.tell_around(square, touched);
        }
        Ok(true)
    }

    /// Restricts the neighbours of a square to what fits next to what it may still show.
    fn tell_around(&mut self, square: usize, touched: &mut Vec<usize>) {
        let shown = self.overlaps.shown(&self.possible[square]);
        let told = std::mem::replace(&mut self.told[square], shown);
        for (direction, (told, shown)) in told.iter().zip(&shown).enumerate() {
            let gone = without(told, shown);
            if is_empty(&gone) {
                continue;
            }
            let beside = self.beside(square, direction);
            // It knows itself that these cannot be between the two.
            let back = &mut self.told[beside][opposite(direction)];
            *back = without(back, &gone);
            let allowed = self.overlaps.allowed(direction, &gone, shown);
            if self.narrow(beside, &allowed) {
                touched.push(beside);
            }
        }
    }

    /// Chooses one of the possible patterns of a square, by weight.
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
        let (column, line) = (x.min(self.columns as i32 - 1), y.min(self.lines as i32 - 1));
        let square = self.square(column as usize, line as usize);
        let cell = (y - line) * self.sample.size + x - column;
        let decided = self.patterns_of(square).next();
        decided.map_or(b' ', |pattern| self.sample.patterns[pattern][cell as usize])
    }
}

/// Squares by the number of their possible patterns. Those with fewer than two are decided.
struct Undecided {
    /// The order in which squares with equally many patterns come.
    order: Vec<u32>,
    /// The position of each square in the order.
    place: Vec<u32>,
    /// The number of patterns that each square last reported; 0 at first.
    told: Vec<u16>,
    /// For each number of patterns, the positions of the squares that have it, as bits.
    places: Vec<u64>,
    /// For each number of patterns, the number of squares that have it.
    counts: Vec<u32>,
    /// No undecided square has fewer patterns than this.
    least: usize,
}

impl Undecided {
    /// Returns squares without any information yet, with numbers below `end`.
    fn new(order: Vec<u32>, end: usize, patterns: usize) -> Undecided {
        let mut place = vec![0; end];
        for (at, &square) in (0..).zip(&order) {
            place[square as usize] = at;
        }
        Undecided {
            told: vec![0; end],
            places: vec![0; order.len().div_ceil(64) * (patterns + 1)],
            counts: vec![0; patterns + 1],
            least: patterns,
            order,
            place,
        }
    }

    /// Records the number of possible patterns of a square.
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

    /// Returns the undecided square with the fewest patterns, or the first in the order of several.
    fn first(&mut self) -> Option<usize> {
        let more = self.counts[self.least..].iter().position(|&count| count > 0)?;
        self.least += more;
        let words = self.words();
        let places = &self.places[self.least * words..][..words];
        let word = places.iter().position(|&word| word != 0)?;
        let place = word * 64 + places[word].trailing_zeros() as usize;
        Some(self.order[place] as usize)
    }

    /// The number of words that hold a bit for each square.
    fn words(&self) -> usize {
        self.order.len().div_ceil(64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{ROOMS, UPRIGHT, filled, freely, rows, sample, streams};
    use super::super::sample::SampleReading;
    use super::*;

    fn likeness<'a>(sample: &'a Sample, keep: &[u8], tries: i32) -> Likeness<'a> {
        Likeness { sample, keep: GlyphSet::new(keep), tries }
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
        let mut undecided = Undecided::new(order.clone(), 200, 9);
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
            let done =
                paint_like(&mut grid, area, &likeness(&sample, b"", 20), &mut rng, &mut freely);
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
        let mut rng = streams(4);
        assert_eq!(
            paint_like(&mut grid, area, &likeness(&sample, b".", 20), &mut rng, &mut freely),
            Ok(true)
        );
        assert_eq!(grid.glyph(Point::new(5, 4)), b'.');
        assert_eq!(rows(&grid).concat().matches(' ').count(), 0);
    }

    #[test]
    fn what_cannot_be_leaves_the_map_as_it_is() {
        // In the sample every second cell is wall: two adjacent floors fit nowhere.
        let checked = sample(&["x.", ".x"], UPRIGHT);
        let mut grid = filled(6, 6, " ");
        grid.set(Point::new(2, 2), b'.');
        grid.set(Point::new(3, 2), b'.');
        let before = grid.clone();
        let area = Area::of(&grid);
        let mut rng = streams(1);
        assert_eq!(
            paint_like(&mut grid, area, &likeness(&checked, b".", 3), &mut rng, &mut freely),
            Ok(false)
        );
        assert_eq!(grid, before);
        let reading = SampleReading { size: 2, turned: true, wrapped: true };
        assert!(Sample::new(&[b"x"], reading).is_none());
        assert!(Sample::new(&[], reading).is_none());
    }
}
