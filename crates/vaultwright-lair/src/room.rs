//! A floor under construction: its cells, its rooms' environments, and the index for look-ups by
//! scripts.

use std::cell::{Cell, RefCell};

use vaultwright_lua::Budget;
use vaultwright_lua::mlua::{self, Function, Table};

use crate::script::Scripts;
use crate::tower::{Entity, Floor, Mobile, Size, TILE};

/// A room: its position, and the number of things in it. Its script's globals stay in Lua.
pub struct Room {
    /// The position of its corner on the floor, in cells.
    pub corner: (i64, i64),
    pub particles: Cell<u32>,
    pub mobiles: Cell<u32>,
}

/// The subject of a question: the room's index, and the cell in the room.
#[derive(Clone, Copy)]
pub struct Cursor {
    pub room: usize,
    pub x: i64,
    pub y: i64,
}

/// A measure that scripts read: a table with one field, with different names for fine and for
/// coarse coordinates (spec 09 §5.1).
pub struct Measure {
    pub field: &'static str,
    /// The measure in cells.
    pub cells: i64,
    pub fine: [&'static str; 2],
    pub coarse: [&'static str; 2],
}

/// Returns what the script of a room with this corner learns about the room and the floor.
pub fn measures(size: Size, corner: (i64, i64)) -> [Measure; 8] {
    let (floor_width, floor_height) = size.floor();
    let (width, height) = (i64::from(size.room.0), i64::from(size.room.1));
    [
        Measure {
            field: "w",
            cells: i64::from(floor_width),
            fine: ["floor_w", "floor_width"],
            coarse: ["floor_coarse_w", "floor_coarse_width"],
        },
        Measure {
            field: "h",
            cells: i64::from(floor_height),
            fine: ["floor_h", "floor_height"],
            coarse: ["floor_coarse_h", "floor_coarse_height"],
        },
        Measure {
            field: "x",
            cells: corner.0,
            fine: ["room_x", "room_corner_x"],
            coarse: ["room_coarse_x", "room_corner_coarse_x"],
        },
        Measure {
            field: "y",
            cells: corner.1,
            fine: ["room_y", "room_corner_y"],
            coarse: ["room_coarse_y", "room_corner_coarse_y"],
        },
        Measure {
            field: "w",
            cells: width,
            fine: ["generator_w", "current_room_width"],
            coarse: ["generator_coarse_w", "current_room_coarse_width"],
        },
        Measure {
            field: "h",
            cells: height,
            fine: ["generator_h", "current_room_height"],
            coarse: ["generator_coarse_h", "current_room_coarse_height"],
        },
        Measure {
            field: "x",
            cells: corner.0 + width,
            fine: ["room_xw", "room_faredge_x"],
            coarse: ["room_coarse_xw", "room_faredge_coarse_x"],
        },
        Measure {
            field: "y",
            cells: corner.1 + height,
            fine: ["room_yh", "room_faredge_y"],
            coarse: ["room_coarse_yh", "room_faredge_coarse_y"],
        },
    ]
}

/// A floor under construction.
pub struct Site {
    pub floor: RefCell<Floor>,
    pub rooms: RefCell<Vec<Room>>,
    /// What scripts see of particles and mobiles, by fine coordinates.
    pub cell: Table,
    pub mobs: Table,
    pub size: Size,
    /// Faults that carving functions report: kinds and messages.
    pub faults: RefCell<Vec<(String, String)>>,
    /// The budget of the current call: work of the host for a script is charged to it.
    budget: Budget,
    change_particles: Function,
    change_mobiles: Function,
    /// The number of particles placed so far.
    placed: Cell<u32>,
}

impl Site {
    pub fn new(scripts: &Scripts, size: Size) -> mlua::Result<Site> {
        let (width, height) = size.floor();
        let lua = scripts.lua();
        let (change_particles, change_mobiles) = scripts.counters();
        Ok(Site {
            floor: RefCell::new(Floor::new(width, height)),
            rooms: RefCell::default(),
            cell: lua.create_table()?,
            mobs: lua.create_table()?,
            size,
            faults: RefCell::default(),
            budget: scripts.budget(),
            change_particles,
            change_mobiles,
            placed: Cell::new(0),
        })
    }

    /// Charges work done for the current script, in cells examined. Returns an error once the
    /// script has used up its budget.
    pub fn spend(&self, cells: usize) -> mlua::Result<()> {
        self.budget.spend(cells as u64)
    }

    /// Records a fault of the script that carves.
    pub fn note_fault(&self, kind: &str, message: String) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() < MAX_FAULTS {
            faults.push((kind.to_owned(), message));
        }
    }

    /// Places a particle, replacing an existing one.
    pub fn put(&self, x: i64, y: i64, particle: Entity) -> mlua::Result<bool> {
        let Some(index) = self.floor.borrow().index(x, y) else { return Ok(false) };
        self.remove(x, y)?;
        self.cell.raw_set(key(x, y), particle.tags.join(" "))?;
        self.count(x, y, &particle, 1)?;
        let mut floor = self.floor.borrow_mut();
        floor.particles[index] = Some(particle);
        floor.placed[index] = self.placed.replace(self.placed.get() + 1);
        Ok(true)
    }

    /// Adds tags to the particle of a cell, creating it if necessary. Returns false outside the
    /// floor.
    pub fn add_tags(&self, x: i64, y: i64, tags: &[String]) -> mlua::Result<bool> {
        let Some(index) = self.floor.borrow().index(x, y) else { return Ok(false) };
        let (old, placed) = {
            let floor = self.floor.borrow();
            (floor.particles[index].clone(), floor.placed[index])
        };
        let was_there = old.is_some();
        let mut particle = old.unwrap_or_default();
        let new = tags.iter().filter(|tag| !particle.tags.contains(tag));
        particle.tags = particle.tags.iter().chain(new).cloned().collect();
        self.put(x, y, particle)?;
        if was_there {
            self.floor.borrow_mut().placed[index] = placed;
        }
        Ok(true)
    }

    /// Removes the particle of a cell. Returns whether there was one.
    pub fn remove(&self, x: i64, y: i64) -> mlua::Result<bool> {
        let Some(index) = self.floor.borrow().index(x, y) else { return Ok(false) };
        let Some(particle) = self.floor.borrow_mut().particles[index].take() else {
            return Ok(false);
        };
        self.cell.raw_remove(key(x, y))?;
        self.count(x, y, &particle, -1)?;
        Ok(true)
    }

    /// Places a mobile, whatever else is on its cell.
    pub fn add_mobile(&self, mobile: Mobile) -> mlua::Result<()> {
        let (x, y) = (i64::from(mobile.x), i64::from(mobile.y));
        self.mobs.raw_set(key(x, y), mobile.entity.tags.join(" "))?;
        if let Some(number) = self.room_of(x, y) {
            let mobiles = &self.rooms.borrow()[number].mobiles;
            mobiles.set(mobiles.get() + 1);
            let counted = (number, 1, counted_tags(&mobile.entity, "mobile"));
            self.budget.exempt(|| self.change_mobiles.call::<()>(counted))?;
        }
        self.floor.borrow_mut().mobiles.push(mobile);
        Ok(())
    }

    fn count(&self, x: i64, y: i64, particle: &Entity, by: i32) -> mlua::Result<()> {
        let Some(number) = self.room_of(x, y) else { return Ok(()) };
        let particles = &self.rooms.borrow()[number].particles;
        particles.set(particles.get().saturating_add_signed(by));
        let counted = (number, by, counted_tags(particle, "particle"));
        self.budget.exempt(|| self.change_particles.call(counted))
    }

    /// Returns the number of the room that contains a cell, if it exists. Rooms are stored column
    /// by column.
    fn room_of(&self, x: i64, y: i64) -> Option<usize> {
        let (width, height) = (i64::from(self.size.room.0), i64::from(self.size.room.1));
        let index = (x / width) * i64::from(self.size.rooms.1) + y / height;
        (index < self.rooms.borrow().len() as i64).then_some(index as usize)
    }
}

/// The maximum number of recorded faults in a call.
const MAX_FAULTS: usize = 1000;

/// Returns the key of a cell in the index: its fine coordinates.
pub fn key(x: i64, y: i64) -> String {
    format!("{}_{}", x * TILE, y * TILE)
}

/// Returns the tags that count, separated by blanks.
fn counted_tags(entity: &Entity, kind: &str) -> String {
    let mut text = String::new();
    for tag in entity.all_tags(kind) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(tag);
    }
    text
}

/// Returns the position of a cursor's cell on the floor.
pub fn position(site: &Site, at: Cursor) -> (i64, i64) {
    let corner = site.rooms.borrow()[at.room].corner;
    (corner.0 + at.x, corner.1 + at.y)
}
