//! The glyph grid, and points on it.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};
use serde::{Deserialize, Serialize};
use vaultwright_content::LevelSize;

pub use crate::glyph_set::GlyphSet;
use crate::paint::Area;
use crate::points::Points;

/// The glyph of a cell that belongs to a merged subvault (spec 02 §3.1).
pub const SUBVAULT_GLYPH: u8 = 1;

/// Glyphs that grid functions can walk over (spec 02 §3.3).
pub const TRAVERSABLE: &[u8] = b".+=w@{}()[]<>BC^TUVY$%*|Odefghijk0123456789";

/// The number of rows to reserve room for when the first one is added.
const TYPICAL_HEIGHT: usize = 16;

/// A cell: x to the right, y down, from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Point {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Point {
    /// Creates a cell.
    #[inline]
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// Returns the middle of a level of this size.
    pub const fn middle_of(size: LevelSize) -> Point {
        Point { x: size.width() / 2, y: size.height() / 2 }
    }

    /// Returns whether the cell is on a level of this size, at least `margin` cells from its edge.
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
    /// All rows, concatenated, so that glyphs can be searched for in one go.
    cells: Vec<u8>,
    width: usize,
    height: usize,
    /// The end of each row in `cells`; empty once all rows have the full width.
    ends: Vec<usize>,
}

impl Grid {
    /// Creates a grid from rows, which may be ragged.
    pub fn from_rows<Row: AsRef<[u8]>>(rows: impl IntoIterator<Item = Row>) -> Grid {
        let mut grid = Grid::default();
        for row in rows {
            grid.push_row(row.as_ref());
        }
        grid
    }

    /// Returns the length of the longest row added so far.
    #[inline]
    pub fn width(&self) -> i32 {
        self.width as i32
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(&self) -> i32 {
        self.height as i32
    }

    /// Returns the rows as they are, from top to bottom.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        (0..self.height).map(|y| &self.cells[self.span(y)])
    }

    /// Returns a row as it is; `None` outside the grid.
    pub(crate) fn row(&self, y: i32) -> Option<&[u8]> {
        (0..self.height()).contains(&y).then(|| &self.cells[self.span(y as usize)])
    }

    /// Appends a row at the bottom.
    pub fn push_row(&mut self, row: &[u8]) {
        let is_first = self.height == 0 && row.len() > self.width;
        let fits = !self.is_ragged() && (is_first || row.len() == self.width);
        if !fits && !self.is_ragged() {
            self.ends.extend((1..=self.height).map(|y| y * self.width));
        }
        if self.height == 0 {
            self.cells.reserve(row.len() * TYPICAL_HEIGHT);
        }
        self.cells.extend_from_slice(row);
        if !fits {
            self.ends.push(self.cells.len());
        }
        self.width = self.width.max(row.len());
        self.height += 1;
    }

    /// Pads all rows with blanks to the full width.
    pub fn normalise(&mut self) {
        if self.is_ragged() {
            self.resize(self.width, self.height, b' ');
        }
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        *self = Grid::default();
    }

    /// Returns whether a cell is in the rectangle of the grid.
    #[inline]
    pub fn contains(&self, p: Point) -> bool {
        p.x >= 0 && p.y >= 0 && p.x < self.width() && p.y < self.height()
    }

    /// Returns the glyph of a cell; a blank beyond the end of a ragged row, and `None` outside the
    /// grid.
    #[inline]
    pub fn get(&self, p: Point) -> Option<u8> {
        if !self.contains(p) {
            return None;
        }
        let row = self.span(p.y as usize);
        let cell = row.start + p.x as usize;
        Some(if cell < row.end { self.cells[cell] } else { b' ' })
    }

    /// Returns the glyph of a cell; a blank outside the grid.
    #[inline]
    pub fn glyph(&self, p: Point) -> u8 {
        self.get(p).unwrap_or(b' ')
    }

