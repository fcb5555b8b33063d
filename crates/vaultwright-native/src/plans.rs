//! On which cells of a plan rooms can be built or dug, and the order in which these are listed
//! (spec 06 §15.13, `hyper`).
//!
//! A plan lists its open and its closed cells. A cell that is listed again is removed at its number
//! and appended at the end. But the numbers of later cells are not updated, so that another cell
//! may be removed instead. This affects which cells are listed how often.

/// One of the two lists of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanList {
    /// Cells on which rooms can be built.
    Open,
    /// Cells into which rooms can be dug.
    Closed,
}

/// A cell of a plan before the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanCell {
    /// Whether it belongs to a vault, and is therefore ignored.
    pub vault: bool,
    /// Whether it is the wall of a room.
    pub wall: bool,
    /// Whether it blocks movement.
    pub solid: bool,
    /// Whether rooms may be dug there.
    pub carvable: bool,
    /// The list that contains it, and its number there, from 1.
    pub listed: Option<(PlanList, i64)>,
}

/// The change of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanChange {
    /// The sides, counted counterclockwise from north, on which there is floor next to a wall.
    pub doors: [bool; 4],
    /// Whether it is floor next to rock or walls.
    pub buffer: bool,
    /// The list that now contains it, and its new number.
    pub listed: Option<(PlanList, usize)>,
}

impl PlanChange {
    /// Returns whether there is floor next to it.
    pub fn has_doors(&self) -> bool {
        self.doors.contains(&true)
    }
}

/// An entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanEntry {
    /// The previous entry with this index.
    Before(usize),
    /// The cell with this index.
    Cell(usize),
}

/// The sides of a cell, counted counterclockwise from north.
const SIDES: [(i32, i32); 4] = [(0, -1), (-1, 0), (0, 1), (1, 0)];
const CORNERS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, 1), (1, -1)];

/// Returns the changes of the cells of a plan, given row by row, and its lists of open and of
/// closed cells. Takes the previous lengths of these lists.
pub fn analyse_plan(
    width: usize,
    height: usize,
    cells: &[PlanCell],
    lengths: [usize; 2],
) -> (Vec<PlanChange>, [Vec<PlanEntry>; 2]) {
    let solid = |x: usize, y: usize, (dx, dy): (i32, i32)| {
        let x = x.checked_add_signed(dx as isize).filter(|&x| x < width)?;
        let y = y.checked_add_signed(dy as isize).filter(|&y| y < height)?;
        Some(cells[y * width + x].solid)
    };
    let mut changes = vec![PlanChange::default(); cells.len()];
    let mut lists = lengths.map(|length| Queue::new(length, cells.len()));
    for x in 0..width {
        for y in 0..height {
            let index = y * width + x;
            let (cell, change) = (&cells[index], &mut changes[index]);
            if cell.vault {
                continue;
            }
            if cell.wall {
                change.doors = SIDES.map(|side| solid(x, y, side) == Some(false));
            } else if !cell.solid {
                let around = SIDES.iter().chain(&CORNERS);
                change.buffer = around.into_iter().any(|&side| solid(x, y, side) == Some(true));
            }
            if let Some((list, number)) = cell.listed {
                lists[list as usize].remove(number);
            }
            if cell.carvable || change.has_doors() || !cell.solid {
                let list = if cell.solid { PlanList::Closed } else { PlanList::Open };
                let number = lists[list as usize].push(index);
                change.listed = Some((list, number));
            }
        }
    }
    (changes, lists.map(Queue::into_entries))
}

/// A list from which entries are removed by number, and to which others are appended.
struct Queue {
    before: usize,
    /// The cells that have been added.
    added: Vec<usize>,
    /// Which of all entries ever listed have been removed.
    gone: Vec<bool>,
    /// The number of remaining entries, as a binary indexed tree.
    counts: Vec<usize>,
    length: usize,
}

impl Queue {
    fn new(before: usize, most: usize) -> Queue {
        let room = (before + most + 1).next_power_of_two();
        let count = |place: usize| {
            // The lowest bit of each index says how many entries before it are counted.
            let first = place - (place & place.wrapping_neg());
            before.min(place).saturating_sub(first)
        };
        let counts = (0..=room).map(count).collect();
        Queue { before, added: Vec::new(), gone: vec![false; room], counts, length: before }
    }

