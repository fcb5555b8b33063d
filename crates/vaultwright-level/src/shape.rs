//! The shape of a level, for someone walking through it, in numbers.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vaultwright_content::Content;
use vaultwright_map::{ADJACENT, ORTHOGONAL};

use crate::Level;
use crate::zones::{cells_of_features, travelable_cells};

/// Measures of the open part of a level. Steps go to all eight neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub struct LevelShape {
    /// The number of walkable cells.
    pub open: u32,
    /// The number of open cells with only one open neighbour.
    pub dead_ends: u32,
    /// The number of open cells that are the only way to some part of the level.
    pub chokepoints: u32,
    /// The number of solid parts that can be walked around, from single pillars to blocks of rooms.
    pub loops: u32,
    /// The average number of open neighbours of an open cell, times a hundred (at most 800).
    pub openness: u32,
    /// Steps from a staircase up, or a way out of the branch, to the nearest one down: the longest
    /// of these ways; 0 if there is none.
    pub way_down: u32,
}

impl LevelShape {
    /// Returns the shape of a level.
    pub fn of(level: &Level, content: &Content) -> LevelShape {
        let width = level.size().width() as usize;
        let grid = Grid::of(width, &travelable_cells(level, content));
        let stairs = |word: &str| {
            let cells = cells_of_features(level, content, |id| {
                let name = &content.features().get(id).name;
                // The way up from the first level of a branch leads out of it.
                (name.starts_with("stone_stairs_") && name.contains(word))
                    || (word == "_up_" && name.starts_with("exit_"))
            });
            with_ring(width, &cells)
        };
        let (mut dead_ends, mut neighbours) = (0, 0);
        for cell in grid.open_cells() {
            let around = grid.around(cell).count() as u32;
            neighbours += around;
            dead_ends += u32::from(around == 1);
        }
        let open = grid.open_cells().count() as u32;
        LevelShape {
            open,
            dead_ends,
            chokepoints: grid.chokepoints(),
            loops: grid.islands(),
            openness: neighbours * 100 / open.max(1),
            way_down: grid.longest_way(&stairs("_up_"), &stairs("_down_")),
        }
    }
}

/// Which cells are open, row by row, surrounded by a ring of solid cells, so that no step from an
/// open cell leaves the list.
struct Grid {
    /// The offset from a cell to the one below it.
    stride: usize,
    open: Vec<bool>,
    /// The offsets from a cell to the eight around it, and to the four beside it.
    around: [isize; 8],
    beside: [isize; 4],
}

/// Returns flags of cells, row by row, surrounded by a ring of false.
fn with_ring(width: usize, cells: &[bool]) -> Vec<bool> {
    let stride = width + 2;
    let mut ringed = vec![false; stride];
    for row in cells.chunks(width.max(1)) {
        ringed.push(false);
        ringed.extend_from_slice(row);
        ringed.push(false);
    }
    ringed.resize(ringed.len() + stride, false);
    ringed
}

impl Grid {
    fn of(width: usize, open: &[bool]) -> Grid {
        let stride = width + 2;
        let step = |(dx, dy): (i32, i32)| dy as isize * stride as isize + dx as isize;
        let (around, beside) = (ADJACENT.map(step), ORTHOGONAL.map(step));
        Grid { stride, open: with_ring(width, open), around, beside }
    }