    /// Sets the glyph of a cell. Returns false if it is outside the grid.
    #[inline]
    pub fn set(&mut self, p: Point, glyph: u8) -> bool {
        if !self.contains(p) {
            return false;
        }
        let row = self.span(p.y as usize);
        let cell = row.start + p.x as usize;
        if cell >= row.end {
            self.lengthen(p.y as usize, cell + 1 - row.end);
        }
        self.cells[cell] = glyph;
        true
    }

    /// Sets the glyph of all cells of an area. Cells outside the grid are ignored.
    pub(crate) fn fill(&mut self, area: Area, glyph: u8) {
        let columns = area.x1.max(0)..area.x2.saturating_add(1).min(self.width());
        for y in area.y1.max(0)..area.y2.saturating_add(1).min(self.height()) {
            if self.is_ragged() {
                columns.clone().for_each(|x| _ = self.set(Point::new(x, y), glyph));
            } else if !columns.is_empty() {
                let start = self.span(y as usize).start;
                self.cells[start + columns.start as usize..start + columns.end as usize]
                    .fill(glyph);
            }
        }
    }

    /// Returns all cells, row by row from the top, left to right.
    #[inline]
    pub fn points(&self) -> Points {
        Points::between(Point::new(0, 0), Point::new(self.width() - 1, self.height() - 1))
    }

    /// Returns the cells that are not blank, row by row from the top.
    pub fn drawn(&self) -> Vec<Point> {
        let is_drawn = |glyph: &u8| *glyph != b' ';
        let count = self.cells.iter().filter(|glyph| is_drawn(glyph)).count();
        let mut cells = Vec::with_capacity(count);
        for (row, y) in self.rows().zip(0..) {
            // Rows of layouts are full.
            if row.iter().all(is_drawn) {
                cells.extend((0..row.len() as i32).map(|x| Point::new(x, y)));
                continue;
            }
            let drawn = row.iter().zip(0..).filter(|(glyph, _)| is_drawn(glyph));
            cells.extend(drawn.map(|(_, x)| Point::new(x, y)));
        }
        cells
    }

    /// Returns the cells with a glyph of the set, row by row from the top.
    pub fn find(&self, set: &GlyphSet) -> Vec<Point> {
        if set.contains(b' ') && self.is_ragged() {
            // Cells beyond the end of a ragged row are blank.
            let mut padded = self.clone();
            padded.normalise();
            return padded.find(set);
        }
        let mut points = Vec::with_capacity(16);
        let (mut y, mut row) = (0, if self.height > 0 { self.span(0) } else { 0..0 });
        set.each_place_in(&self.cells, |place| {
            while place >= row.end {
                y += 1;
                row = self.span(y);
            }
            points.push(Point::new((place - row.start) as i32, y as i32));
        });
        points
    }

    /// Replaces the cells with a glyph of the set, row by row from the top. `None` keeps a cell.
    pub(crate) fn replace(&mut self, set: &GlyphSet, mut next: impl FnMut() -> Option<u8>) {
        if set.contains(b' ') && self.is_ragged() {
            for cell in self.find(set) {
                if let Some(glyph) = next() {
                    self.set(cell, glyph);
                }
            }
            return;
        }
        let mut places = Vec::with_capacity(16);
        set.each_place_in(&self.cells, |place| places.push(place));
        for place in places {
            if let Some(glyph) = next() {
                self.cells[place] = glyph;
            }
        }
    }

    /// Replaces all cells with a glyph of the set by one glyph.
    pub(crate) fn replace_all(&mut self, set: &GlyphSet, glyph: u8) {
        if set.contains(b' ') && self.is_ragged() {
            return self.replace(set, || Some(glyph));
        }
        let mut glyphs = set.glyphs();
        match (glyphs.next(), glyphs.next(), glyphs.next()) {
            // For one or two glyphs, many cells are compared at once.
            (Some(a), None, _) => self.map_glyphs(|it| if it == a { glyph } else { it }),
            (Some(a), Some(b), None) => {
                self.map_glyphs(|it| if it == a || it == b { glyph } else { it });
            }
            _ => self.map_glyphs(|it| if set.contains(it) { glyph } else { it }),
        }
    }

