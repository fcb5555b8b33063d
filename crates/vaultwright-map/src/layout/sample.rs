//! The squares of glyphs in a sample.

use foldhash::{HashMap, HashMapExt};

/// How a sample is read.
#[derive(Clone, Copy, Debug)]
pub struct SampleReading {
    /// The width and height of its squares.
    pub size: i32,
    /// Whether squares count in all eight rotations and reflections.
    pub turned: bool,
    /// Whether the sample wraps around at its edges.
    pub wrapped: bool,
}

/// The squares of glyphs in a sample, and their frequencies.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The width and height of a square.
    pub(super) size: i32,
    /// The glyphs of each square, row by row.
    pub(super) patterns: Vec<Vec<u8>>,
    /// The number of occurrences of each pattern.
    pub(super) weights: Vec<i32>,
}

impl Sample {
    /// More patterns than this take too long to compare.
    pub const MAX_PATTERNS: usize = 1000;

    /// Reads the squares of a sample, ordered by their first cells. The rows are padded with blanks
    /// to the longest one.
    ///
    /// Returns `None` if there is no square, or if there are more than [`Sample::MAX_PATTERNS`].
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

/// Returns the square after a quarter turn.
fn quarter(square: &[u8], size: i32) -> Vec<u8> {
    let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    cells.map(|(x, y)| square[((size - 1 - x) * size + y) as usize]).collect()
}

/// Returns the square mirrored left and right.
fn mirrored(square: &[u8], size: i32) -> Vec<u8> {
    square.chunks(size as usize).flat_map(|row| row.iter().rev().copied()).collect()
}

/// Returns the part of a square that is covered by another square one step away.
pub(super) fn part_below(square: &[u8], size: i32, (dx, dy): (i32, i32)) -> Vec<u8> {
    let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let below =
        cells.filter(|(x, y)| (0..size).contains(&(x - dx)) && (0..size).contains(&(y - dy)));
    below.map(|(x, y)| square[(y * size + x) as usize]).collect()
}
