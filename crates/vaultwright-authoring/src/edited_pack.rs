//! A loaded pack, with files as they are in editors.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright::lint::{self, KeptFindings};
use vaultwright::syntax::Source;
use vaultwright::{Engine, Problem, ReachedMaps, SourceFile, reachable_maps, read_source};

/// The reason why something cannot be opened, as a message.
pub type OpenError = Box<dyn std::error::Error>;

/// How the program opens a pack.
pub trait PackOpener {
    /// Decides which pack the open files belong to.
    ///
    /// # Errors
    ///
    /// If they belong to several packs.
    fn settle(&mut self, opened: &[PathBuf]) -> Result<(), OpenError>;
    /// Returns what tells the pack that is settled from others.
    fn root(&self) -> String {
        String::new()
    }
    /// Returns an engine without maps.
    ///
    /// # Errors
    ///
    /// If the tables of the pack cannot be read.
    fn engine(&self) -> Result<Engine, OpenError>;
    /// Returns the sources of the pack as they are on disk.
    ///
    /// # Errors
    ///
    /// If a source cannot be read.
    fn sources(&self) -> Result<Vec<Source>, OpenError>;
    /// Returns the sources of the opened files, unless all of them belong to the pack.
    ///
    /// # Errors
    ///
    /// If a source cannot be read.
    fn own_sources(&self) -> Result<Vec<Source>, OpenError>;
    /// Compiles all maps, or loads the result of an earlier compilation.
    fn load(&self, engine: &mut Engine, sources: Vec<Source>);
}

/// How much of the pack is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The maps of the files in editors, and the maps that these may contain.
    File,
    /// All maps.
    Pack,
}

/// A loaded pack, with files as they are in editors.
pub struct EditedPack {
    engine: Engine,
    /// The sources on disk.
    sources: Vec<Source>,
    /// The names of sources by path.
    names: HashMap<PathBuf, Arc<str>>,
    /// The files in editors, with their current text; in order, so that what is not of the pack is
    /// loaded in the same order each time.
    written: BTreeMap<Arc<str>, Source>,
    /// Whether all maps are loaded, or only those that the files in editors need.
    is_whole: bool,
    /// Whether the engine contains something that is neither on disk nor in an editor.
    is_stale: bool,
    kept: KeptFindings,
}

impl EditedPack {
    /// Loads a pack.
    ///
    /// # Errors
    ///
    /// If the pack cannot be read.
    pub fn open(opener: &dyn PackOpener) -> Result<EditedPack, OpenError> {
        let mut sources = opener.sources()?;
        let mut names: HashMap<PathBuf, Arc<str>> = HashMap::new();
        for source in &sources {
            if let Ok(path) = Path::new(&*source.name).canonicalize() {
                names.insert(path, Arc::clone(&source.name));
            }
        }
        let mut engine = new_engine(opener)?;
        opener.load(&mut engine, sources.clone());
        // The compilation of the pack may be cached, but files being edited change all the time.
        let mut is_added = true;
        for mut source in opener.own_sources()? {
            if let Ok(path) = Path::new(&*source.name).canonicalize() {
                source.name = Arc::clone(names.entry(path).or_insert(source.name));
            }
            match sources.iter_mut().find(|other| other.name == source.name) {
                Some(same) if same.text == source.text => continue,
                Some(same) => *same = source.clone(),
                None => sources.push(source.clone()),
            }
            is_added = is_added && engine.reload_file(source).is_some();
        }
        if !is_added {
            engine = new_engine(opener)?;
            opener.load(&mut engine, sources.clone());
        }
        engine.take_messages();
        Ok(EditedPack {
            engine,
            sources,
            names,
            written: BTreeMap::new(),
            is_whole: true,
            is_stale: false,
            kept: KeptFindings::default(),
        })
    }

    /// Returns the engine, in which files are as they are in editors.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Returns the engine, dropping the rest.
    #[must_use]
    pub fn into_engine(self) -> Engine {
        self.engine
    }

    /// Returns whether all maps are loaded, or only those that the files in editors need.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the name of a file in the pack, or its path if it does not belong to the pack.
    #[must_use]
    pub fn name_of(&self, path: &Path) -> Arc<str> {
        let known = || path.canonicalize().ok().and_then(|path| self.names.get(&path));
        let known = self.names.get(path).or_else(known);
        known.cloned().unwrap_or_else(|| path.to_string_lossy().into())
    }

    /// Replaces the text of a file.
    ///
    /// # Errors
    ///
    /// If the file's Lua outside maps has changed and a new engine cannot be created.
    pub fn take_up(
        &mut self,
        opener: &dyn PackOpener,
        source: Source,
        need: Need,
    ) -> Result<(), OpenError> {
        let before = self.written.insert(Arc::clone(&source.name), source.clone());
        let is_enough = self.is_whole || (need == Need::File && before.is_some());
        let is_there = before.is_some_and(|before| before.text == source.text);
        if is_enough && !self.is_stale {
            if is_there {
                return Ok(());
            }
            if self.engine.reload_file(source).is_some() {
                self.engine.take_messages();
                return Ok(());
            }
        }
        self.begin_anew(opener, need)
    }

