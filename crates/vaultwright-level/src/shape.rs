//! What a level is like to walk through, in numbers.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vaultwright_content::Content;
use vaultwright_map::{ADJACENT, Point};

use crate::Level;
use crate::zones::{cells_of_features, passable_cells};

/// How the open part of a level is shaped. Steps go to all eight neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub struct LevelShape {
    /// Cells that can be walked on.
    pub open: u32,
    /// Open cells with one open neighbour, where one has to turn back.
    pub dead_ends: u32,
    /// Open cells without which a part of the level cannot be reached.
    pub chokepoints: u32,
    /// Solid parts that one can walk around, from single pillars to blocks of rooms.
    pub loops: u32,
    /// Of eight hundred: how many neighbours of open cells are open on average, times a hundred.
    pub openness: u32,
    /// Steps from a staircase up to the nearest one down, the longest of these ways; 0 if there is
    /// no such way.
    pub way_down: u32,
}

impl LevelShape {
    /// Returns the shape of a level.
    pub fn of(level: &Level, content: &Content) -> LevelShape {
        let grid = Grid::of(level, passable_cells(level, content));
        let stairs = |word: &str| {
            cells_of_features(level, content, |id| {
                let name = &content.features().get(id).name;
                name.starts_with("stone_stairs_") && name.contains(word)
            })
        };
        let (mut dead_ends, mut neighbours) = (0, 0);
        for p in grid.open() {
            let around = grid.around(p).count() as u32;
            neighbours += around;
            dead_ends += u32::from(around == 1);
        }
        let open = grid.open().count() as u32;
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

/// Which cells are open.
struct Grid {
    width: i32,
    height: i32,
    open: Vec<bool>,
}

impl Grid {
    fn of(level: &Level, open: Vec<bool>) -> Grid {
        Grid { width: level.size().width(), height: level.size().height(), open }
    }

    fn index(&self, p: Point) -> usize {
        (p.y * self.width + p.x) as usize
    }

    fn point(&self, index: usize) -> Point {
        Point::new(index as i32 % self.width, index as i32 / self.width)
    }

    fn is_open(&self, p: Point) -> bool {
        (0..self.width).contains(&p.x)
            && (0..self.height).contains(&p.y)
            && self.open[self.index(p)]
    }

    fn open(&self) -> impl Iterator<Item = Point> + '_ {
        let open = self.open.iter().enumerate().filter(|(_, open)| **open);
        open.map(|(index, _)| self.point(index))
    }

    /// Returns the open neighbours of a cell.
    fn around(&self, p: Point) -> impl Iterator<Item = Point> + '_ {
        ADJACENT.iter().map(move |&step| p.offset(step)).filter(|&next| self.is_open(next))
    }

    /// Returns how many open cells are cut vertices of the graph of steps (Tarjan, without
    /// recursion).
    fn chokepoints(&self) -> u32 {
        const UNSEEN: u32 = 0;
        let mut order = vec![UNSEEN; self.open.len()];
        let mut low = vec![0; self.open.len()];
        let mut cuts = vec![false; self.open.len()];
        let mut next = 1;
        for root in self.open() {
            if order[self.index(root)] != UNSEEN {
                continue;
            }
            let mut children_of_root = 0;
            // A cell, the one it was reached from, and which of the steps comes next.
            let mut path = vec![(root, root, 0)];
            (order[self.index(root)], low[self.index(root)]) = (next, next);
            next += 1;
            while let Some((p, from, step)) = path.last_mut() {
                let (here, parent) = (self.index(*p), *from);
                if let Some(&way) = ADJACENT.get(*step) {
                    *step += 1;
                    let to = p.offset(way);
                    if to == parent || !self.is_open(to) {
                        continue;
                    }
                    let there = self.index(to);
                    if order[there] != UNSEEN {
                        low[here] = low[here].min(order[there]);
                        continue;
                    }
                    (order[there], low[there]) = (next, next);
                    next += 1;
                    let from = *p;
                    path.push((to, from, 0));
                    continue;
                }
                let (reached, at) = (low[here], *p);
                path.pop();
                let Some((above, ..)) = path.last() else { break };
                let above = *above;
                let above_index = self.index(above);
                low[above_index] = low[above_index].min(reached);
                if above == root {
                    children_of_root += 1;
                } else if reached >= order[above_index] && at != root {
                    cuts[above_index] = true;
                }
            }
            cuts[self.index(root)] = children_of_root > 1;
        }
        cuts.iter().filter(|cut| **cut).count() as u32
    }

    /// Counts connected solid parts, by steps to the four sides, that do not touch the edge.
    fn islands(&self) -> u32 {
        const SIDES: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        let mut seen = self.open.clone();
        let mut islands = 0;
        for index in 0..seen.len() {
            if seen[index] {
                continue;
            }
            seen[index] = true;
            let (mut inside, mut waiting) = (true, vec![self.point(index)]);
            while let Some(p) = waiting.pop() {
                for next in SIDES.map(|step| p.offset(step)) {
                    let on_map =
                        (0..self.width).contains(&next.x) && (0..self.height).contains(&next.y);
                    inside &= on_map;
                    if on_map && !seen[self.index(next)] {
                        seen[self.index(next)] = true;
                        waiting.push(next);
                    }
                }
            }
            islands += u32::from(inside);
        }
        islands
    }

    /// Returns the longest of the shortest ways from each cell of one kind to the nearest of the
    /// other.
    fn longest_way(&self, from: &[bool], to: &[bool]) -> u32 {
        let mut steps = vec![u32::MAX; self.open.len()];
        let mut waiting: VecDeque<usize> = (0..to.len()).filter(|&index| to[index]).collect();
        for &index in &waiting {
            steps[index] = 0;
        }
        while let Some(index) = waiting.pop_front() {
            for next in self.around(self.point(index)) {
                let next = self.index(next);
                if steps[next] == u32::MAX {
                    steps[next] = steps[index] + 1;
                    waiting.push_back(next);
                }
            }
        }
        let ways = (0..from.len()).filter(|&index| from[index]).map(|index| steps[index]);
        ways.filter(|&steps| steps != u32::MAX).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&str]) -> Grid {
        let open = rows.iter().flat_map(|row| row.bytes().map(|b| b != b'x')).collect();
        Grid { width: rows[0].len() as i32, height: rows.len() as i32, open }
    }

    fn dead_ends(grid: &Grid) -> usize {
        grid.open().filter(|&p| grid.around(p).count() == 1).count()
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
            for p in grid.open() {
                if seen[grid.index(p)] {
                    continue;
                }
                count += 1;
                let mut waiting = vec![p];
                while let Some(p) = waiting.pop() {
                    if !std::mem::replace(&mut seen[grid.index(p)], true) {
                        waiting.extend(grid.around(p));
                    }
                }
            }
            count
        };
        let all = parts(&whole);
        let cut = whole.open().filter(|&p| {
            let mut open = whole.open.clone();
            open[whole.index(p)] = false;
            let alone = whole.around(p).count() == 0;
            parts(&Grid { open, ..whole }) > all - i32::from(alone)
        });
        assert_eq!(whole.chokepoints() as usize, cut.count());
    }

    #[test]
    fn ways_lead_from_each_staircase_to_the_nearest() {
        let hall = grid(&["xxxxxxxx", "x......x", "xxxxxxxx"]);
        let cell = |x: usize| (0..24).map(|index| index == 8 + x).collect::<Vec<bool>>();
        assert_eq!(hall.longest_way(&cell(1), &cell(6)), 5);
        assert_eq!(hall.longest_way(&cell(1), &[false; 24]), 0);
    }
}