    /// Returns the indices of the cells with a glyph of the set, counted row by row from the top as
    /// if all rows had the full width.
    pub(crate) fn places(&self, set: &GlyphSet) -> Vec<usize> {
        let mut places = Vec::with_capacity(16);
        if self.is_ragged() {
            let place = |p: Point| p.y as usize * self.width + p.x as usize;
            places.extend(self.find(set).into_iter().map(place));
        } else {
            set.each_place_in(&self.cells, |place| places.push(place));
        }
        places
    }

    /// Returns whether any row has a glyph of the set. Cells beyond the end of a ragged row do not
    /// count.
    pub fn has(&self, set: &GlyphSet) -> bool {
        let (cells, mut glyphs) = (self.cells.as_slice(), set.glyphs());
        match (glyphs.next(), glyphs.next(), glyphs.next(), glyphs.next()) {
            (Some(a), None, ..) => memchr(a, cells).is_some(),
            (Some(a), Some(b), None, _) => memchr2(a, b, cells).is_some(),
            (Some(a), Some(b), Some(c), None) => memchr3(a, b, c, cells).is_some(),
            _ => cells.iter().any(|&glyph| set.contains(glyph)),
        }
    }

    /// Returns the number of cells with a glyph of the set. Cells beyond the end of a ragged row do
    /// not count.
    pub fn count(&self, set: &GlyphSet) -> usize {
        let mut count = 0;
        set.each_place_in(&self.cells, |_| count += 1);
        count
    }

    /// Returns all glyphs in the rows.
    pub fn glyphs(&self) -> GlyphSet {
        let mut shown = [0; 256];
        self.cells.iter().for_each(|&glyph| shown[usize::from(glyph)] = 1);
        GlyphSet::of_shown(&shown)
    }

    /// Grows the grid to at least the given size, filling new cells and the ends of ragged rows.
    pub fn extend(&mut self, width: i32, height: i32, fill: u8) {
        let width = self.width.max(width.max(0) as usize);
        let height = self.height.max(height.max(0) as usize);
        if self.is_ragged() || (width, height) != (self.width, self.height) {
            self.resize(width, height, fill);
        }
    }

    /// Replaces every glyph by `f(glyph)`.
    pub(crate) fn map_glyphs(&mut self, f: impl Fn(u8) -> u8) {
        for glyph in &mut self.cells {
            *glyph = f(*glyph);
        }
    }

    /// Mirrors left and right; all rows must have the full width.
    pub(crate) fn mirror_columns(&mut self) {
        self.cells.chunks_exact_mut(self.width.max(1)).for_each(<[u8]>::reverse);
    }

    /// Mirrors top and bottom; all rows must have the full width.
    pub(crate) fn mirror_rows(&mut self) {
        let cells = self.rows().rev().collect::<Vec<_>>().concat();
        *self = Grid { cells, ..std::mem::take(self) };
    }

    /// Turns columns into rows; all rows must have the full width.
    pub(crate) fn transpose(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut cells = Vec::with_capacity(self.cells.len());
        for x in 0..width {
            cells.extend((0..height).map(|y| self.cells[y * width + x]));
        }
        *self = Grid { cells, width: height, height: width, ends: Vec::new() };
    }

    /// Returns the position of a row in `cells`.
    #[inline]
    fn span(&self, y: usize) -> Range<usize> {
        if self.is_ragged() {
            return if y == 0 { 0 } else { self.ends[y - 1] }..self.ends[y];
        }
        y * self.width..(y + 1) * self.width
    }

    #[inline]
    fn is_ragged(&self) -> bool {
        !self.ends.is_empty()
    }

