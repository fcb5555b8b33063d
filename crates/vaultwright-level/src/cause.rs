//! What put the features of a level in their place.

use std::ops::Range;

use vaultwright_map::MapId;

/// The cause of a change to a level: a step, a map, its exits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nothing yet: the rock or floor that the level starts with.
    Start,
    /// The drawing and the Lua of a map: its id in the library, if it is listed there, and its
    /// name.
    Map(Option<MapId>, String),
    /// The paths dug to the exits of a map.
    Exits(Option<MapId>, String),
    /// A step of the builder.
    Step(&'static str),
}

/// The causes of a level in the order in which they acted, and the last one to write each cell.
#[derive(Clone, Debug)]
pub(crate) struct Causes {
    list: Vec<Cause>,
    current: u16,
    /// By cell; cells beyond its end are unchanged since the start.
    of: Vec<u16>,
}

impl Default for Causes {
    fn default() -> Causes {
        Causes { list: vec![Cause::Start], current: 0, of: Vec::new() }
    }
}

impl Causes {
    /// Makes a cause the current one. Returns the previous one, to return to.
    pub(crate) fn begin(&mut self, cause: Cause) -> u16 {
        let before = self.current;
        // If a level has more causes than numbers, the last one stands for the rest.
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
