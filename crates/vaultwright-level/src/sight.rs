//! Sight over short distances, and what a level remembers of it.

use std::sync::Arc;

use vaultwright_content::LevelSize;
use vaultwright_map::Point;

use crate::lines::LINES;

/// The maximum distance of two cells in either direction.
const MAX_REACH: i32 = 3;
/// The radius around a change in which pairs are forgotten.
const FORGOTTEN: i32 = 8;

/// The width of the square of cells that are near enough to a cell.
const WIDTH: i32 = 2 * MAX_REACH + 1;
/// The number of cells in the square.
const AROUND: usize = (WIDTH * WIDTH) as usize;
/// The index of its middle.
const MIDDLE: usize = AROUND / 2;
/// The index of the first cell in the middle's column.
const FIRST_OF_PAIRS: usize = (MAX_REACH * WIDTH) as usize;
/// A bit that stands for no cell of the square: a line that does not exist.
const NEVER: u64 = 1 << 63;
/// All cells of the square.
const ALL: u64 = (1 << AROUND) - 1;

/// The cells of the square, relative to its middle, column by column. Cells after the middle are to
/// the right of it, or below it in its column.
const SQUARE: [(i32, i32); AROUND] = {
    let mut square = [(0, 0); AROUND];
    let mut cell = 0;
    while cell < AROUND {
        square[cell] = (cell as i32 / WIDTH - MAX_REACH, cell as i32 % WIDTH - MAX_REACH);
        cell += 1;
    }
    square
};

/// For each cell of the square, the sets of cells between it and the middle, with a bit for each
/// cell of the square. The two cells see each other if some set contains nothing solid.
const BETWEEN: [[u64; 3]; AROUND] = {
    let mut between = [[NEVER; 3]; AROUND];
    let mut cell = 0;
    while cell < AROUND {
        let (dx, dy) = SQUARE[cell];
        let steep = dy.abs() > dx.abs();
        let (along, aside) = if steep { (dy.abs(), dx.abs()) } else { (dx.abs(), dy.abs()) };
        let lines = LINES[along as usize][aside as usize];
        let mut line = 0;
        while line < lines.count {
            let (mut set, mut column) = (0, 1);
            while column < along {
                let (x, y) = lines.cell(line, column, steep);
                set |= bit_of(x * dx.signum(), y * dy.signum());
                column += 1;
            }
            between[cell][line] = set;
            line += 1;
        }
        cell += 1;
    }
    between
};

/// The inverse of [`BETWEEN`]: for each cell of the square, the cells that it hides on each line if
/// it is solid.
const HIDDEN_BY: [[u64; 3]; AROUND] = {
    let mut hidden = [[0; 3]; AROUND];
    let mut seen = 0;
    while seen < AROUND * 3 {
        let (other, line) = (seen / 3, seen % 3);
        let mut cell = 0;
        while cell < AROUND {
            hidden[cell][line] |= (BETWEEN[other][line] >> cell & 1) << other;
            cell += 1;
        }
        seen += 1;
    }
    hidden
};

/// The cells of the square to which there is no first, second or third line.
const NO_LINE: [u64; 3] = {
    let mut none = [0; 3];
    let mut seen = 0;
    while seen < AROUND * 3 {
        none[seen % 3] |= (BETWEEN[seen / 3][seen % 3] >> 63) << (seen / 3);
        seen += 1;
    }
    none
};

/// Returns the bit of a cell of the square around one.
const fn bit_of(x: i32, y: i32) -> u64 {
    1 << ((x + MAX_REACH) * WIDTH + y + MAX_REACH)
}

/// What is known about which cells see each other. It must be told about terrain changes to stay
/// correct.
#[derive(Clone, Debug, Default)]
pub struct SightMemory {
    size: Option<LevelSize>,
    /// For each row and each of its cells, what is known about pairs in which it is the left cell,
    /// or the upper one in the same column. Rows without knowledge are empty, and so is the list at
    /// first. Copies of a level share it until one of them learns something.
    pairs: Arc<Vec<Vec<Known>>>,
}

