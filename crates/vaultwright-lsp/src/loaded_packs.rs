//! The packs that open files belong to, each loaded when it is first needed.

use std::path::PathBuf;

use vaultwright::read_source;
use vaultwright::syntax::Source;
use vaultwright_authoring::{Desk, DoorError, PackDoor};

use crate::documents::Open;

/// The most packs that are loaded at once.
const MAX_DESKS: usize = 4;

/// A loaded pack.
pub struct Room {
    /// Tells it from all that were loaded before.
    pub number: u64,
    pub desk: Desk,
    /// What the door calls it.
    root: String,
    /// The files by which the door finds it.
    at: Vec<PathBuf>,
}

/// The loaded packs, the one that was used last first.
pub struct Desks<'d> {
    door: &'d mut dyn PackDoor,
    rooms: Vec<Room>,
    /// How many have been loaded so far.
    count: u64,
}

impl<'d> Desks<'d> {
    pub fn new(door: &'d mut dyn PackDoor) -> Desks<'d> {
        Desks { door, rooms: Vec::new(), count: 0 }
    }

    /// Returns the pack that files belong to, loaded if it is not, and the door to it.
    ///
    /// # Errors
    ///
    /// If they belong to several, or the pack cannot be loaded.
    pub fn room(&mut self, at: Vec<PathBuf>) -> Result<(&mut Room, &dyn PackDoor), DoorError> {
        self.door.settle(&at)?;
        let root = self.door.root();
        let room = match self.rooms.iter().position(|room| room.root == root) {
            Some(index) => self.rooms.remove(index),
            None => {
                let desk = Desk::open(&*self.door)?;
                self.count += 1;
                Room { number: self.count, desk, root, at }
            }
        };
        self.rooms.insert(0, room);
        self.rooms.truncate(MAX_DESKS);
        Ok((&mut self.rooms[0], &*self.door))
    }

    /// Returns the pack that was used last.
    pub fn latest(&mut self) -> Option<&mut Room> {
        self.rooms.first_mut()
    }

    /// Returns whether a pack has a file as the editor has it.
    pub fn have(&self, open: &Open) -> bool {
        let is_loaded = |number| self.rooms.iter().any(|room| room.number == number);
        !open.is_changed() && open.room.is_some_and(is_loaded)
    }

    /// Puts a file back as it lies on the disk, which the editor has closed.
    pub fn put_back(&mut self, open: Open) {
        let room = self.rooms.iter_mut().find(|room| Some(room.number) == open.room);
        let (Some(room), Some(name)) = (room, open.name) else { return };
        let on_disk = open.path.and_then(|path| read_source(&path).ok());
        room.desk.put_back(&name, on_disk.map(|source| Source { name: name.clone(), ..source }));
    }

    /// Reads again what has changed on the disk. Packs that have other files than before are
    /// loaded anew when they are needed.
    pub fn look_again(&mut self) {
        let door = &mut *self.door;
        self.rooms.retain_mut(|room| {
            let is_there = door.settle(&room.at).is_ok() && door.root() == room.root;
            is_there && room.desk.look_again(&*door)
        });
    }

    /// Forgets all packs: their libraries or tables may have changed.
    pub fn forget(&mut self) {
        self.rooms.clear();
    }
}
