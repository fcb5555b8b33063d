//! Whether a room of `hyper` fits at a position in a plan (spec 06 §15.13).

/// What a room has on a cell of its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedSpot {
    /// Whether it is not part of the room.
    pub space: bool,
    /// Whether it must be kept free around the room.
    pub buffer: bool,
}

/// What a plan has on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanSpot {
    /// Whether it belongs to a vault.
    pub vault: bool,
    /// Whether it blocks movement.
    pub solid: bool,
    /// Whether it is the wall of a room.
    pub wall: bool,
    /// Whether rooms meet there.
    pub restricted: bool,
    /// Whether it belongs to the room that this one is connected to.
    pub same_room: bool,
}

/// The cells of a plan that a room can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRule {
    /// All cells.
    Any,
    /// Cells that belong to no vault.
    Free,
    /// Cells of open floor, next to the room that it is connected to.
    Open {
        /// Whether it is connected to a wall, instead of to floor.
        to_wall: bool,
    },
}

impl CellRule {
    /// Returns whether a cell of a room must not be on a cell of the plan, or beyond its edge.
    pub fn forbids(self, room: PlacedSpot, plan: Option<PlanSpot>) -> bool {
        let Some(spot) = plan else {
            return self != CellRule::Any && (room.buffer || !room.space);
        };
        match self {
            CellRule::Any => false,
            CellRule::Free => spot.vault,
            CellRule::Open { to_wall: false } => {
                spot.vault || !spot.same_room || (room.buffer && (spot.solid || spot.wall))
            }
            CellRule::Open { to_wall: true } if spot.same_room => {
                spot.vault || (!room.space && !spot.wall)
            }
            CellRule::Open { to_wall: true } => {
                let open = room.space || room.buffer || !(spot.solid || spot.restricted);
                spot.vault || !open
            }
        }
    }
}

/// Returns the cells that a room would occupy in a plan, except those on a vault; `None` if it does
/// not fit. The room's grid is given row by row. `plan` returns what is under a cell of the room.
pub fn placed_cells(
    width: usize,
    room: &[PlacedSpot],
    rule: CellRule,
    mut plan: impl FnMut(i32, i32) -> Option<PlanSpot>,
) -> Option<Vec<(i32, i32)>> {
    let mut cells = Vec::new();
    for (row, y) in room.chunks(width.max(1)).zip(0..) {
        for (&spot, x) in row.iter().zip(0..) {
            let under = plan(x, y);
            let is_beyond = under.is_none() && (!spot.space || spot.buffer);
            if is_beyond || rule.forbids(spot, under) {
                return None;
            }
            if !spot.space && under.is_none_or(|under| !under.vault) {
                cells.push((x, y));
            }
        }
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `#` the room, `~` what is kept free around it, else nothing.
    fn room(rows: &[&str]) -> Vec<PlacedSpot> {
        let spot = |glyph| PlacedSpot { space: glyph != b'#', buffer: glyph == b'~' };
        rows.concat().bytes().map(spot).collect()
    }

    /// `.` floor of the room that the other is joined to, `w` its wall, `x` rock of no room, `,`
    /// floor of no room, `r` where rooms meet, `v` a vault, else nothing.
    fn placed(
        rows: &[&str],
        rule: CellRule,
        plan: &[&str],
        (left, top): (usize, usize),
    ) -> Option<Vec<(i32, i32)>> {
        placed_cells(rows[0].len(), &room(rows), rule, |x, y| {
            let row = plan.get(top + y as usize)?.as_bytes();
            let glyph = *row.get(left + x as usize).filter(|&&glyph| glyph != b' ')?;
            Some(PlanSpot {
                vault: glyph == b'v',
                solid: glyph == b'x' || glyph == b'w',
                wall: glyph == b'w',
                restricted: glyph == b'r',
                same_room: glyph == b'.' || glyph == b'w',
            })
        })
    }

    const PLAN: &[&str] = &["xwww", "...w", ",,.r", "v,xx"];

    #[test]
    fn rooms_stand_on_what_is_there() {
        let rows = &["# ", "##"];
        assert_eq!(placed(rows, CellRule::Any, PLAN, (2, 2)), Some(vec![(0, 0), (0, 1), (1, 1)]));
        assert_eq!(placed(rows, CellRule::Any, PLAN, (3, 2)), None);
        assert_eq!(placed(rows, CellRule::Any, PLAN, (0, 3)), None);
        assert_eq!(placed(&["# ", "# "], CellRule::Any, PLAN, (3, 2)), Some(vec![(0, 0), (0, 1)]));
        assert_eq!(placed(&["#~", "# "], CellRule::Any, PLAN, (3, 2)), None);
        assert_eq!(placed(rows, CellRule::Any, PLAN, (0, 2)), Some(vec![(0, 0), (1, 1)]));
        assert_eq!(placed(rows, CellRule::Free, PLAN, (0, 2)), None);
        assert_eq!(placed(&["#~"], CellRule::Free, PLAN, (3, 0)), None);
        assert_eq!(placed(&["# "], CellRule::Free, PLAN, (3, 0)), Some(vec![(0, 0)]));
    }

    #[test]
    fn rooms_on_floor_stay_in_their_room_and_off_its_walls() {
        let rule = CellRule::Open { to_wall: false };
        assert!(placed(&["##"], rule, PLAN, (0, 1)).is_some());
        assert!(placed(&["##"], rule, PLAN, (1, 2)).is_none(), "floor of no room");
        assert!(placed(&["#~"], rule, PLAN, (1, 1)).is_some());
        assert!(placed(&["#~"], rule, PLAN, (2, 1)).is_none(), "a wall is kept free from");
        assert!(placed(&["##"], rule, PLAN, (2, 1)).is_some());
    }

    #[test]
    fn rooms_at_a_wall_share_it_and_stand_on_other_floor() {
        let rule = CellRule::Open { to_wall: true };
        assert!(placed(&["###"], rule, PLAN, (1, 0)).is_some());
        assert!(placed(&["#"], rule, PLAN, (0, 1)).is_none(), "floor of the room");
        assert!(placed(&["##"], rule, PLAN, (0, 2)).is_some());
        assert!(placed(&["#"], rule, PLAN, (3, 2)).is_none(), "where rooms meet");
        assert!(placed(&["#"], rule, PLAN, (2, 3)).is_none(), "rock");
        assert!(placed(&["~"], rule, PLAN, (2, 3)).is_some());
        assert!(placed(&[" "], rule, PLAN, (0, 3)).is_none(), "a vault");
    }
}