    /// Restores a file to its state on disk, since it is closed in all editors.
    pub fn put_back(&mut self, name: &Arc<str>, on_disk: Option<Source>) {
        self.written.remove(name);
        let source = on_disk.unwrap_or_else(|| Source::new(Arc::clone(name), Vec::new()));
        match self.sources.iter_mut().find(|other| other.name == *name) {
            Some(slot) => *slot = source.clone(),
            None => self.sources.push(source.clone()),
        }
        // If its Lua outside maps differs, the engine is created anew for the next edited file.
        self.is_stale |= self.engine.reload_file(source).is_none();
    }

    /// Restores all files but one to their state on disk.
    pub fn put_back_all_but(&mut self, name: &str) {
        let others: Vec<Arc<str>> =
            self.written.keys().filter(|other| ***other != *name).cloned().collect();
        for other in others {
            let on_disk = self.sources.iter().find(|source| source.name == other).cloned();
            self.put_back(&other, on_disk);
        }
    }

    /// Reloads a file that has changed on disk. Returns false if the pack must be opened again.
    pub fn read_again(&mut self, path: &Path) -> bool {
        let known = path.canonicalize().ok().and_then(|path| self.names.get(&path));
        let Some(name) = known.or_else(|| self.names.get(path)).cloned() else {
            // Other files may refer to what is in a new file.
            return path.is_symlink() || !path.is_file();
        };
        let Ok(mut source) = read_source(path) else { return false };
        source.name = Arc::clone(&name);
        let Some(slot) = self.sources.iter_mut().find(|other| other.name == name) else {
            return false;
        };
        if slot.text == source.text {
            return true;
        }
        *slot = source.clone();
        self.written.contains_key(&name)
            || (self.is_whole && self.engine.reload_file(source).is_some())
    }

    /// Reads all files again that have changed on the disk. Returns false if the pack has to be
    /// opened anew: files have come or gone, or Lua outside maps has changed.
    pub fn look_again(&mut self, opener: &dyn PackOpener) -> bool {
        let Ok(now) = opener.sources() else { return false };
        let texts: HashMap<&str, &Source> =
            now.iter().map(|source| (&*source.name, source)).collect();
        // Files that are not of the pack are there as they were when they were closed.
        let is_gone = |before: &Source| {
            !texts.contains_key(&*before.name)
                && self.names.values().any(|name| *name == before.name)
        };
        if self.sources.iter().any(is_gone) {
            return false;
        }
        for source in &now {
            let before = self.sources.iter_mut().find(|before| before.name == source.name);
            let Some(before) = before else { return false };
            if before.text == source.text {
                continue;
            }
            *before = source.clone();
            let is_taken_up = self.written.contains_key(&source.name)
                || (self.is_whole && self.engine.reload_file(source.clone()).is_some());
            if !is_taken_up {
                return false;
            }
        }
        self.engine.take_messages();
        true
    }

    /// Returns what compiling has found in a file.
    #[must_use]
    pub fn problems(&self, name: &str) -> Vec<Problem> {
        self.engine.problems_in(name)
    }

    /// Returns what `check` finds in a file.
    pub fn findings(&mut self, name: &str) -> Vec<Problem> {
        let problems = self.engine.problems_in(name);
        let is_own = |other: &SourceFile| *other.source.name == *name;
        let problems = lint::findings_keeping(&mut self.engine, problems, &is_own, &mut self.kept);
        let library = self.engine.library();
        let problems = lint::without_allowed(problems, &library.files, &is_own);
        let problems = lint::in_order(problems);
        self.engine.take_messages();
        problems
    }

    /// Starts with a new engine, with all maps or with those that files in editors contain or may
    /// contain. This is needed if Lua outside maps has changed, so that all of it must run again.
    fn begin_anew(&mut self, opener: &dyn PackOpener, need: Need) -> Result<(), OpenError> {
        let mut sources = self.sources.clone();
        for source in self.written.values() {
            match sources.iter_mut().find(|other| other.name == source.name) {
                Some(slot) => *slot = source.clone(),
                None => sources.push(source.clone()),
            }
        }
        let mut engine = new_engine(opener)?;
        self.is_whole = need == Need::Pack;
        let files: Vec<Arc<SourceFile>> =
            sources.into_iter().map(|source| Arc::new(SourceFile::new(source))).collect();
        let reached = match need {
            Need::Pack => ReachedMaps::default(),
            Need::File => reachable_maps(&files, &self.written_maps(&files)),
        };
        engine.load_files(files.clone(), &mut |file, map| {
            need == Need::Pack
                || self.written.contains_key(&file.source.name)
                || reached.contain(file, map)
        });
        engine.take_messages();
        self.engine = engine;
        self.is_stale = false;
        self.kept = KeptFindings::default();
        Ok(())
    }

    /// Returns the names of the maps in files that are in editors.
    fn written_maps(&self, files: &[Arc<SourceFile>]) -> Vec<String> {
        let own = files.iter().filter(|file| self.written.contains_key(&file.source.name));
        let names = own.flat_map(|file| {
            let text = &file.source.text;
            file.tree.maps.iter().map(|map| map.name.str(text).into_owned())
        });
        names.collect()
    }
}

fn new_engine(opener: &dyn PackOpener) -> Result<Engine, OpenError> {
    let mut engine = opener.engine()?;
    engine.note_glyphs();
    Ok(engine)
}