    fn open_cells(&self) -> impl Iterator<Item = usize> + '_ {
        let open = self.open.iter().enumerate().filter(|(_, open)| **open);
        open.map(|(cell, _)| cell)
    }

    /// Returns the open neighbours of an open cell.
    fn around(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let around = self.around.iter().map(move |&step| cell.wrapping_add_signed(step));
        around.filter(|&next| self.open[next])
    }

    /// Returns the number of open cells that are cut vertices of the graph of steps (Tarjan's
    /// algorithm, without recursion).
    fn chokepoints(&self) -> u32 {
        const UNSEEN: u32 = 0;
        let mut order = vec![UNSEEN; self.open.len()];
        let mut low = vec![0; self.open.len()];
        let mut cuts = vec![false; self.open.len()];
        let mut next = 1;
        for root in self.open_cells() {
            if order[root] != UNSEEN {
                continue;
            }
            let mut children_of_root = 0;
            // A cell, the cell it was reached from, and its next step.
            let mut path = vec![(root, root, 0)];
            (order[root], low[root]) = (next, next);
            next += 1;
            while let Some((here, parent, step)) = path.last_mut() {
                let (here, parent) = (*here, *parent);
                if let Some(&way) = self.around.get(*step) {
                    *step += 1;
                    let there = here.wrapping_add_signed(way);
                    if there == parent || !self.open[there] {
                        continue;
                    }
                    if order[there] != UNSEEN {
                        low[here] = low[here].min(order[there]);
                        continue;
                    }
                    (order[there], low[there]) = (next, next);
                    next += 1;
                    path.push((there, here, 0));
                    continue;
                }
                path.pop();
                let Some(&(above, ..)) = path.last() else { break };
                low[above] = low[above].min(low[here]);
                if above == root {
                    children_of_root += 1;
                } else if low[here] >= order[above] {
                    cuts[above] = true;
                }
            }
            cuts[root] = children_of_root > 1;
        }
        cuts.iter().filter(|cut| **cut).count() as u32
    }

    /// Counts the solid parts, connected by steps to the four sides, that do not touch the edge.
    fn islands(&self) -> u32 {
        let mut seen = self.open.clone();
        let cells = seen.len();
        let mut see_all = |first: usize| {
            if std::mem::replace(&mut seen[first], true) {
                return false;
            }
            let mut waiting = vec![first];
            while let Some(cell) = waiting.pop() {
                for next in self.beside.map(|step| cell.wrapping_add_signed(step)) {
                    if next < cells && !std::mem::replace(&mut seen[next], true) {
                        waiting.push(next);
                    }
                }
            }
            true
        };
        // The ring is connected, and whatever touches it is not an island.
        see_all(0);
        (self.stride..cells).filter(|&first| see_all(first)).count() as u32
    }

    /// Returns the longest of the shortest paths from each cell of one kind to the nearest of the
    /// other.
    fn longest_way(&self, from: &[bool], to: &[bool]) -> u32 {
        let mut steps = vec![u32::MAX; self.open.len()];
        let mut waiting: VecDeque<usize> = (0..to.len()).filter(|&cell| to[cell]).collect();
        for &cell in &waiting {
            steps[cell] = 0;
        }
        while let Some(cell) = waiting.pop_front() {
            for next in self.around(cell) {
                if steps[next] == u32::MAX {
                    steps[next] = steps[cell] + 1;
                    waiting.push_back(next);
                }
            }
        }
        let ways = (0..from.len()).filter(|&cell| from[cell]).map(|cell| steps[cell]);
        ways.filter(|&steps| steps != u32::MAX).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};
    use vaultwright_map::Point;

    use super::*;
    use crate::mask;

    fn grid(rows: &[&str]) -> Grid {
        let open: Vec<bool> = rows.iter().flat_map(|row| row.bytes().map(|b| b != b'x')).collect();
        Grid::of(rows[0].len(), &open)
    }

    /// Connectivity counts stop at the cells of most vaults; a walker does not.
    #[test]
    fn a_vault_that_is_the_whole_level_has_a_shape() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut level = Level::solid(&content);
        level.set_features(Point::new(30, 20), 3, content.features().floor());
        let alone = LevelShape::of(&level, &content);
        assert_eq!((alone.open, alone.dead_ends, alone.chokepoints), (3, 2, 1));
        for x in 30..33 {
            level.change_mask(Point::new(x, 20), mask::VAULT | mask::OPAQUE, 0);
        }
        assert_eq!(LevelShape::of(&level, &content), alone);
    }

    /// The way up from the first level is no staircase of stone.
    #[test]
    fn the_way_down_of_a_first_level_begins_at_its_way_out() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut level = Level::solid(&content);
        level.set_features(Point::new(30, 20), 4, content.features().floor());
        let feature = |name: &str| content.features().by_name(name).expect("a feature");
        level.set_features(Point::new(30, 20), 1, feature("exit_dungeon"));
        level.set_features(Point::new(33, 20), 1, feature("stone_stairs_down_i"));
        assert_eq!(LevelShape::of(&level, &content).way_down, 3);
    }

    fn dead_ends(grid: &Grid) -> usize {
        grid.open_cells().filter(|&cell| grid.around(cell).count() == 1).count()
    }

    #[test]
    fn a_corridor_is_all_chokepoints_with_two_ends() {
        let corridor = grid(&["xxxxxxx", "x.....x", "xxxxxxx"]);
        assert_eq!((corridor.chokepoints(), dead_ends(&corridor), corridor.islands()), (3, 2, 0));
    }

    #[test]
    fn a_room_has_neither_but_for_its_pillar() {
        let room = grid(&["xxxxxx", "x....x", "x.x..x", "x....x", "xxxxxx"]);
        assert_eq!((room.chokepoints(), dead_ends(&room), room.islands()), (0, 0, 1));
    }

    #[test]
    fn two_rooms_hang_on_the_door_between_them() {
        let rooms = grid(&["xxxxxxx", "x..x..x", "x.....x", "x..x..x", "xxxxxxx"]);
        assert_eq!(rooms.chokepoints(), 1);
        let apart = grid(&["xxxxx", "x.x.x", "xxxxx"]);
        assert_eq!((apart.chokepoints(), apart.islands()), (0, 0));
    }

    #[test]
    fn chokepoints_are_what_taking_a_cell_away_shows() {
        let rows = [
            "xxxxxxxxxx",
            "x..x...x.x",
            "xx.x.x.x.x",
            "x......x.x",
            "x.xx.xxx.x",
            "x....x...x",
            "xxxxxxxxxx",
        ];
        let whole = grid(&rows);
        let parts = |grid: &Grid| {
            let mut seen = vec![false; grid.open.len()];
            let mut count = 0;
            for cell in grid.open_cells() {
                if seen[cell] {
                    continue;
                }
                count += 1;
                let mut waiting = vec![cell];
                while let Some(cell) = waiting.pop() {
                    if !std::mem::replace(&mut seen[cell], true) {
                        waiting.extend(grid.around(cell));
                    }
                }
            }
            count
        };
        let all = parts(&whole);
        let cut = whole.open_cells().filter(|&cell| {
            let mut open = whole.open.clone();
            open[cell] = false;
            let alone = whole.around(cell).count() == 0;
            parts(&Grid { open, ..whole }) > all - i32::from(alone)
        });
        assert_eq!(whole.chokepoints() as usize, cut.count());
    }

    #[test]
    fn ways_lead_from_each_staircase_to_the_nearest() {
        let hall = grid(&["xxxxxxxx", "x......x", "xxxxxxxx"]);
        let cell = |x: usize| {
            let cells: Vec<bool> = (0..24).map(|index| index == 8 + x).collect();
            with_ring(8, &cells)
        };
        assert_eq!(hall.longest_way(&cell(1), &cell(6)), 5);
        assert_eq!(hall.longest_way(&cell(1), &with_ring(8, &[false; 24])), 0);
    }
}
