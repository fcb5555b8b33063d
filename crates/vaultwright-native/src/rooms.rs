//! Whether a room of the Vaults fits at a spot of a plan (spec 06 §15.9, step 3).

/// The uses of a cell of a plan that matter for rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpotUse {
    /// Rock that may become a room.
    None,
    /// Floor far from every wall.
    Open,
    /// Rock next to one cell of floor.
    Eligible,
    /// A wall of a room on which another may be built.
    EligibleOpen,
    /// Unusable: the wall of a room.
    RoomWall,
    /// Unusable: floor that is too close to a wall.
    Border,
    /// Anything else, which rooms cannot use.
    Other,
}

/// A cell of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Its use.
    pub usage: SpotUse,
    /// The room that it belongs to; 0 for none.
    pub room: usize,
}

/// What a room has on a cell of its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    /// Nothing.
    Nothing,
    /// Part of its wall.
    Wall,
    /// The inside.
    Vault,
}

/// The shape of a room: its own cells, and those of its wall, which is one cell further on each
/// side.
#[derive(Clone, Debug)]
pub struct RoomShape {
    width: i32,
    height: i32,
    /// Row by row, starting at (-1, -1).
    masks: Vec<Mask>,
}

impl RoomShape {
    /// Creates a room of a size. `mask` is called for each cell, row by row from (-1, -1) to
    /// (width, height).
    pub fn new(width: i32, height: i32, mut mask: impl FnMut(i32, i32) -> Mask) -> RoomShape {
        let cells = (-1..=height).flat_map(|y| (-1..=width).map(move |x| (x, y)));
        RoomShape { width, height, masks: cells.map(|(x, y)| mask(x, y)).collect() }
    }

    /// Returns the cells that are not empty, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (i32, i32)> {
        let cells = (-1..=self.height).flat_map(|y| (-1..=self.width).map(move |x| (x, y)));
        cells.filter(|&(x, y)| self.mask(x, y) != Mask::Nothing)
    }

    fn mask(&self, x: i32, y: i32) -> Mask {
        if x < -1 || y < -1 || x > self.width || y > self.height {
            return Mask::Nothing;
        }
        self.masks[((y + 1) * (self.width + 2) + x + 1) as usize]
    }
}

/// A possible position of a room: a cell of its wall at a place, and the turns.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    /// The cell of its wall.
    pub door: (i32, i32),
    /// The place of that cell.
    pub at: (i32, i32),
    /// Quarter turns anticlockwise.
    pub turns: u8,
}

impl Stand {
    /// Returns the place of a cell of the room.
    pub fn place(&self, x: i32, y: i32) -> (i32, i32) {
        let (x, y) = (x - self.door.0, y - self.door.1);
        let (x, y) = match self.turns % 4 {
            0 => (x, y),
            1 => (y, -x),
            2 => (-x, -y),
            _ => (-y, x),
        };
        (self.at.0 + x, self.at.1 + y)
    }
}

