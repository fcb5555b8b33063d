//! What the cells of a floor plan can be used for: where rooms can grow or be, and where they
//! cannot (spec 06 §15.9, step 2).

/// The possible use of a cell of a floor plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Rock that may become a room.
    None,
    /// The same, between cells of floor: without a direction.
    Between,
    /// Unusable.
    Restricted {
        /// Whether it is floor that is too close to a wall.
        border: bool,
    },
    /// Floor far from every wall.
    Open,
    /// Rock next to one cell of floor. The direction leads away from it.
    Eligible {
        /// East.
        dx: i32,
        /// South.
        dy: i32,
    },
}

/// The sides of a cell.
const SIDES: [(i32, i32); 4] = [(0, -1), (-1, 0), (0, 1), (1, 0)];
const CORNERS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, 1), (1, -1)];

/// Returns the usage of every cell, row by row. Floor is open if all cells within `distance` in
/// both directions are also floor of the plan.
pub fn usage_of_plan(width: usize, height: usize, floor: &[bool], distance: usize) -> Vec<Usage> {
    let is_floor = |x: usize, y: usize, (dx, dy): (i32, i32)| {
        let x = x.checked_add_signed(dx as isize).filter(|&x| x < width);
        let y = y.checked_add_signed(dy as isize).filter(|&y| y < height);
        matches!((x, y), (Some(x), Some(y)) if floor[y * width + x])
    };
    let sums = Sums::of(width, height, floor);
    let mut usages = Vec::with_capacity(floor.len());
    for y in 0..height {
        for x in 0..width {
            usages.push(if floor[y * width + x] {
                match sums.all_within(x, y, distance) {
                    true => Usage::Open,
                    false => Usage::Restricted { border: true },
                }
            } else {
                let mut sides = SIDES.iter().filter(|&&side| is_floor(x, y, side));
                match (sides.next(), sides.next()) {
                    (Some(&(dx, dy)), None) => Usage::Eligible { dx: -dx, dy: -dy },
                    (Some(_), Some(_)) => Usage::Between,
                    _ => match CORNERS.iter().filter(|&&corner| is_floor(x, y, corner)).count() {
                        0 | 1 => Usage::None,
                        _ => Usage::Restricted { border: false },
                    },
                }
            });
        }
    }
    usages
}

/// The number of floor cells above and left of each corner of a cell.
struct Sums {
    width: usize,
    height: usize,
    sums: Vec<u32>,
}

impl Sums {
    fn of(width: usize, height: usize, floor: &[bool]) -> Sums {
        let mut sums = vec![0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                row += u32::from(floor[y * width + x]);
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
            }
        }
        Sums { width, height, sums }
    }

    fn all_within(&self, x: usize, y: usize, distance: usize) -> bool {
        let (Some(left), Some(top)) = (x.checked_sub(distance), y.checked_sub(distance)) else {
            return false;
        };
        let (right, bottom) = (x + distance + 1, y + distance + 1);
        if right > self.width || bottom > self.height {
            return false;
        }
        let at = |x: usize, y: usize| self.sums[y * (self.width + 1) + x];
        let sum = at(right, bottom) + at(left, top) - at(left, bottom) - at(right, top);
        sum as usize == (right - left) * (bottom - top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &[&str], distance: usize) -> Vec<String> {
        let (width, height) = (rows[0].len(), rows.len());
        let floor: Vec<bool> = rows.concat().bytes().map(|glyph| glyph == b'.').collect();
        let usages = usage_of_plan(width, height, &floor, distance);
        let glyph = |usage: &Usage| match usage {
            Usage::None => ' ',
            Usage::Between => '-',
            Usage::Restricted { border: true } => 'b',
            Usage::Restricted { border: false } => '?',
            Usage::Open => 'o',
            Usage::Eligible { dx: -1, .. } => '<',
            Usage::Eligible { dx: 1, .. } => '>',
            Usage::Eligible { dy: -1, .. } => '^',
            Usage::Eligible { .. } => 'v',
        };
        usages.chunks(width).map(|row| row.iter().map(glyph).collect()).collect()
    }

    #[test]
    fn rooms_grow_away_from_floor_and_stand_on_open_floor() {
        let rows = ["xxxxxxx", "x.....x", "x.....x", "x.....x", "xxxxxxx"];
        assert_eq!(drawn(&rows, 1), [" ^^^^^ ", "<bbbbb>", "<booob>", "<bbbbb>", " vvvvv "]);
        assert_eq!(drawn(&rows, 2), [" ^^^^^ ", "<bbbbb>", "<bbbbb>", "<bbbbb>", " vvvvv "]);
    }

    #[test]
    fn rock_between_floors_stays() {
        // Next to two floor cells nothing grows; where two corners are floor, the rock is used.
        assert_eq!(drawn(&["x.x.x"], 1), ["<b-b>"]);
        assert_eq!(drawn(&[".x.", "xxx", "xxx"], 1), ["b-b", "v?v", "   "]);
    }

    #[test]
    fn the_edge_of_the_plan_is_no_floor() {
        assert_eq!(drawn(&["...", "...", "..."], 1), ["bbb", "bob", "bbb"]);
    }
}