/// What is known about the pairs of a cell: a bit for each possible right cell, which are those of
/// the square from the middle column on.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    looked: u32,
    sees: u32,
}

impl Known {
    /// Records for the pairs that were examined which of them see each other.
    fn note(&mut self, looked: u32, sees: u32) {
        self.looked |= looked;
        self.sees = self.sees & !looked | sees & looked;
    }
}

impl SightMemory {
    /// Returns whether a cell on the map and one at most three away see each other. If this is not
    /// known, computes everything that the first cell sees.
    pub fn sees(
        &mut self,
        from: Point,
        to: Point,
        size: LevelSize,
        is_solid: impl Fn(Point) -> bool,
    ) -> bool {
        if !from.is_within(size, 0) || !to.is_within(size, 0) {
            return false;
        }
        if self.size != Some(size) {
            self.forget_all();
            self.size = Some(size);
        }
        if let Some(known) = self.known(from, to) {
            return known;
        }
        let pairs = Arc::make_mut(&mut self.pairs);
        pairs.resize(size.height() as usize, Vec::new());
        let mut note = |left: Point, looked, sees| {
            let row = &mut pairs[left.y as usize];
            row.resize(size.width() as usize, Known::default());
            row[left.x as usize].note(looked, sees);
        };
        let on_map = match from.is_within(size, MAX_REACH) {
            true => ALL,
            false => SQUARE.iter().zip(0..).fold(0, |cells, (&step, cell)| {
                cells | u64::from(from.offset(step).is_within(size, 0)) << cell
            }),
        };
        let mut hidden = NO_LINE;
        for (hides, &step) in HIDDEN_BY.iter().zip(&SQUARE) {
            if *hides != [0; 3] && is_solid(from.offset(step)) {
                hidden.iter_mut().zip(hides).for_each(|(hidden, hides)| *hidden |= hides);
            }
        }
        let seen = ALL & !(hidden[0] & hidden[1] & hidden[2]);
        // It is the left cell of the pairs with itself and the cells after it.
        let behind = |cells: u64| (cells >> MIDDLE << MIDDLE >> FIRST_OF_PAIRS) as u32;
        note(from, behind(on_map), behind(seen));
        for (cell, &step) in SQUARE[..MIDDLE].iter().enumerate() {
            if on_map >> cell & 1 != 0 {
                // As seen from that cell, it is on the opposite side.
                let pair = AROUND - 1 - cell - FIRST_OF_PAIRS;
                let sees = (seen >> cell & 1) as u32;
                note(from.offset(step), 1 << pair, sees << pair);
            }
        }
        self.known(from, to).unwrap_or(false)
    }

    fn known(&self, from: Point, to: Point) -> Option<bool> {
        let (left, bit) = pair(from, to)?;
        let known = self.pairs.get(left.y as usize)?.get(left.x as usize)?;
        (known.looked & bit != 0).then_some(known.sees & bit != 0)
    }

    /// Forgets what may be wrong after the terrain of a cell has changed.
    pub fn forget_around(&mut self, changed: Point) {
        let Some(size) = self.size.filter(|_| !self.pairs.is_empty()) else { return };
        let pairs = Arc::make_mut(&mut self.pairs);
        let among = |first: i32, last: i32, end: i32| {
            first.clamp(0, end) as usize..(last + 1).clamp(0, end) as usize
        };
        let columns = among(changed.x - FORGOTTEN, changed.x, size.width());
        let rows = among(changed.y - FORGOTTEN, changed.y + FORGOTTEN, size.height());
        for row in pairs[rows].iter_mut().filter(|row| !row.is_empty()) {
            row[columns.clone()].fill(Known::default());
        }
    }

    /// Forgets everything.
    pub fn forget_all(&mut self) {
        match Arc::get_mut(&mut self.pairs) {
            Some(pairs) => pairs.clear(),
            None => self.pairs = Arc::default(),
        }
    }
}

