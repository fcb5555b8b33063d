//! A map in use.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use vaultwright_lua::Frame;
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
    /// What Lua has said in vain as headers do while the map was compiled, and where.
    pub(crate) said: RefCell<Vec<(Vec<u8>, Frame)>>,
}

/// How much of what Lua says is kept: texts, and bytes of each.
const MAX_SAID: usize = 200;
const MAX_SAID_BYTES: usize = 2_000;

impl MapCell {
    /// Returns a working copy of a listed map.
    pub(crate) fn of(listed: &LibraryMap) -> Rc<MapCell> {
        MapCell::new(listed.selection.map(), listed.origin)
    }

    /// Returns a map in use.
    pub fn new(def: MapDef, origin: Origin) -> Rc<MapCell> {
        Rc::new(MapCell {
            def: RefCell::new(def),
            validating: Cell::new(false),
            origin,
            notes: RefCell::default(),
            lines: RefCell::default(),
            said: RefCell::default(),
        })
    }

    /// Carries out what Lua says as a header does, and notes it if the map that is compiled has
    /// more losses behind it; `call` tells where it is said.
    pub(crate) fn say<E>(
        &self,
        text: &[u8],
        statement: impl FnOnce() -> Result<(), E>,
        call: impl FnOnce() -> Option<Frame>,
    ) -> Result<(), E> {
        let losses = self.losses();
        statement()?;
        if self.losses() != losses {
            self.note_said(text, call);
        }
        Ok(())
    }

    /// Returns a number that is higher behind each statement that says something in vain, while
    /// the map is compiled.
    pub(crate) fn losses(&self) -> usize {
        if self.validating.get() { self.def.borrow().losses() } else { 0 }
    }

    /// Notes what Lua has said in vain.
    pub(crate) fn note_said(&self, text: &[u8], call: impl FnOnce() -> Option<Frame>) {
        if text.len() <= MAX_SAID_BYTES && self.said.borrow().len() < MAX_SAID {
            let call = call().map(|call| (text.to_vec(), call));
            self.said.borrow_mut().extend(call);
        }
    }

    /// Returns the first call in which Lua has said something.
    pub(crate) fn call_that_says(&self, words: &str) -> Option<Frame> {
        let said = self.said.borrow();
        let says = |text: &[u8]| {
            !words.is_empty() && text.windows(words.len()).any(|part| part == words.as_bytes())
        };
        said.iter().find(|(text, _)| says(text)).map(|(_, call)| call.clone())
    }

    /// Notes for whoever checks the map what it does without, once.
    pub(crate) fn lose(&self, lost: LostSpec) {
        let all = &mut self.def.borrow_mut().lost;
        if !all.contains(&lost) {
            all.push(lost);
        }
    }
}
