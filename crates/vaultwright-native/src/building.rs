//! What happens to a plan where a room of the Vaults is built (spec 06 §15.9, step 3).

use crate::rooms::SpotUse;

/// What a cell of the plan under a wall becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    /// It is unchanged.
    Kept,
    /// A part of the wall shared with the room that it is built on, possibly with a door.
    Door,
    /// A part of the wall of another room.
    Cell,
    /// A part of its wall on which other rooms can be built.
    Entrance,
    /// A part of its wall that leads nowhere.
    Wall,
}

/// What else a door in a wall can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Open floor.
    Outer,
    /// The room that it is built on.
    Inner,
    /// Another room.
    Other,
}

/// A cell of a plan under a new wall.
#[derive(Clone, Copy, Debug)]
pub struct WallSpot {
    /// The previous use of the cell.
    pub was: SpotUse,
    /// The use of the cell from which the room grows.
    pub from: SpotUse,
    /// Whether both belong to the same room, or to none.
    pub same_room: bool,
    /// Whether there is floor of the room behind the wall.
    pub connected: bool,
}

/// Returns what a cell under a wall becomes, and where a door there would lead.
pub fn build_wall(spot: WallSpot) -> (Built, Option<Exit>) {
    let connected = spot.connected;
    match spot.was {
        SpotUse::Open if connected => (Built::Entrance, Some(Exit::Outer)),
        SpotUse::Open => (Built::Wall, None),
        SpotUse::None if connected => (Built::Entrance, None),
        SpotUse::Eligible | SpotUse::EligibleOpen if spot.was == spot.from => {
            let (built, exit) = match spot.same_room {
                true => (Built::Door, Exit::Inner),
                false => (Built::Cell, Exit::Other),
            };
            (built, connected.then_some(exit))
        }
        _ => (Built::Kept, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(
        [was, from]: [SpotUse; 2],
        [same_room, connected]: [bool; 2],
    ) -> (Built, Option<Exit>) {
        build_wall(WallSpot { was, from, same_room, connected })
    }

    #[test]
    fn walls_on_floor_let_others_in_where_there_is_floor_behind_them() {
        let open = SpotUse::Open;
        assert_eq!(built([open, open], [true, true]), (Built::Entrance, Some(Exit::Outer)));
        assert_eq!(built([open, open], [true, false]), (Built::Wall, None));
        let eligible = SpotUse::Eligible;
        assert_eq!(built([SpotUse::None, eligible], [true, true]), (Built::Entrance, None));
        assert_eq!(built([SpotUse::None, eligible], [true, false]), (Built::Kept, None));
    }

    #[test]
    fn walls_of_two_rooms_become_one() {
        let on = SpotUse::EligibleOpen;
        assert_eq!(built([on, on], [true, true]), (Built::Door, Some(Exit::Inner)));
        assert_eq!(built([on, on], [true, false]), (Built::Door, None));
        assert_eq!(built([on, on], [false, true]), (Built::Cell, Some(Exit::Other)));
        assert_eq!(built([on, SpotUse::Open], [true, true]), (Built::Kept, None));
        assert_eq!(built([SpotUse::RoomWall, on], [true, true]), (Built::Kept, None));
    }
}
