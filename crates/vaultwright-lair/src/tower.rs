//! A finished tower: floors, particles, mobiles, reports.

use std::sync::Arc;

/// Pixels of a cell's side.
pub const TILE: i64 = 32;

/// The tag of floor tiles that no script has decided.
pub const PLAIN_TILE: &str = "floor";

/// The size of a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Floors.
    pub floors: u32,
    /// Rooms of a floor, across and down.
    pub rooms: (u32, u32),
    /// Cells of a room, across and down.
    pub room: (u32, u32),
}

impl Size {
    /// The names that the original has for sizes.
    pub const NAMES: [&'static str; 6] = ["oneroom", "tiny", "small", "medium", "large", "giant"];

    /// Returns the size of a name (spec 09 §4.1).
    pub fn named(name: &str) -> Option<Size> {
        let index = Size::NAMES.iter().position(|known| *known == name)? as u32;
        let (n, side) = (index + 1, 5 * (index + 2));
        Some(Size { floors: n, rooms: (n, n), room: (side, side) })
    }

    /// Returns how many cells a floor has, across and down.
    pub fn floor(self) -> (u32, u32) {
        (self.rooms.0 * self.room.0, self.rooms.1 * self.room.1)
    }
}

/// Everything that a script has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// From the first one.
    pub floors: Vec<Floor>,
    /// Where the player begins.
    pub player: Option<Player>,
    /// The images and sounds of the player, if any have been chosen.
    pub player_body: Option<Body>,
    /// What there is to tell beside that.
    pub report: Report,
}

/// The messages about a tower or a floor: warnings, notes, and what scripts have printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What went wrong without stopping anything: a line for each kind, with how often and where
    /// first.
    pub warnings: Vec<String>,
    /// What an author may want to know: functions that the script could have.
    pub notes: Vec<String>,
    /// What scripts have printed, in lines.
    pub printed: Vec<String>,
}

/// The start of the player: floor, and cell on it (x right, y down, from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// From 0.
    pub floor: usize,
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

/// One floor: what is on each cell, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// In cells.
    pub width: u32,
    /// In cells.
    pub height: u32,
    /// Tags of floor tiles that a script has chosen; all others are plain.
    pub tiles: Vec<Option<Entity>>,
    /// What blocks: walls, decoration.
    pub particles: Vec<Option<Entity>>,
    /// When each cell's particle was placed: mobiles see things in that order.
    pub(crate) placed: Vec<u32>,
    /// Who moves; several stand on one cell only after turns.
    pub mobiles: Vec<Mobile>,
    /// Where a player who comes here begins: cell 6,6 of the first room, or the free cell nearest
    /// to it (spec 09 §4.4); `None` if the room is full.
    pub start: Option<(u32, u32)>,
}

/// One thing, with the words that a script has given it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// Its tags: what it is, and what it looks like.
    pub tags: Tags,
    /// The tags of its sounds.
    pub sounds: Tags,
    /// The tags of its fonts.
    pub fonts: Tags,
    /// The files that were chosen for it, if any were.
    pub files: Option<Box<Files>>,
}

/// Words; things that are alike share them.
pub type Tags = Arc<[String]>;

/// The files of an entity, as far as there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// What it looks like.
    pub image: Option<String>,
    /// What it sounds like.
    pub sound: Option<String>,
    /// What its letters look like.
    pub font: Option<String>,
}

impl Entity {
    /// Returns an entity with these tags and nothing else.
    pub fn of(tags: Tags) -> Entity {
        Entity { tags, ..Entity::default() }
    }

    /// Returns the tags that it has as a thing of its kind: `blocked`, its own, and the kind; each
    /// once (spec 09 §12.1).
    pub(crate) fn all_tags<'e>(&'e self, kind: &'e str) -> impl Iterator<Item = &'e str> {
        let own = self.tags.iter().map(String::as_str).filter(|tag| *tag != "blocked");
        let last = (!self.tags.iter().any(|tag| tag == kind)).then_some(kind);
        std::iter::once("blocked").chain(own).chain(last)
    }

    /// Returns its image, if one was chosen.
    pub fn image(&self) -> Option<&str> {
        self.files.as_ref()?.image.as_deref()
    }
}

/// A creature that moves and acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mobile {
    /// What it is.
    pub entity: Entity,
    /// The function that decides for it.
    pub ai: String,
    /// Column of its cell on the floor.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// Its corner on the floor, in pixels.
    pub fine: (i64, i64),
    /// Its images and sounds, if any have been chosen.
    pub body: Option<Body>,
}

/// What a mobile or the player is drawn and heard with (spec 09 §11.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Images that lie on each other: head, left and right arm, body, left and right leg.
    pub images: Vec<String>,
    /// Sounds of a step, of running into something, and of being there.
    pub sounds: Vec<String>,
}

impl Floor {
    /// Returns a floor with nothing on it.
    pub fn new(width: u32, height: u32) -> Floor {
        let cells = width as usize * height as usize;
        let (tiles, particles) = (vec![None; cells], vec![None; cells]);
        let placed = vec![0; cells];
        Floor { width, height, tiles, particles, placed, mobiles: Vec::new(), start: None }
    }

    /// Returns the place of a cell in the lists; `None` outside the floor.
    pub fn index(&self, x: i64, y: i64) -> Option<usize> {
        let inside =
            (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        inside.then(|| (y * i64::from(self.width) + x) as usize)
    }

    /// Returns the particle on a cell.
    pub fn particle(&self, x: i64, y: i64) -> Option<&Entity> {
        self.particles[self.index(x, y)?].as_ref()
    }

    /// Returns how many particles there are.
    pub fn particle_count(&self) -> usize {
        self.particles.iter().flatten().count()
    }
}
