//! Events on a level in play.

use vaultwright_map::Point;

/// The kinds of events on a level in play (spec 07 §8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the events of scripts, by their names
pub enum EventKind {
    None,
    Turn,
    MonsMove,
    PlayerMove,
    LeaveLevel,
    EnteringLevel,
    EnteredLevel,
    PlayerLos,
    PlayerClimb,
    MonsterDies,
    ItemPickup,
    ItemMoved,
    FeatChange,
    Unused,
    DoorOpened,
    DoorClosed,
    HpWarning,
    PressurePlate,
}

impl EventKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [EventKind; 18] = [
        EventKind::None,
        EventKind::Turn,
        EventKind::MonsMove,
        EventKind::PlayerMove,
        EventKind::LeaveLevel,
        EventKind::EnteringLevel,
        EventKind::EnteredLevel,
        EventKind::PlayerLos,
        EventKind::PlayerClimb,
        EventKind::MonsterDies,
        EventKind::ItemPickup,
        EventKind::ItemMoved,
        EventKind::FeatChange,
        EventKind::Unused,
        EventKind::DoorOpened,
        EventKind::DoorClosed,
        EventKind::HpWarning,
        EventKind::PressurePlate,
    ];

    /// Returns the name that scripts use.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::None => "none",
            EventKind::Turn => "turn",
            EventKind::MonsMove => "mons_move",
            EventKind::PlayerMove => "player_move",
            EventKind::LeaveLevel => "leave_level",
            EventKind::EnteringLevel => "entering_level",
            EventKind::EnteredLevel => "entered_level",
            EventKind::PlayerLos => "player_los",
            EventKind::PlayerClimb => "player_climb",
            EventKind::MonsterDies => "monster_dies",
            EventKind::ItemPickup => "item_pickup",
            EventKind::ItemMoved => "item_moved",
            EventKind::FeatChange => "feat_change",
            EventKind::Unused => "unused",
            EventKind::DoorOpened => "door_opened",
            EventKind::DoorClosed => "door_closed",
            EventKind::HpWarning => "hp_warning",
            EventKind::PressurePlate => "pressure_plate",
        }
    }

    /// Returns the kind with this name.
    pub fn by_name(name: &str) -> Option<EventKind> {
        EventKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns its bit in a mask; `none` has no bit.
    pub fn code(self) -> u32 {
        match self as u32 {
            0 => 0,
            index => 1 << (index - 1),
        }
    }

    /// Returns whether the listeners of the whole level receive it.
    pub fn is_global(self) -> bool {
        use EventKind::{EnteredLevel, EnteringLevel, HpWarning, LeaveLevel, MonsterDies, Turn};
        matches!(self, Turn | LeaveLevel | EnteringLevel | EnteredLevel | MonsterDies | HpWarning)
    }

    /// Returns whether the listeners of a cell receive it, as scripts see it. `player_climb` is
    /// sent to them, too, although scripts are told otherwise.
    pub fn is_position(self) -> bool {
        use EventKind::{None, PlayerClimb, Unused};
        !self.is_global() && !matches!(self, None | Unused | PlayerClimb)
    }
}

/// An event (spec 07 §8.5, §8.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of event.
    pub kind: EventKind,
    /// The cell; (0, 0) for the whole level.
    pub at: Point,
    /// The destination, if something moves.
    pub to: Point,
    /// The ticks that have passed.
    pub ticks: i32,
    /// The subject: a monster, an item, or whether a game was loaded.
    pub arg1: i32,
    /// Who caused the event.
    pub arg2: i32,
}

impl Event {
    /// Returns an event that affects the whole level.
    pub fn global(kind: EventKind, ticks: i32) -> Event {
        Event::at(kind, Point::new(0, 0), ticks)
    }

    /// Returns an event on a cell.
    pub fn at(kind: EventKind, at: Point, ticks: i32) -> Event {
        Event { kind, at, to: Point::new(0, 0), ticks, arg1: 0, arg2: 0 }
    }
}
