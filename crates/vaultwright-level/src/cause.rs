//! What put the features of a level where they are.

use std::ops::Range;

use vaultwright_map::MapId;

/// The cause of a change to a level: a step, a map, its exits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nothing yet: the rock, or the floor, that every level starts as.
    Start,
    /// The drawing and the Lua of a map: which of the library, if it is listed there, and its name.
    Map(Option<MapId>, String),
    /// The ways dug to the exits of a map.
    Exits(Option<MapId>, String),
    /// A step of the builder.
    Step(&'static str),
}

/// The causes of a level in the order of their work, and which of them wrote each cell last.
#[derive(Clone, Debug)]
pub(crate) struct Causes {
    list: Vec<Cause>,
    current: u16,
    /// By cell; those behind its end are as they were at the start.
    of: Vec<u16>,
}

impl Default for Causes {
    fn default() -> Causes {
        Causes { list: vec![Cause::Start], current: 0, of: Vec::new() }
    }
}

impl Causes {
    /// Makes a cause the current one. Returns the one before it, to return to.
    pub(crate) fn begin(&mut self, cause: Cause) -> u16 {
        let before = self.current;
        // A level with more causes than numbers would blame the last one for the rest.
        if self.list.len() < usize::from(u16::MAX) {
            self.current = self.list.len() as u16;
            self.list.push(cause);
        }
        before
    }

    pub(crate) fn resume(&mut self, before: u16) {
        self.current = before;
    }

    #[inline]
    pub(crate) fn write(&mut self, cell: usize) {
        if self.of.len() <= cell {
            self.of.resize(cell + 1, 0);
        }
        self.of[cell] = self.current;
    }

    pub(crate) fn write_all(&mut self, cells: Range<usize>) {
        if self.of.len() < cells.end {
            self.of.resize(cells.end, 0);
        }
        self.of[cells].fill(self.current);
    }

    pub(crate) fn of(&self, cell: usize) -> &Cause {
        &self.list[usize::from(self.of.get(cell).copied().unwrap_or(0))]
    }
}
