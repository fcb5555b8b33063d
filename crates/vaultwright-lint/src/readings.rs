//! What lints read in the Lua of maps and files, kept for others that ask the same.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use vaultwright_engine::{Origin, SourceFile};
use vaultwright_syntax::ChunkKind;

use crate::glyphs::{Glyphs, Reading};
use crate::lua;

/// What has been read so far of the files of one library.
#[derive(Default)]
pub(crate) struct Readings {
    /// The glyphs in the Lua before the maps of files.
    preludes: RefCell<HashMap<(*const SourceFile, Reading), Glyphs>>,
    /// The pieces of main chunks that do not depend on Lua.
    always: RefCell<HashMap<Origin, Rc<HashSet<usize>>>>,
}

impl Readings {
    /// Returns the glyphs in the Lua before the maps of a file, which `read` reads.
    pub(crate) fn prelude(
        &self,
        file: &Arc<SourceFile>,
        reading: Reading,
        read: impl FnOnce() -> Glyphs,
    ) -> Glyphs {
        let mut preludes = self.preludes.borrow_mut();
        preludes.entry((Arc::as_ptr(file), reading)).or_insert_with(read).clone()
    }

    /// Returns the numbers of the pieces of a map's main chunk that do not depend on Lua.
    pub(crate) fn always_run(&self, file: &SourceFile, origin: Origin) -> Rc<HashSet<usize>> {
        match self.always.borrow_mut().entry(origin) {
            Entry::Occupied(known) => Rc::clone(known.get()),
            Entry::Vacant(free) => {
                let main = file.map(origin.map).chunk(ChunkKind::Main);
                Rc::clone(free.insert(Rc::new(lua::always_run(main, &file.source.text))))
            }
        }
    }
}