/// Returns whether a room that grows from a spot of the plan fits. `plan` returns the spot at a
/// place, or `None` beyond the edge, where rooms are not allowed. Returns `None` if the room's wall
/// would be on the edge, since the library does not know what is beyond it.
pub fn room_fits(
    room: &RoomShape,
    stand: Stand,
    from: Spot,
    plan: &mut impl FnMut(i32, i32) -> Option<Spot>,
) -> Option<bool> {
    let on_floor = matches!(from.usage, SpotUse::Open | SpotUse::EligibleOpen);
    for y in -1..=room.height {
        for x in -1..=room.width {
            let (px, py) = stand.place(x, y);
            let Some(spot) = plan(px, py) else { return Some(false) };
            let mask = room.mask(x, y);
            if mask == Mask::Nothing {
                continue;
            }
            let usable = match from.usage {
                SpotUse::Open => spot.usage == SpotUse::Open,
                SpotUse::Eligible => matches!(spot.usage, SpotUse::None | SpotUse::Eligible),
                // Next to the room that it is built on, it may share the wall.
                _ => match spot.usage {
                    SpotUse::Open => true,
                    SpotUse::EligibleOpen | SpotUse::RoomWall => spot.room == from.room,
                    _ => false,
                },
            };
            if !usable {
                return Some(false);
            }
            if on_floor && mask == Mask::Wall && !is_free(room, stand, from, plan, x, y)? {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// Returns whether a wall would have only open floor on its outer side, or the room that it is
/// built on; `None` if any of this is beyond the edge of the plan.
fn is_free(
    room: &RoomShape,
    stand: Stand,
    from: Spot,
    plan: &mut impl FnMut(i32, i32) -> Option<Spot>,
    x: i32,
    y: i32,
) -> Option<bool> {
    let mut free = true;
    for dx in -1..=1 {
        for dy in -1..=1 {
            if room.mask(x + dx, y + dy) == Mask::Nothing {
                let (px, py) = stand.place(x + dx, y + dy);
                let spot = plan(px, py)?;
                free &= matches!(spot.usage, SpotUse::Open | SpotUse::Border)
                    || (from.room != 0 && spot.room == from.room);
            }
        }
    }
    Some(free)
}

/// A cell of a room's grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomCell {
    /// Whether it blocks movement.
    pub solid: bool,
    /// Whether it is not part of the room.
    pub space: bool,
    /// Whether it is marked as an exit.
    pub exit: bool,
}

/// What a room has on a cell in or around its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomPart {
    /// Nothing.
    Space,
    /// The inside.
    Vault,
    /// Part of its wall.
    Wall,
    /// A part of its wall with floor behind it, and nothing on the other sides.
    Door {
        /// The side of the room, counted counterclockwise from north.
        side: u8,
        /// Whether it can be entered: all doors can, unless some cells are marked as exits.
        open: bool,
    },
}

/// Returns what a room has on each cell from (-1, -1) to (width, height), row by row. `cell`
/// returns the cells of its grid, which may be larger.
pub fn parts_of_room(
    width: i32,
    height: i32,
    cell: &mut impl FnMut(i32, i32) -> Option<RoomCell>,
) -> Vec<RoomPart> {
    let places = || (-1..=height).flat_map(|y| (-1..=width).map(move |x| (x, y)));
    let mut within = |x, y| cell(x, y).filter(|cell| !cell.space);
    let mut parts = Vec::with_capacity(((width + 2) * (height + 2)) as usize);
    // For each door, whether there is an exit behind it.
    let mut exits = Vec::new();
    for (x, y) in places() {
        let part = if within(x, y).is_some() {
            RoomPart::Vault
        } else if !(-1..=1).any(|dx| (-1..=1).any(|dy| within(x + dx, y + dy).is_some())) {
            RoomPart::Space
        } else {
            let mut beside = INWARDS
                .into_iter()
                .zip(0..)
                .filter_map(|((dx, dy), side)| within(x + dx, y + dy).map(|cell| (side, cell)));
            match (beside.next(), beside.next()) {
                (Some((side, behind)), None) if !behind.solid => {
                    exits.push(behind.exit);
                    RoomPart::Door { side, open: true }
                }
                _ => RoomPart::Wall,
            }
        };
        parts.push(part);
    }
    if places().any(|(x, y)| cell(x, y).is_some_and(|cell| cell.exit)) {
        let doors = parts.iter_mut().filter_map(|part| match part {
            RoomPart::Door { open, .. } => Some(open),
            _ => None,
        });
        for (open, exit) in doors.zip(exits) {
            *open = exit;
        }
    }
    parts
}

/// The step from a cell of a wall to the floor behind it, by the side of the wall.
const INWARDS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan as drawn: `.` open, `,` border, `x` none, `e` eligible, `o` eligible on room 1, `w`
    /// its wall, `v` within it; `#` anything else.
    fn spot(drawing: &[&str], x: i32, y: i32) -> Option<Spot> {
        let row = drawing.get(usize::try_from(y).ok()?)?;
        let (usage, room) = match row.as_bytes().get(usize::try_from(x).ok()?)? {
            b'.' => (SpotUse::Open, 0),
            b',' => (SpotUse::Border, 0),
            b'x' => (SpotUse::None, 0),
            b'e' => (SpotUse::Eligible, 0),
            b'o' => (SpotUse::EligibleOpen, 1),
            b'w' => (SpotUse::RoomWall, 1),
            b'v' => (SpotUse::Other, 1),
            _ => (SpotUse::Other, 0),
        };
        Some(Spot { usage, room })
    }

    fn fits(drawing: &[&str], at: (i32, i32), turns: u8) -> bool {
        asked(drawing, at, turns).expect("a plan that goes on around the room")
    }

    fn asked(drawing: &[&str], at: (i32, i32), turns: u8) -> Option<bool> {
        let room = RoomShape::new(2, 1, |x, y| match (x, y) {
            (0..=1, 0) => Mask::Vault,
            _ => Mask::Wall,
        });
        let from = spot(drawing, at.0, at.1).unwrap();
        let stand = Stand { door: (0, -1), at, turns };
        room_fits(&room, stand, from, &mut |x, y| spot(drawing, x, y))
    }

    const OPEN: [&str; 7] = [
        ",,,,,,,,", //
        ",......,", //
        ",......,", //
        ",......,", //
        ",......,", //
        ",......,", //
        ",,,,,,,,",
    ];

    #[test]
    fn a_room_on_open_floor_may_touch_the_border_and_nothing_else() {
        assert!(fits(&OPEN, (2, 1), 0));
        assert!(!fits(&OPEN, (5, 1), 0), "its wall would stand on the border");
        assert!(fits(&OPEN, (4, 5), 2));
        assert!(!fits(&OPEN, (4, 2), 2));
        // When turned, its longer side is vertical.
        assert!(fits(&OPEN, (1, 4), 1) && !fits(&OPEN, (1, 1), 1));
        assert!(fits(&OPEN, (4, 2), 3) && !fits(&OPEN, (4, 5), 3));
        let mut taken = OPEN;
        taken[4] = ",...#..,";
        assert!(!fits(&taken, (2, 1), 0), "something stands beside its wall");
    }

    #[test]
    fn a_wall_on_the_edge_of_open_floor_is_left_to_others() {
        assert_eq!(asked(&["......", "......", "......", "......"], (2, 0), 0), None);
        assert_eq!(asked(&["......", ".#....", "......", "......"], (2, 1), 0), Some(false));
    }

    #[test]
    fn a_room_in_rock_needs_rock() {
        let rock = ["......", "xexxxx", "xxxxxx", "xxxxxx"];
        assert!(fits(&rock, (1, 1), 0));
        assert!(!fits(&["......", "xexxxx", "xxxxxx", "xxx.xx"], (1, 1), 0));
        assert!(!fits(&rock, (1, 1), 3), "beyond the edge of the plan");
    }

    #[test]
    fn a_room_may_share_the_wall_of_the_room_it_is_built_on() {
        let beside = [
            ",,,,,,,,", //
            ",wvvvvw,", //
            ",wwooww,", //
            ",......,", //
            ",......,", //
            ",......,", //
        ];
        assert!(fits(&beside, (3, 2), 0));
        let mut other = beside;
        other[2] = ",wwo#ww,";
        assert!(!fits(&other, (3, 2), 0));
    }

    /// The parts of a room: `v` within, `x` wall, `.` nothing, the number of the side for a door,
    /// `n`, `w`, `s`, `e` for one that is closed.
    fn parts(drawing: &[&str]) -> Vec<String> {
        let (width, height) = (drawing[0].len() as i32, drawing.len() as i32);
        let mut cell = |x: i32, y: i32| {
            let glyph = *drawing.get(y as usize)?.as_bytes().get(x as usize)?;
            Some(RoomCell { solid: glyph == b'x', space: glyph == b' ', exit: glyph == b'@' })
        };
        let parts = parts_of_room(width, height, &mut cell);
        let drawn = parts.iter().map(|part| match *part {
            RoomPart::Space => '.',
            RoomPart::Vault => 'v',
            RoomPart::Wall => 'x',
            RoomPart::Door { side, open: true } => char::from(b'0' + side),
            RoomPart::Door { side, open: false } => char::from(b"nwse"[usize::from(side)]),
        });
        let drawn: Vec<char> = drawn.collect();
        drawn.chunks((width + 2) as usize).map(|row| row.iter().collect()).collect()
    }

    #[test]
    fn doors_are_where_floor_is_behind_the_wall() {
        assert_eq!(parts(&["x.x", "...", "xxx"]), ["xx0xx", "xvvvx", "1vvv3", "xvvvx", "xxxxx"]);
        assert_eq!(parts(&["x@x", "..."]), ["xx0xx", "xvvvx", "wvvve", "xsssx"]);
    }

    #[test]
    fn what_is_no_part_of_a_room_has_its_wall() {
        assert_eq!(parts(&["...", ". .", "..."])[2], "1vxv3");
        assert_eq!(parts(&["..    ", "      "]), ["x00x....", "1vv3....", "x22x....", "........"]);
    }
}
