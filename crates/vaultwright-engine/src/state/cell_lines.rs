//! Which source lines have written the cells of a map.

use std::collections::HashMap;

use vaultwright_map::{Grid, MapDef, Point};

/// For each cell of a rolled map, the source lines (from 1) that have written it, in order: the row
/// of the drawing, then the statements and the Lua that changed it.
#[derive(Clone, Debug, Default)]
pub struct CellLines {
    width: i32,
    height: i32,
    /// For each cell, the index of its list of lines.
    of: Vec<u32>,
    lists: Vec<Vec<u32>>,
    /// For a list and an added line, the index of the longer list.
    longer: HashMap<(u32, u32), u32>,
    /// The drawing when it was last examined.
    before: Grid,
    /// The number of turns the map had made then.
    turns: usize,
}

impl CellLines {
    /// Records what a line has changed since the last one.
    pub(crate) fn note(&mut self, def: &MapDef, line: u32) {
        let grid = &def.grid;
        self.turns = def.turned.len();
        if self.before == *grid {
            return;
        }
        self.fit(grid);
        let old = std::mem::replace(&mut self.before, grid.clone());
        let before = old.rows().chain(std::iter::repeat(&[][..]));
        for ((y, row), before) in grid.rows().enumerate().zip(before) {
            if before == row {
                continue;
            }
            for (x, glyph) in row.iter().enumerate() {
                if before.get(x) != Some(glyph) && !(before.len() <= x && *glyph == b' ') {
                    let index = y * self.width as usize + x;
                    self.of[index] = self.with(self.of[index], line);
                }
            }
        }
    }

    /// Returns the width and height of the map.
    pub fn size(&self) -> (i32, i32) {
        (self.width, self.height)
    }

    /// Returns the lists of lines. The first one is empty.
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// Returns the index of each cell's list, row by row.
    pub fn indices(&self) -> &[u32] {
        &self.of
    }

    /// Returns the lines that have written a cell.
    pub fn at(&self, p: Point) -> &[u32] {
        let inside = (0..self.width).contains(&p.x) && (0..self.height).contains(&p.y);
        let index = inside.then(|| self.of[(p.y * self.width + p.x) as usize]);
        index.map_or(&[], |index| &self.lists[index as usize])
    }

    /// Returns the lines for the map as it is now, after the turns it has made since it was drawn.
    pub(crate) fn turned(mut self, def: &MapDef) -> CellLines {
        self.fit(&self.before.clone());
        for turn in def.turned.get(self.turns..).unwrap_or_default() {
            let size = (self.width, self.height);
            let new = turn.size(size);
            let mut of = vec![0; self.of.len()];
            for (index, list) in self.of.iter().enumerate() {
                let p = Point::new(index as i32 % size.0, index as i32 / size.0);
                let to = turn.cell(p, size);
                of[(to.y * new.0 + to.x) as usize] = *list;
            }
            (self.width, self.height, self.of) = (new.0, new.1, of);
        }
        self.fit(&def.grid);
        self.longer = HashMap::new();
        self.before = Grid::default();
        self
    }

    /// Adopts the size of a drawing.
    fn fit(&mut self, grid: &Grid) {
        if self.lists.is_empty() {
            self.lists.push(Vec::new());
        }
        let (width, height) = (grid.width(), grid.height());
        if (width, height) == (self.width, self.height) {
            return;
        }
        let mut of = vec![0; (width * height) as usize];
        for y in 0..height.min(self.height) {
            for x in 0..width.min(self.width) {
                of[(y * width + x) as usize] = self.of[(y * self.width + x) as usize];
            }
        }
        (self.width, self.height, self.of) = (width, height, of);
    }

    fn with(&mut self, list: u32, line: u32) -> u32 {
        if self.lists[list as usize].last() == Some(&line) {
            return list;
        }
        if let Some(&longer) = self.longer.get(&(list, line)) {
            return longer;
        }
        let mut lines = self.lists[list as usize].clone();
        lines.push(line);
        let longer = self.lists.len() as u32;
        self.lists.push(lines);
        self.longer.insert((list, line), longer);
        longer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vaultwright_map::Turn;

    #[test]
    fn lines_go_along_when_a_map_is_turned() {
        let mut map = MapDef::new("a");
        let mut lines = CellLines::default();
        map.grid.push_row(b"ab");
        lines.note(&map, 3);
        map.grid.push_row(b"c");
        lines.note(&map, 4);
        map.grid.set(Point::new(1, 0), b'x');
        lines.note(&map, 7);
        assert_eq!(lines.at(Point::new(0, 0)), [3]);
        assert_eq!(lines.at(Point::new(1, 0)), [3, 7]);
        map.turn(Turn::Clockwise);
        let lines = lines.turned(&map);
        assert_eq!(lines.at(Point::new(0, 0)), [4]);
        assert_eq!(lines.at(Point::new(1, 1)), [3, 7]);
        assert!(lines.at(Point::new(0, 1)).is_empty());
        assert!(lines.at(Point::new(-1, 5)).is_empty());
    }
}