    fn count(&mut self, index: usize, by: isize) {
        let mut place = index + 1;
        while place < self.counts.len() {
            self.counts[place] = self.counts[place].wrapping_add_signed(by);
            place += place & place.wrapping_neg();
        }
        self.length = self.length.wrapping_add_signed(by);
    }

    /// Appends a cell. Returns its number.
    fn push(&mut self, cell: usize) -> usize {
        self.count(self.before + self.added.len(), 1);
        self.added.push(cell);
        self.length
    }

    /// Removes the entry with a number, if there is one.
    fn remove(&mut self, number: i64) {
        let Some(mut left) =
            usize::try_from(number).ok().filter(|&n| (1..=self.length).contains(&n))
        else {
            return;
        };
        let (mut place, mut step) = (0, self.counts.len() - 1);
        while step > 0 {
            if place + step < self.counts.len() && self.counts[place + step] < left {
                place += step;
                left -= self.counts[place];
            }
            step /= 2;
        }
        self.gone[place] = true;
        self.count(place, -1);
    }

    fn into_entries(self) -> Vec<PlanEntry> {
        let before = (0..self.before).map(PlanEntry::Before);
        let all = before.chain(self.added.iter().map(|&cell| PlanEntry::Cell(cell)));
        all.zip(&self.gone).filter(|(_, gone)| !**gone).map(|(entry, _)| entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `.` floor, `x` rock, `w` a wall, `v` a vault, `#` rock that cannot be dug into.
    fn cells(rows: &[&str]) -> Vec<PlanCell> {
        let cell = |glyph| PlanCell {
            vault: glyph == b'v',
            wall: glyph == b'w',
            solid: glyph != b'.',
            carvable: glyph == b'x',
            listed: None,
        };
        rows.concat().bytes().map(cell).collect()
    }

    fn analysed(rows: &[&str]) -> (Vec<PlanChange>, [Vec<PlanEntry>; 2]) {
        analyse_plan(rows[0].len(), rows.len(), &cells(rows), [0, 0])
    }

    #[test]
    fn walls_have_doors_where_floor_is_beside_them() {
        let (changes, lists) = analysed(&["...", ".w#", "vxw"]);
        assert_eq!(changes[4].doors, [true, true, false, false]);
        assert_eq!(changes[4].listed, Some((PlanList::Closed, 1)));
        assert!(!changes[8].has_doors() && changes[8].listed.is_none());
        assert_eq!(changes[5].listed, None);
        assert!(changes[0].buffer && changes[1].buffer && !changes[4].buffer);
        // Column by column; cells of a vault are not listed.
        assert_eq!(lists[0], [0, 3, 1, 2].map(PlanEntry::Cell));
        assert_eq!(lists[1], [4, 7].map(PlanEntry::Cell));
    }

    #[test]
    fn beyond_the_edge_nothing_is_known() {
        let (changes, _) = analysed(&["..."]);
        assert!(changes.iter().all(|change| !change.buffer));
        assert!(!analysed(&["w"]).0[0].has_doors());
    }

    #[test]
    fn numbers_go_stale_when_cells_are_listed_again() {
        // Four cells in their order, and one that does not belong to them.
        let mut row = cells(&["...."]);
        for (cell, number) in row.iter_mut().zip(1..) {
            cell.listed = Some((PlanList::Open, number));
        }
        let (changes, lists) = analyse_plan(4, 1, &row, [5, 0]);
        // The same, done literally.
        let mut list: Vec<PlanEntry> = (0..5).map(PlanEntry::Before).collect();
        for (cell, number) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
            list.remove(number - 1);
            list.push(PlanEntry::Cell(cell));
        }
        assert_eq!(lists[0], list);
        assert_eq!(list[0], PlanEntry::Before(1), "the second stays, the third goes for it");
        assert!(changes.iter().all(|change| change.listed == Some((PlanList::Open, 5))));
    }

    #[test]
    fn numbers_of_nothing_take_nothing_out() {
        let mut row = cells(&["vx#x."]);
        for (cell, number) in row.iter_mut().zip([1, 0, 7, -3, 2]) {
            cell.listed = Some((PlanList::Closed, number));
        }
        let (_, lists) = analyse_plan(5, 1, &row, [0, 2]);
        let before = PlanEntry::Before;
        assert_eq!(lists[1], [before(0), PlanEntry::Cell(1), PlanEntry::Cell(3)]);
        assert_eq!(lists[0], [PlanEntry::Cell(4)]);
    }
}
