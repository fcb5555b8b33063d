//! The glyph grid, and points on it.

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memchr3, memchr3_iter};
use serde::{Deserialize, Serialize};
use vaultwright_content::LevelSize;

use crate::points::Points;

/// The glyph of a cell that belongs to a merged subvault (spec 02 §3.1).
pub const SUBVAULT_GLYPH: u8 = 1;

/// Glyphs that grid functions can walk over (spec 02 §3.3).
pub const TRAVERSABLE: &[u8] = b".+=w@{}()[]<>BC^TUVY$%*|Odefghijk0123456789";

/// A cell: x to the right, y down, from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

impl Point {
    /// Returns a cell.
    #[inline]
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// Returns the middle of levels of a size.
    pub const fn middle_of(size: LevelSize) -> Point {
        Point { x: size.width() / 2, y: size.height() / 2 }
    }

    /// Returns whether the cell lies on a level of a size, at least so many cells from its edge.
    #[inline]
    pub const fn is_within(self, size: LevelSize, margin: i32) -> bool {
        margin <= self.x
            && self.x < size.width() - margin
            && margin <= self.y
            && self.y < size.height() - margin
    }

    /// Returns the cell moved by (dx, dy).
    #[inline]
    pub const fn offset(self, (dx, dy): (i32, i32)) -> Point {
        Point { x: self.x + dx, y: self.y + dy }
    }
}

/// East, west, south, north (spec 02 §2.5).
pub const ORTHOGONAL: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// NW, W, SW, S, SE, E, NE, N.
pub const ADJACENT: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
/// N, NE, E, SE, S, SW, W, NW.
pub const COMPASS: [(i32, i32); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
/// N, E, S, W, NE, SE, SW, NW.
pub const FLOOD: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// The glyphs of a map (spec 02 §3). Rows are ragged until [`Grid::normalise`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    rows: Vec<Vec<u8>>,
    width: usize,
}

impl Grid {
    /// Returns a grid from rows, ragged as they are.
    pub fn from_rows<Row: AsRef<[u8]>>(rows: impl IntoIterator<Item = Row>) -> Grid {
        let mut grid = Grid::default();
        for row in rows {
            grid.push_row(row.as_ref());
        }
        grid
    }

    /// Returns the length of the longest row ever added.
    #[inline]
    pub fn width(&self) -> i32 {
        self.width as i32
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(&self) -> i32 {
        self.rows.len() as i32
    }

    /// Returns the rows as they are.
    #[inline]
    pub fn rows(&self) -> &[Vec<u8>] {
        &self.rows
    }

    /// Adds a row below.
    pub fn push_row(&mut self, row: &[u8]) {
        self.width = self.width.max(row.len());
        self.rows.push(row.to_vec());
    }

    /// Pads all rows with blanks to the width.
    pub fn normalise(&mut self) {
        for row in &mut self.rows {
            row.resize(self.width, b' ');
        }
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Grid::default();
    }

    /// Returns whether the cell lies in the rectangle of the grid.
    #[inline]
    pub fn contains(&self, p: Point) -> bool {
        p.x >= 0 && p.y >= 0 && p.x < self.width() && p.y < self.height()
    }

    /// Returns the glyph of a cell; cells of ragged rows are blank; `None` outside.
    #[inline]
    pub fn get(&self, p: Point) -> Option<u8> {
        if !self.contains(p) {
            return None;
        }
        Some(self.rows[p.y as usize].get(p.x as usize).copied().unwrap_or(b' '))
    }

    /// Returns the glyph, a blank outside the grid.
    #[inline]
    pub fn glyph(&self, p: Point) -> u8 {
        self.get(p).unwrap_or(b' ')
    }

    /// Sets the glyph of a cell. Returns false outside the grid.
    #[inline]
    pub fn set(&mut self, p: Point, glyph: u8) -> bool {
        if !self.contains(p) {
            return false;
        }
        let row = &mut self.rows[p.y as usize];
        if row.len() <= p.x as usize {
            row.resize(p.x as usize + 1, b' ');
        }
        row[p.x as usize] = glyph;
        true
    }

    /// Returns all cells, row by row from the top, left to right.
    #[inline]
    pub fn points(&self) -> Points {
        Points::between(Point::new(0, 0), Point::new(self.width() - 1, self.height() - 1))
    }

    /// Returns the cells that are not blank, row by row from the top.
    pub fn drawn(&self) -> Vec<Point> {
        let is_drawn = |glyph: &u8| *glyph != b' ';
        let count = |row: &Vec<u8>| row.iter().filter(|glyph| is_drawn(glyph)).count();
        let mut cells = Vec::with_capacity(self.rows.iter().map(count).sum());
        for (row, y) in self.rows.iter().zip(0..) {
            let drawn = row.iter().zip(0..).filter(|(glyph, _)| is_drawn(glyph));
            cells.extend(drawn.map(|(_, x)| Point::new(x, y)));
        }
        cells
    }

    /// Returns the cells with a glyph of the set, row by row from the top.
    pub fn find(&self, set: &GlyphSet) -> Vec<Point> {
        let blanks = set.contains(b' ');
        // Three glyphs or fewer are found many cells at once.
        let few: Vec<u8> = set.glyphs().take(4).collect();
        let mut found = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            let mut add = |x: usize| found.push(Point::new(x as i32, y as i32));
            match few[..] {
                [a] => memchr_iter(a, row).for_each(add),
                [a, b] => memchr2_iter(a, b, row).for_each(add),
                [a, b, c] => memchr3_iter(a, b, c, row).for_each(add),
                _ => {
                    let cells = row.iter().enumerate().filter(|&(_, &glyph)| set.contains(glyph));
                    cells.for_each(|(x, _)| add(x));
                }
            }
            // What a ragged row does not have is blank.
            if blanks {
                found.extend((row.len()..self.width).map(|x| Point::new(x as i32, y as i32)));
            }
        }
        found
    }

