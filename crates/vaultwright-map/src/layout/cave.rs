//! Caves grown by a cellular automaton.

use crate::grid::{Grid, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// Options of [`grow_cave`].
#[derive(Clone, Copy, Debug)]
pub struct Cave {
    /// The chance of a cell to start open, in percent.
    pub percent: i32,
    /// The number of passes over all cells.
    pub passes: i32,
    /// A cell is open after a pass if this many of the nine cells around it, including itself, are
    /// open.
    pub needed: i32,
    /// The glyph of open cells; the others keep theirs.
    pub floor: u8,
}

/// Grows a cave inside an area. Makes one draw, `random2(100)`, for each cell except the outermost
/// ones, row by row. The outermost cells start closed, and everything outside counts as closed.
pub fn grow_cave(grid: &mut Grid, area: Area, cave: &Cave, rng: &mut Streams) {
    let (width, height) = (area.width() as usize, area.height() as usize);
    // With a border of closed cells, so that every cell has nine cells around it.
    let row = width + 2;
    let mut open = vec![0u8; row * (height + 2)];
    for y in 2..height {
        for x in 2..width {
            open[y * row + x] = u8::from(rng.random2(100) < cave.percent);
        }
    }
    // There are never more than nine.
    let needed = cave.needed.clamp(0, 10) as u8;
    let mut after = open.clone();
    let mut above_to_below = vec![0u8; row];
    for _ in 0..cave.passes {
        let rows = open.windows(3 * row).step_by(row);
        for (rows, after) in rows.zip(after.chunks_exact_mut(row).skip(1)) {
            let (above, here, below) = (&rows[..row], &rows[row..2 * row], &rows[2 * row..]);
            for (((count, above), here), below) in
                above_to_below.iter_mut().zip(above).zip(here).zip(below)
            {
                *count = above + here + below;
            }
            let sides = above_to_below.iter().zip(&above_to_below[1..]).zip(&above_to_below[2..]);
            for (cell, ((left, middle), right)) in after[1..=width].iter_mut().zip(sides) {
                *cell = u8::from(left + middle + right >= needed);
            }
        }
        std::mem::swap(&mut open, &mut after);
    }
    for (cells, y) in open.chunks_exact(row).skip(1).zip(area.y1..=area.y2) {
        for (&cell, x) in cells[1..].iter().zip(area.x1..=area.x2) {
            if cell == 1 {
                grid.set(Point::new(x, y), cave.floor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, filled, rows, streams};
    use super::*;

    fn grown(percent: i32, passes: i32, needed: i32) -> (Vec<String>, u64) {
        let mut grid = filled(9, 7, "x");
        let mut rng = streams(3);
        let cave = Cave { percent, passes, needed, floor: b'.' };
        grow_cave(&mut grid, Area { x1: 1, y1: 1, x2: 7, y2: 5 }, &cave, &mut rng);
        (rows(&grid), draws(&rng))
    }

    #[test]
    fn all_but_the_outermost_cells_of_the_area_begin_open_with_the_chance() {
        let expected = [
            "xxxxxxxxx",
            "xxxxxxxxx",
            "xx.....xx",
            "xx.....xx",
            "xx.....xx",
            "xxxxxxxxx",
            "xxxxxxxxx",
        ];
        assert_eq!(grown(100, 0, 5), (expected.map(str::to_owned).to_vec(), 15));
        assert_eq!(grown(0, 0, 5).0, vec!["x".repeat(9); 7]);
    }

    #[test]
    fn a_pass_opens_cells_with_enough_open_ones_around_them() {
        // The corners of the open block have four open cells around them, its edges six.
        let expected = [
            "xxxxxxxxx",
            "xxxxxxxxx",
            "xxx...xxx",
            "xx.....xx",
            "xxx...xxx",
            "xxxxxxxxx",
            "xxxxxxxxx",
        ];
        assert_eq!(grown(100, 1, 5).0, expected);
        let wider = [
            "xxxxxxxxx",
            "xxx...xxx",
            "xx.....xx",
            "xx.....xx",
            "xx.....xx",
            "xxx...xxx",
            "xxxxxxxxx",
        ];
        assert_eq!(grown(100, 1, 3).0[1], wider[1]);
    }
}