/// Returns the left one of two cells and the bit of the pair; `None` if they are too far apart.
fn pair(a: Point, b: Point) -> Option<(Point, u32)> {
    let (left, right) = if (a.x, a.y) <= (b.x, b.y) { (a, b) } else { (b, a) };
    let (dx, dy) = (right.x - left.x, right.y - left.y + MAX_REACH);
    let is_near = dx <= MAX_REACH && (0..=2 * MAX_REACH).contains(&dy);
    is_near.then(|| (left, 1 << (dx * (2 * MAX_REACH + 1) + dy)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: LevelSize = LevelSize::CRAWL;

    /// Returns which cells of a drawing with walls `#` the one marked `@` sees: those left as `.`
    /// it does not.
    fn seen(drawing: [&str; 7]) -> Vec<String> {
        let glyph = |p: Point| {
            let row = usize::try_from(p.y).ok().and_then(|y| drawing.get(y));
            let column = usize::try_from(p.x).ok();
            row.zip(column).and_then(|(row, x)| row.as_bytes().get(x)).copied().unwrap_or(b'.')
        };
        let mut memory = SightMemory::default();
        let mut cell = |x: i32, y: i32| {
            let p = Point::new(x, y);
            match glyph(p) {
                b'.' if memory.sees(p, Point::new(3, 3), SIZE, |q| glyph(q) == b'#') => '*',
                other => char::from(other),
            }
        };
        (0..7).map(|y| (0..7).map(|x| cell(x, y)).collect()).collect()
    }

    #[test]
    fn walls_hide_what_no_line_between_them_reaches() {
        let pillar = [".......", ".......", ".......", "...@#..", ".......", ".......", "......."];
        let expected =
            ["*******", "*******", "*******", "***@#..", "*******", "*******", "*******"];
        assert_eq!(seen(pillar), expected);
        let gate = [".......", ".......", "....#..", "...@...", "....#..", ".......", "......."];
        let expected =
            ["******.", "*****.*", "****#**", "***@***", "****#**", "*****.*", "******."];
        assert_eq!(seen(gate), expected);
        let wall = [".......", ".......", "..###..", "...@...", ".......", ".......", "......."];
        let expected =
            [".......", "*.....*", "**###**", "***@***", "*******", "*******", "*******"];
        assert_eq!(seen(wall), expected);
    }

    #[test]
    fn a_cell_is_seen_where_nothing_of_one_line_is_solid() {
        let mut solid = 0x2545_f491_4f6c_dd1d_u64;
        let middle = Point::new(20, 20);
        for _ in 0..200 {
            solid ^= solid << 13;
            solid ^= solid >> 7;
            solid ^= solid << 17;
            let is_solid = |p: Point| {
                let cell = SQUARE.iter().position(|&step| middle.offset(step) == p);
                cell.is_some_and(|cell| solid >> cell & solid >> (cell + 7) & 1 != 0)
            };
            let is_open = |line: &u64| {
                let cells = (0..AROUND).filter(|cell| line >> cell & 1 != 0);
                line & NEVER == 0
                    && !cells.map(|cell| SQUARE[cell]).any(|step| is_solid(middle.offset(step)))
            };
            for (cell, &step) in SQUARE.iter().enumerate() {
                let mut memory = SightMemory::default();
                let sees = memory.sees(middle, middle.offset(step), SIZE, is_solid);
                assert_eq!(sees, BETWEEN[cell].iter().any(is_open));
            }
        }
    }

    #[test]
    fn what_was_seen_is_known_until_somebody_tells_of_a_change_nearby() {
        let (eye, there) = (Point::new(20, 20), Point::new(22, 20));
        let mut memory = SightMemory::default();
        assert!(memory.sees(there, eye, SIZE, |_| false));
        assert!(memory.sees(eye, there, SIZE, |_| true), "it is known both ways");
        memory.forget_around(Point::new(30, 20));
        assert!(memory.sees(there, eye, SIZE, |_| true), "the left cell is too far away");
        memory.forget_around(Point::new(19, 20));
        assert!(memory.sees(there, eye, SIZE, |_| true), "it lies to the right of the change");
        memory.forget_around(Point::new(28, 28));
        assert!(!memory.sees(there, eye, SIZE, |_| true));
        assert!(!memory.sees(Point::new(-1, 2), Point::new(1, 2), SIZE, |_| false));
    }
}
