//! What put the features of a level where they are.

use vaultwright_map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};

/// What is at work on a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nothing yet: the rock, or the floor, that every level starts as.
    Start,
    /// The drawing and the Lua of a map: its index in the library, its name.
    Map(usize, String),
    /// The ways dug to the exits of a map.
    Exits(usize, String),
    /// A step of the builder.
    Step(&'static str),
}

/// The causes of a level in the order of their work, and which of them wrote each cell last.
#[derive(Clone, Debug)]
pub(crate) struct Causes {
    list: Vec<Cause>,
    current: u16,
    of: Vec<u16>,
}

impl Default for Causes {
    fn default() -> Causes {
        Causes::new((LEVEL_WIDTH * LEVEL_HEIGHT) as usize)
    }
}

impl Causes {
    fn new(cells: usize) -> Causes {
        Causes { list: vec![Cause::Start], current: 0, of: vec![0; cells] }
    }

    pub(crate) fn reset(&mut self) {
        self.list.truncate(1);
        self.current = 0;
        self.of.fill(0);
    }

    /// Makes a cause the current one; the one before it, to return to.
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

    pub(crate) fn write(&mut self, cell: usize) {
        self.of[cell] = self.current;
    }

    pub(crate) fn of(&self, cell: usize) -> &Cause {
        &self.list[usize::from(self.of[cell])]
    }
}
