//! The maps of the library that scripts have looked up in a game. They get the entries themselves,
//! as those of the reference do: a tag that the rooms of the Vaults give a map which they draw is
//! one of this map wherever it stands later in the game.

use std::collections::HashMap;
use std::rc::Rc;

use vaultwright_map::MapId;

use super::map_cell::MapCell;
use crate::pack::library::Library;

/// The maps that scripts have looked up. How likely they are drawn is not theirs to change.
#[derive(Default)]
pub(crate) struct LookedUp(HashMap<MapId, Rc<MapCell>>);

impl LookedUp {
    /// Returns the entry of a map, for scripts.
    pub(crate) fn entry(&mut self, library: &Library, map: MapId) -> Rc<MapCell> {
        Rc::clone(self.0.entry(map).or_insert_with(|| MapCell::of(&library[map])))
    }

    /// Returns a working copy of a map, as scripts have left it.
    pub(crate) fn copy(&self, library: &Library, map: MapId) -> Rc<MapCell> {
        match self.0.get(&map) {
            Some(entry) => MapCell::new(entry.def.borrow().clone(), entry.origin),
            None => MapCell::of(&library[map]),
        }
    }
}
