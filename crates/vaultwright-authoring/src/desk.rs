//! A pack that is loaded, with files in it as editors have them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright::syntax::Source;
use vaultwright::{Engine, Problem, SourceFile, lint, reachable_maps};

/// Why something cannot be opened, in words.
pub type DoorError = Box<dyn std::error::Error>;

/// The program's ways to open a pack.
pub trait PackDoor {
    /// Settles which pack the files belong to that somebody has opened.
    ///
    /// # Errors
    ///
    /// If they belong to several.
    fn settle(&mut self, opened: &[PathBuf]) -> Result<(), DoorError>;
    /// Returns an engine without maps.
    ///
    /// # Errors
    ///
    /// If the tables of the pack cannot be read.
    fn engine(&self) -> Result<Engine, DoorError>;
    /// Returns the sources of the pack as they are on the disk.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn sources(&self) -> Result<Vec<Source>, DoorError>;
    /// Compiles all maps, or takes up what was made of them before.
    fn load(&self, engine: &mut Engine, sources: Vec<Source>);
}

/// A loaded pack, with files in it as editors have them.
pub struct Desk {
    engine: Engine,
    /// What lies on the disk.
    sources: Vec<Source>,
    /// The names of sources by where they lie.
    names: HashMap<PathBuf, Arc<str>>,
    /// The problems that compiling found, of the files that an editor has.
    written: HashMap<Arc<str>, Vec<Problem>>,
}

impl Desk {
    /// Loads a pack.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(door: &dyn PackDoor) -> Result<Desk, DoorError> {
        let sources = door.sources()?;
        let mut engine = door.engine()?;
        engine.note_glyphs();
        door.load(&mut engine, sources.clone());
        engine.take_messages();
        let named = |source: &Source| {
            let path = Path::new(&*source.name).canonicalize().ok()?;
            Some((path, Arc::clone(&source.name)))
        };
        let names = sources.iter().filter_map(named).collect();
        Ok(Desk { engine, sources, names, written: HashMap::new() })
    }

    /// Returns the engine, in which files are as editors have them.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Returns what a file is called in the pack; its path, if it is not of the pack.
    #[must_use]
    pub fn name_of(&self, path: &Path) -> Arc<str> {
        let known = path.canonicalize().ok().and_then(|path| self.names.get(&path));
        known.cloned().unwrap_or_else(|| path.to_string_lossy().into())
    }

    /// Puts a text in the place of a file.
    ///
    /// # Errors
    ///
    /// If its Lua outside maps has changed, and a new engine cannot be made.
    pub fn take_up(&mut self, door: &dyn PackDoor, source: Source) -> Result<(), DoorError> {
        let name = Arc::clone(&source.name);
        let problems = match self.engine.reload_file(source.clone()) {
            Some(problems) => problems,
            None => self.begin_anew(door, source)?,
        };
        self.engine.take_messages();
        self.written.insert(name, problems);
        Ok(())
    }

    /// Puts a file back as it lies on the disk, since no editor has it any more.
    pub fn put_back(&mut self, name: &Arc<str>, on_disk: Option<Source>) {
        self.written.remove(name);
        let source = on_disk.unwrap_or_else(|| Source::new(Arc::clone(name), Vec::new()));
        match self.sources.iter_mut().find(|other| other.name == *name) {
            Some(slot) => *slot = source.clone(),
            None => self.sources.push(source.clone()),
        }
        // If its Lua outside maps is another, the engine is made anew for the next file that is
        // edited.
        let _ = self.engine.reload_file(source);
    }

    /// Returns what `check` finds in a file that was taken up.
    pub fn findings(&mut self, name: &str) -> Vec<Problem> {
        let Some(problems) = self.written.get(name).cloned() else { return Vec::new() };
        let is_own = |other: &SourceFile| *other.source.name == *name;
        let problems = lint::findings(&mut self.engine, problems, &is_own);
        let library = self.engine.library();
        let problems = lint::without_allowed(problems, &library.files, &is_own);
        let problems = lint::sorted(problems, &self.engine);
        self.engine.take_messages();
        problems
    }

    /// A new engine with the maps that the file has and those that these may hold: its Lua outside
    /// maps has changed, so that all of it has to run again.
    fn begin_anew(
        &mut self,
        door: &dyn PackDoor,
        source: Source,
    ) -> Result<Vec<Problem>, DoorError> {
        let name = Arc::clone(&source.name);
        match self.sources.iter_mut().find(|other| other.name == name) {
            Some(slot) => *slot = source,
            None => self.sources.push(source),
        }
        let mut engine = door.engine()?;
        engine.note_glyphs();
        let files: Vec<Arc<SourceFile>> =
            self.sources.iter().map(|source| Arc::new(SourceFile::new(source.clone()))).collect();
        let is_written = |file: &SourceFile| {
            file.source.name == name || self.written.contains_key(&file.source.name)
        };
        let wanted: Vec<String> =
            files.iter().filter(|file| is_written(file)).flat_map(|file| names_in(file)).collect();
        let reached = reachable_maps(&files, &wanted);
        let index_of =
            |file: &SourceFile| files.iter().position(|f| f.source.name == file.source.name);
        let problems = engine.load_files(files.clone(), &mut |file, map| {
            is_written(file) || index_of(file).is_some_and(|index| reached.contains(&(index, map)))
        });
        self.engine = engine;
        let own = |written: &str| -> Vec<Problem> {
            problems
                .iter()
                .filter(|problem| *problem.file.source.name == *written)
                .cloned()
                .collect()
        };
        for (written, problems) in &mut self.written {
            *problems = own(written);
        }
        Ok(own(&name))
    }
}

fn names_in(file: &SourceFile) -> Vec<String> {
    let text = &file.source.text;
    file.tree.maps.iter().map(|map| map.name.str(text).into_owned()).collect()
}
