//! A map in use.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use vaultwright_map::{LostSpec, MapDef};

use super::cell_lines::CellLines;
use super::glyph_notes::RunNotes;
use crate::pack::library::{LibraryMap, Origin};

/// A map in use: a library entry, or a working copy in which its Lua runs.
#[derive(Debug)]
pub struct MapCell {
    /// The definition.
    pub def: RefCell<MapDef>,
    /// Whether it is being compiled.
    pub validating: Cell<bool>,
    /// Where it is written.
    pub origin: Origin,
    /// What this run shows of its glyphs, if that is noted.
    pub(crate) notes: RefCell<Option<RunNotes>>,
    /// Which lines have written its cells in this run, if that is noted.
    pub(crate) lines: RefCell<Option<CellLines>>,
}

impl MapCell {
    /// Returns a working copy of a listed map.
    pub(crate) fn of(listed: &LibraryMap) -> Rc<MapCell> {
        MapCell::new(listed.definition.clone(), listed.origin)
    }

    /// Returns a map in use.
    pub fn new(def: MapDef, origin: Origin) -> Rc<MapCell> {
        Rc::new(MapCell {
            def: RefCell::new(def),
            validating: Cell::new(false),
            origin,
            notes: RefCell::default(),
            lines: RefCell::default(),
        })
    }

    /// Notes for whoever checks the map what it does without, once.
    pub(crate) fn lose(&self, lost: LostSpec) {
        let all = &mut self.def.borrow_mut().lost;
        if !all.contains(&lost) {
            all.push(lost);
        }
    }
}
