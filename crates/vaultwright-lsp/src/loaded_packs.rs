//! The packs that open files belong to, each loaded when it is first needed.

use std::path::PathBuf;

use vaultwright::read_source;
use vaultwright::syntax::Source;
use vaultwright_authoring::{EditedPack, OpenError, PackOpener};

use crate::documents::Open;

/// The most packs that are loaded at once.
const MAX_PACKS: usize = 4;

/// A loaded pack.
pub struct LoadedPack {
    /// Tells it from all that were loaded before.
    pub number: u64,
    pub pack: EditedPack,
    /// What the opener calls it.
    root: String,
    /// The files by which the opener finds it.
    at: Vec<PathBuf>,
}

/// The loaded packs, the one that was used last first.
pub struct LoadedPacks<'d> {
    opener: &'d mut dyn PackOpener,
    packs: Vec<LoadedPack>,
    /// How many have been loaded so far.
    count: u64,
}

impl<'d> LoadedPacks<'d> {
    pub fn new(opener: &'d mut dyn PackOpener) -> LoadedPacks<'d> {
        LoadedPacks { opener, packs: Vec::new(), count: 0 }
    }

    /// Returns the pack that files belong to, loaded if it is not, and the opener that loads it.
    ///
    /// # Errors
    ///
    /// If they belong to several, or the pack cannot be loaded.
    pub fn of_files(
        &mut self,
        at: Vec<PathBuf>,
    ) -> Result<(&mut LoadedPack, &dyn PackOpener), OpenError> {
        self.opener.settle(&at)?;
        let root = self.opener.root();
        let loaded = match self.packs.iter().position(|loaded| loaded.root == root) {
            Some(index) => self.packs.remove(index),
            None => {
                let pack = EditedPack::open(&*self.opener)?;
                self.count += 1;
                LoadedPack { number: self.count, pack, root, at }
            }
        };
        self.packs.insert(0, loaded);
        self.packs.truncate(MAX_PACKS);
        Ok((&mut self.packs[0], &*self.opener))
    }

    /// Returns the pack that was used last.
    pub fn latest(&mut self) -> Option<&mut LoadedPack> {
        self.packs.first_mut()
    }

    /// Returns whether a pack has a file as the editor has it.
    pub fn have(&self, open: &Open) -> bool {
        let is_loaded = |number| self.packs.iter().any(|loaded| loaded.number == number);
        !open.is_changed() && open.pack.is_some_and(is_loaded)
    }

    /// Puts a file back as it lies on the disk, which the editor has closed.
    pub fn put_back(&mut self, open: Open) {
        let loaded = self.packs.iter_mut().find(|loaded| Some(loaded.number) == open.pack);
        let (Some(loaded), Some(name)) = (loaded, open.name) else { return };
        let on_disk = open.path.and_then(|path| read_source(&path).ok());
        loaded.pack.put_back(&name, on_disk.map(|source| Source { name: name.clone(), ..source }));
    }

    /// Reads again what has changed on the disk. Packs that have other files than before are
    /// loaded anew when they are needed.
    pub fn look_again(&mut self) {
        let opener = &mut *self.opener;
        self.packs.retain_mut(|loaded| {
            let is_there = opener.settle(&loaded.at).is_ok() && opener.root() == loaded.root;
            is_there && loaded.pack.look_again(&*opener)
        });
    }

    /// Forgets all packs: their libraries or tables may have changed.
    pub fn forget(&mut self) {
        self.packs.clear();
    }
}
