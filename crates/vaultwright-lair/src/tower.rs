//! A finished tower: floors, particles, mobiles, reports.

use std::sync::Arc;

/// The size of a cell, in pixels.
pub const TILE: i64 = 32;

/// The tag of floor tiles that no script has set.
pub const PLAIN_TILE: &str = "floor";

/// The size of a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of floors.
    pub floors: u32,
    /// The number of rooms of a floor, across and down.
    pub rooms: (u32, u32),
    /// The number of cells of a room, across and down.
    pub room: (u32, u32),
}

impl Size {
    /// The names of sizes in the original.
    pub const NAMES: [&'static str; 6] = ["oneroom", "tiny", "small", "medium", "large", "giant"];

    /// Returns the size with this name (spec 09 §4.1).
    pub fn named(name: &str) -> Option<Size> {
        let index = Size::NAMES.iter().position(|known| *known == name)? as u32;
        let (n, side) = (index + 1, 5 * (index + 2));
        Some(Size { floors: n, rooms: (n, n), room: (side, side) })
    }

    /// Returns the number of cells of a floor, across and down.
    pub fn floor(self) -> (u32, u32) {
        (self.rooms.0 * self.room.0, self.rooms.1 * self.room.1)
    }
}

/// Everything that a script has generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// The floors, starting with the first.
    pub floors: Vec<Floor>,
    /// The start of the player.
    pub player: Option<Player>,
    /// The images and sounds of the player, if they were assigned.
    pub player_body: Option<Body>,
    /// The messages.
    pub report: Report,
}

/// The messages about a tower or a floor: warnings, notes, and what scripts have printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Problems that did not stop anything: a line for each kind, with the number of occurrences
    /// and the place of the first.
    pub warnings: Vec<String>,
    /// Hints for the author: functions that the script could define.
    pub notes: Vec<String>,
    /// What scripts have printed, as lines.
    pub printed: Vec<String>,
}

/// The start of the player: floor, and cell on it (x right, y down, from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// The floor, from 0.
    pub floor: usize,
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// A floor: what is on each cell, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The width in cells.
    pub width: u32,
    /// The height in cells.
    pub height: u32,
    /// The floor tiles set by a script; all others are plain.
    pub tiles: Vec<Option<Entity>>,
    /// The particles, which block: walls, decoration.
    pub particles: Vec<Option<Entity>>,
    /// When each cell's particle was placed: mobiles see things in that order.
    pub(crate) placed: Vec<u32>,
    /// The mobiles. Several can be on one cell only after turns.
    pub mobiles: Vec<Mobile>,
    /// Where a player starts on this floor: cell 6,6 of the first room, or the nearest free cell
    /// (spec 09 §4.4); `None` if the room is full.
    pub start: Option<(u32, u32)>,
}

/// A thing, with the words that a script has given it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// The tags: its kind and its look.
    pub tags: Tags,
    /// The tags of its sounds.
    pub sounds: Tags,
    /// The tags of its fonts.
    pub fonts: Tags,
    /// The files assigned to it, if any.
    pub files: Option<Box<Files>>,
}

/// Words; equal things share them.
pub type Tags = Arc<[String]>;

/// The files of an entity, where available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The image.
    pub image: Option<String>,
    /// The sound.
    pub sound: Option<String>,
    /// The font of its letters.
    pub font: Option<String>,
}

impl Entity {
    /// Creates an entity with only these tags.
    pub fn of(tags: Tags) -> Entity {
        Entity { tags, ..Entity::default() }
    }

    /// Returns its tags as a thing of a kind: `blocked`, its own tags, and the kind, without
    /// duplicates (spec 09 §12.1).
    pub(crate) fn all_tags<'e>(&'e self, kind: &'e str) -> impl Iterator<Item = &'e str> {
        let own = self.tags.iter().map(String::as_str).filter(|tag| *tag != "blocked");
        let last = (!self.tags.iter().any(|tag| tag == kind)).then_some(kind);
        std::iter::once("blocked").chain(own).chain(last)
    }

    /// Returns its image, if one was assigned.
    pub fn image(&self) -> Option<&str> {
        self.files.as_ref()?.image.as_deref()
    }
}

/// A creature that moves and acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mobile {
    /// Its tags, sounds and fonts.
    pub entity: Entity,
    /// The function that decides for it.
    pub ai: String,
    /// The column of its cell on the floor.
    pub x: u32,
    /// The row.
    pub y: u32,
    /// The position of its corner on the floor, in pixels.
    pub fine: (i64, i64),
    /// Its images and sounds, if they were assigned.
    pub body: Option<Body>,
}

/// The images and sounds of a mobile or the player (spec 09 §11.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The images on top of each other: head, left and right arm, body, left and right leg.
    pub images: Vec<String>,
    /// The sounds of a step, of a collision, and of its presence.
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

    /// Returns the index of a cell in the lists; `None` outside the floor.
    pub fn index(&self, x: i64, y: i64) -> Option<usize> {
        let inside =
            (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        inside.then(|| (y * i64::from(self.width) + x) as usize)
    }

    /// Returns the particle on a cell.
    pub fn particle(&self, x: i64, y: i64) -> Option<&Entity> {
        self.particles[self.index(x, y)?].as_ref()
    }

    /// Returns the number of particles.
    pub fn particle_count(&self) -> usize {
        self.particles.iter().flatten().count()
    }
}
