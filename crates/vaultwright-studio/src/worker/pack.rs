//! The pack of a worker, and the file that is being edited.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use vaultwright::map::MapId;
use vaultwright::render::TileSet;
use vaultwright::syntax::Source;
use vaultwright::{Engine, Problem};
use vaultwright_authoring::EditedPack;
pub use vaultwright_authoring::Need;

use super::fault::Fault;
use super::folder_opener::FolderOpener;
use super::params;
use crate::INSIDE;

/// The engine with the whole pack, in which one file at a time is as a page has it.
pub struct WorkerPack<'w> {
    opener: &'w dyn FolderOpener,
    open: Option<EditedPack>,
    /// Which files have changed on the disk since they were read.
    stale: Vec<PathBuf>,
    /// The game's tiles, with their folder.
    tiles: Option<(PathBuf, Arc<TileSet>)>,
}

impl<'w> WorkerPack<'w> {
    pub fn new(opener: &'w dyn FolderOpener) -> WorkerPack<'w> {
        WorkerPack { opener, open: None, stale: Vec::new(), tiles: None }
    }

    pub fn opener(&self) -> &'w dyn FolderOpener {
        self.opener
    }

    pub fn note_changed(&mut self, paths: &[PathBuf]) {
        self.stale.extend_from_slice(paths);
    }

    /// Returns the engine with the whole pack.
    pub fn whole(&mut self) -> Result<&mut Engine, Fault> {
        self.refresh();
        if self.open.as_ref().is_some_and(|open| !open.is_whole()) {
            self.open = None;
        }
        Ok(self.opened()?.engine())
    }

    /// Returns the engine in which a file is as the page has it, and the problems of that file.
    pub fn with_file(
        &mut self,
        params: &Value,
        need: Need,
    ) -> Result<(&mut Engine, FileHere), Fault> {
        let name = self.take_up(params, need)?;
        let open = self.opened()?;
        let problems = open.problems(&name);
        Ok((open.engine(), FileHere { name, problems }))
    }

    /// Returns the engine in which a file is as the page has it, and what `check` finds in it.
    pub fn with_findings(&mut self, params: &Value) -> Result<(&mut Engine, FileHere), Fault> {
        let name = self.take_up(params, Need::Pack)?;
        let open = self.opened()?;
        let problems = open.findings(&name);
        Ok((open.engine(), FileHere { name, problems }))
    }

    /// Returns the engine and the index of the map that a request is about.
    pub fn with_map(&mut self, params: &Value, need: Need) -> Result<(&mut Engine, MapId), Fault> {
        let map = params::word(params, "map")?.to_owned();
        let (engine, file) = self.with_file(params, need)?;
        let library = engine.library();
        match library.find(&map) {
            Some(index) => Ok((engine, index)),
            None => Err(match library.find_broken(&map) {
                Some(broken) => Fault::of(&broken.problem),
                None => match file.problems.first() {
                    Some(problem) => Fault::of(problem),
                    None => Fault::new(format!("no map is named '{map}'")),
                },
            }),
        }
    }

    /// Returns the game's tiles, where the tree has them.
    pub fn tiles(&mut self) -> Option<Arc<TileSet>> {
        let folder = self.opened().ok()?.engine().tile_folder()?;
        if self.tiles.as_ref().is_none_or(|(known, _)| *known != folder) {
            self.tiles = Some((folder.clone(), Arc::new(TileSet::open(&folder).ok()?)));
        }
        self.tiles.as_ref().map(|(_, tiles)| Arc::clone(tiles))
    }

    /// Returns the engine itself; the next request opens the pack anew.
    pub fn take_engine(&mut self) -> Result<Engine, Fault> {
        let open = self.open.take().ok_or_else(|| Fault::new("no pack is open"))?;
        Ok(open.into_engine())
    }

    /// Returns the pack, opened when it is first needed.
    fn opened(&mut self) -> Result<&mut EditedPack, Fault> {
        if self.open.is_none() {
            self.open = Some(EditedPack::open(self.opener)?);
        }
        self.open.as_mut().ok_or_else(|| Fault::new("no pack is open"))
    }

    /// Puts the file of a page in its place. Returns its name.
    fn take_up(&mut self, params: &Value, need: Need) -> Result<Arc<str>, Fault> {
        let file = params::file(params)?;
        self.refresh();
        let opener = self.opener;
        let path = self.path_of(&file.path)?;
        let open = self.opened()?;
        let name = match path {
            Some(path) => open.name_of(&path),
            None => file.path.trim_start_matches(INSIDE).into(),
        };
        open.put_back_all_but(&name);
        open.take_up(opener, Source::new(Arc::clone(&name), file.bytes), need)?;
        Ok(name)
    }

    /// Reads what has changed on the disk.
    fn refresh(&mut self) {
        let stale = std::mem::take(&mut self.stale);
        let Some(open) = &mut self.open else { return };
        let mut is_known = true;
        for path in stale {
            is_known &= open.read_again(&path);
        }
        if !is_known {
            self.open = None;
        }
    }

    /// Returns where the file lies that a page means; `None` of one inside the program.
    fn path_of(&self, path: &str) -> Result<Option<PathBuf>, Fault> {
        if path.starts_with(INSIDE) {
            return Ok(None);
        }
        if path.split(['/', '\\']).any(|part| part == "..") || Path::new(path).is_absolute() {
            return Err(Fault::new("only files of the opened folder"));
        }
        Ok(Some(self.opener.folder().join(path)))
    }
}

/// A file as a page has it, in the engine.
pub struct FileHere {
    pub name: Arc<str>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}