    /// Returns whether a row has one of some glyphs; what a ragged row does not have is nothing.
    pub fn has(&self, set: &GlyphSet) -> bool {
        let few: Vec<u8> = set.glyphs().take(4).collect();
        self.rows.iter().any(|row| match few[..] {
            [a] => memchr(a, row).is_some(),
            [a, b] => memchr2(a, b, row).is_some(),
            [a, b, c] => memchr3(a, b, c, row).is_some(),
            _ => row.iter().any(|&glyph| set.contains(glyph)),
        })
    }

    /// Grows to at least the given size, filling new cells and ragged ends.
    pub fn extend(&mut self, width: i32, height: i32, fill: u8) {
        self.width = self.width.max(width.max(0) as usize);
        while self.height() < height {
            self.rows.push(Vec::new());
        }
        for row in &mut self.rows {
            row.resize(self.width, fill);
        }
    }

    /// Replaces every glyph by `f(glyph)`.
    pub fn map_glyphs(&mut self, f: impl Fn(u8) -> u8) {
        for glyph in self.rows.iter_mut().flatten() {
            *glyph = f(*glyph);
        }
    }

    /// Exchanges left and right; all rows must be as long as the width.
    pub(crate) fn mirror_columns(&mut self) {
        self.rows.iter_mut().for_each(|row| row.reverse());
    }

    /// Exchanges top and bottom.
    pub(crate) fn mirror_rows(&mut self) {
        self.rows.reverse();
    }

    /// Makes rows of the columns; all rows must be as long as the width.
    pub(crate) fn transpose(&mut self) {
        let column = |x: usize| self.rows.iter().map(|row| row[x]).collect();
        let rows: Vec<Vec<u8>> = (0..self.width).map(column).collect();
        *self = Grid { width: self.rows.len(), rows };
    }
}

/// A set of glyphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct GlyphSet([u64; 4]);

impl GlyphSet {
    /// Returns the glyphs of a text.
    #[inline]
    pub const fn new(glyphs: &[u8]) -> GlyphSet {
        let mut bits = [0; 4];
        let mut index = 0;
        while index < glyphs.len() {
            bits[(glyphs[index] >> 6) as usize] |= 1 << (glyphs[index] & 63);
            index += 1;
        }
        GlyphSet(bits)
    }

    /// Returns the glyphs of which something holds.
    pub fn of(suits: impl Fn(u8) -> bool) -> GlyphSet {
        let mut bits = [0; 4];
        for glyph in (0..=u8::MAX).filter(|&glyph| suits(glyph)) {
            bits[usize::from(glyph >> 6)] |= 1 << (glyph & 63);
        }
        GlyphSet(bits)
    }

    /// Returns the glyphs, in order.
    pub fn glyphs(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().zip([0, 64, 128, 192]).flat_map(|(&bits, first)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let next = (left != 0).then(|| first + left.trailing_zeros() as u8)?;
                left &= left - 1;
                Some(next)
            })
        })
    }

    /// Returns whether the glyph is in the set.
    #[inline]
    pub fn contains(&self, glyph: u8) -> bool {
        self.0[usize::from(glyph >> 6)] & 1 << (glyph & 63) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_had_as_they_are_found() {
        let grid = Grid::from_rows(["xx.w", "1", "x+"]);
        for set in ["x", "+", "w1", "qz", "qzw", "qzv", "qzv+", "qzvp", ""] {
            let set = GlyphSet::new(set.as_bytes());
            assert_eq!(grid.has(&set), !grid.find(&set).is_empty());
        }
        let blank = GlyphSet::new(b" ");
        assert!(!grid.has(&blank) && grid.find(&blank).len() == 5);
    }
}