    /// Appends blanks to a row of a ragged grid.
    #[cold]
    fn lengthen(&mut self, y: usize, blanks: usize) {
        let end = self.ends[y];
        self.cells.splice(end..end, std::iter::repeat_n(b' ', blanks));
        self.ends[y..].iter_mut().for_each(|end| *end += blanks);
        if self.cells.len() == self.width * self.height {
            self.ends.clear();
        }
    }

    /// Grows the grid to a size not below its own, filling new cells and the ends of ragged rows.
    fn resize(&mut self, width: usize, height: usize, fill: u8) {
        let mut cells = vec![fill; width * height];
        for (row, wider) in self.rows().zip(cells.chunks_exact_mut(width.max(1))) {
            wider[..row.len()].copy_from_slice(row);
        }
        *self = Grid { cells, width, height, ends: Vec::new() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_filled_as_its_cells_are_set() {
        let ragged = || Grid::from_rows(["abc", "d", "efgh"]);
        let full = || Grid::from_rows(["abcd", "efgh", "ijkl"]);
        let corners = || (-2..6).flat_map(|y| (-2..6).map(move |x| Point::new(x, y)));
        for (from, to) in corners().flat_map(|from| corners().map(move |to| (from, to))) {
            let area = Area::new(from.x, from.y, to.x, to.y);
            for grid in [ragged(), full()] {
                let (mut filled, mut set) = (grid.clone(), grid);
                filled.fill(area, b'+');
                area.points().for_each(|p| _ = set.set(p, b'+'));
                assert_eq!(filled, set, "{area:?}");
            }
        }
    }

    #[test]
    fn glyphs_are_had_as_they_are_found() {
        let grid = Grid::from_rows(["xx.w", "1", "x+"]);
        for set in ["x", "+", "w1", "qz", "qzw", "qzv", "qzv+", "qzvp", ""] {
            let set = GlyphSet::new(set.as_bytes());
            assert_eq!(grid.has(&set), !grid.find(&set).is_empty());
            assert_eq!(grid.count(&set), grid.find(&set).len());
        }
        let blank = GlyphSet::new(b" ");
        assert!(!grid.has(&blank) && grid.find(&blank).len() == 5);
        assert_eq!(grid.find(&GlyphSet::new(b"+w x")).len(), 5 + 5);
    }

    #[test]
    fn cells_are_replaced_in_the_order_they_are_found() {
        let mut grid = Grid::from_rows(["ab", "abba", "b"]);
        let mut glyphs = [Some(b'1'), None, Some(b'3')].into_iter();
        grid.replace(&GlyphSet::new(b"a"), || glyphs.next().flatten());
        assert_eq!(grid.rows().collect::<Vec<_>>(), [&b"1b"[..], b"abb3", b"b"]);
        let mut glyphs = [None, Some(b'5')].into_iter();
        grid.replace(&GlyphSet::new(b" "), || glyphs.next().flatten());
        assert_eq!(grid.rows().collect::<Vec<_>>(), [&b"1b 5"[..], b"abb3", b"b"]);
    }

    #[test]
    fn all_cells_are_replaced_at_once_as_they_are_one_by_one() {
        let full = Grid::from_rows(["abcd", "  ab", "dcba"]);
        let ragged = Grid::from_rows(["abcd", "", " ab", "d"]);
        for set in ["a", "ab", "abc", " ", "a ", "", "zy", "abcdz"] {
            let set = GlyphSet::new(set.as_bytes());
            for grid in [&full, &ragged] {
                let (mut at_once, mut one_by_one) = (grid.clone(), grid.clone());
                at_once.replace_all(&set, b'b');
                one_by_one.replace(&set, || Some(b'b'));
                assert_eq!(at_once, one_by_one);
                let place = |p: &Point| (p.y * grid.width() + p.x) as usize;
                let places: Vec<usize> = grid.find(&set).iter().map(place).collect();
                assert_eq!(grid.places(&set), places);
            }
        }
    }

    #[test]
    fn rows_are_as_long_as_what_was_drawn_on_them() {
        let mut grid = Grid::from_rows(["ab", "", "abcd", "a"]);
        assert!(grid.set(Point::new(1, 1), b'x') && grid.set(Point::new(3, 3), b'y'));
        assert!(!grid.set(Point::new(4, 1), b'z') && !grid.set(Point::new(0, 4), b'z'));
        let rows = |grid: &Grid| grid.rows().map(<[u8]>::to_vec).collect::<Vec<_>>().join(&b'|');
        assert_eq!(rows(&grid), b"ab| x|abcd|a  y");
        assert_eq!(grid.find(&GlyphSet::new(b"y")), [Point::new(3, 3)]);
        assert_eq!(grid.find(&GlyphSet::new(b"xy")), [Point::new(1, 1), Point::new(3, 3)]);
        assert_eq!((grid.get(Point::new(3, 0)), grid.get(Point::new(4, 0))), (Some(b' '), None));
        grid.map_glyphs(|glyph| if glyph == b' ' { b'.' } else { glyph });
        assert_eq!(rows(&grid), b"ab|.x|abcd|a..y");
        grid.extend(5, 5, b'-');
        assert_eq!(rows(&grid), b"ab---|.x---|abcd-|a..y-|-----");
        grid.transpose();
        grid.mirror_columns();
        grid.mirror_rows();
        assert_eq!(rows(&grid), b"-----|-yd--|-.c--|-.bxb|-aa.a");
    }

    #[test]
    fn grids_with_the_same_rows_are_the_same() {
        let mut drawn = Grid::from_rows(["a", "ab"]);
        assert_ne!(drawn, Grid::from_rows(["a ", "ab"]));
        drawn.set(Point::new(1, 0), b' ');
        assert_eq!(drawn, Grid::from_rows(["a ", "ab"]));
        let mut wide = Grid::default();
        wide.extend(2, 0, b' ');
        wide.push_row(b"a");
        wide.push_row(b"ab");
        wide.normalise();
        assert_eq!(wide, drawn);
    }

    #[test]
    fn cells_are_found_wherever_they_stand() {
        let row: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        let grid = Grid::from_rows([&row[..5], &row, &row[7..]]);
        for glyphs in [
            &b"a"[..],
            b"\0",
            b"\xff\x7f",
            b"\x80\x00x",
            b"abcd\xff",
            b"\x01",
            b"\x010123456789",
            b"acegik\xff",
        ] {
            let set = GlyphSet::new(glyphs);
            let suits = |p: &Point| {
                (p.x as usize) < grid.rows().nth(p.y as usize).unwrap().len()
                    && glyphs.contains(&grid.glyph(*p))
            };
            assert_eq!(grid.find(&set), grid.points().filter(suits).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_grid_tells_which_glyphs_it_has() {
        assert!(Grid::default().glyphs().is_empty());
        for glyphs in [&b"abc"[..], b"\0\x07\x08?@\x7f\x80\xbf\xc0\xff", b"x \x01"] {
            let set = Grid::from_rows([glyphs, &glyphs[1..], glyphs]).glyphs();
            assert_eq!(set, GlyphSet::new(glyphs));
            assert_eq!(set.len(), glyphs.len());
            let rest = set.without(glyphs[1..].iter().copied().chain([0xee]));
            assert_eq!(rest.glyphs().collect::<Vec<_>>(), [glyphs[0]]);
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(Grid::from_rows([all]).glyphs().len(), 256);
    }

    #[test]
    fn a_grid_without_rows_or_columns_can_be_turned() {
        for rows in [vec![], vec![""; 3]] {
            let mut grid = Grid::from_rows(rows);
            grid.mirror_columns();
            grid.transpose();
            grid.mirror_rows();
            assert_eq!(grid.drawn(), []);
        }
    }
}
