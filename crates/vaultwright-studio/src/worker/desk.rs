//! The engine of a worker, and the file somebody is writing.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use vaultwright::syntax::Source;
use vaultwright::{Engine, Problem, SourceFile, reachable_maps, read_source};

use super::fault::Fault;
use super::params::{self, FileParam};
use super::workshop::Workshop;

/// The engine with the whole pack, in which one file at a time is as a page has it.
pub struct Desk<'w> {
    shop: &'w dyn Workshop,
    open: Option<Open>,
    /// Which files have changed on the disk since they were read.
    stale: Vec<PathBuf>,
}

struct Open {
    engine: Engine,
    /// What lies on the disk.
    sources: Vec<Source>,
    /// The names of sources by where they lie.
    names: HashMap<PathBuf, Arc<str>>,
    /// The file that is as a page has it.
    written: Option<Written>,
    /// Whether all maps are loaded, or only those that the file needs.
    whole: bool,
}

struct Written {
    name: Arc<str>,
    hash: u64,
    problems: Vec<Problem>,
}

/// How much of the pack a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The maps of a file, and those they may hold.
    File,
    /// All maps.
    Pack,
}

impl<'w> Desk<'w> {
    pub fn new(shop: &'w dyn Workshop) -> Desk<'w> {
        Desk { shop, open: None, stale: Vec::new() }
    }

    pub fn shop(&self) -> &'w dyn Workshop {
        self.shop
    }

    pub fn note_changed(&mut self, paths: &[PathBuf]) {
        self.stale.extend_from_slice(paths);
    }

    /// The engine with the whole pack.
    pub fn pack(&mut self) -> Result<&mut Engine, Fault> {
        self.refresh()?;
        if self.open.as_ref().is_none_or(|open| !open.whole) {
            self.open = None;
            self.open_pack()?;
        }
        Ok(&mut self.opened()?.engine)
    }

    /// The engine in which a file is as the page has it, and the problems of that file.
    pub fn with_file(
        &mut self,
        params: &Value,
        need: Need,
    ) -> Result<(&mut Engine, FileHere), Fault> {
        let file = params::file(params)?;
        self.refresh()?;
        self.open_pack()?;
        let shop = self.shop;
        let name = self.name_of(&file.path)?;
        let hash = hash_of(&file.bytes);
        let open = self.opened()?;
        let is_there = |written: &Written| written.name == name && written.hash == hash;
        let enough = open.whole || need == Need::File;
        if !(enough && open.written.as_ref().is_some_and(is_there)) {
            open.take_up(shop, &name, file, hash, need)?;
        }
        let problems = open.written.as_ref().map_or(Vec::new(), |written| written.problems.clone());
        Ok((&mut open.engine, FileHere { name, problems }))
    }

    /// The engine and the index of the map that a request is about.
    pub fn with_map(&mut self, params: &Value, need: Need) -> Result<(&mut Engine, usize), Fault> {
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

    /// The engine itself; the next request opens the pack anew.
    pub fn take_engine(&mut self) -> Result<Engine, Fault> {
        let open = self.open.take().ok_or_else(|| Fault::new("no pack is open"))?;
        Ok(open.engine)
    }

    fn opened(&mut self) -> Result<&mut Open, Fault> {
        self.open.as_mut().ok_or_else(|| Fault::new("no pack is open"))
    }

    fn open_pack(&mut self) -> Result<(), Fault> {
        if self.open.is_some() {
            return Ok(());
        }
        let shop = self.shop;
        let mut sources = shop.sources()?;
        let mut names: HashMap<PathBuf, Arc<str>> = HashMap::new();
        for source in &sources {
            if let Ok(path) = Path::new(&*source.name).canonicalize() {
                names.insert(path, Arc::clone(&source.name));
            }
        }
        let mut engine = shop.engine()?;
        engine.note_glyphs();
        shop.load(&mut engine, sources.clone());
        // The pack may be kept as it was compiled; what is being written changes all the time.
        let mut added = true;
        for mut source in shop.own_sources()? {
            let path = Path::new(&*source.name).canonicalize().ok();
            if let Some(path) = path {
                source.name = Arc::clone(names.entry(path).or_insert(source.name));
            }
            match sources.iter_mut().find(|other| other.name == source.name) {
                Some(same) if same.text == source.text => continue,
                Some(same) => *same = source.clone(),
                None => sources.push(source.clone()),
            }
            added = added && engine.reload_file(source).is_some();
        }
        if !added {
            engine = shop.engine()?;
            engine.note_glyphs();
            shop.load(&mut engine, sources.clone());
        }
        engine.take_messages();
        self.open = Some(Open { engine, sources, names, written: None, whole: true });
        Ok(())
    }

    /// Reads what has changed on the disk.
    fn refresh(&mut self) -> Result<(), Fault> {
        let stale = std::mem::take(&mut self.stale);
        let Some(open) = &mut self.open else { return Ok(()) };
        let mut known = true;
        for path in stale {
            known &= open.read_again(&path);
        }
        if !known {
            self.open = None;
        }
        Ok(())
    }

    /// The name of the source that a page means.
    fn name_of(&self, path: &str) -> Result<Arc<str>, Fault> {
        if let Some(inside) = path.strip_prefix("pack:") {
            return Ok(inside.into());
        }
        if path.split(['/', '\\']).any(|part| part == "..") || Path::new(path).is_absolute() {
            return Err(Fault::new("only files of the opened folder"));
        }
        let whole = self.shop.folder().join(path);
        let known = self.open.as_ref().and_then(|open| open.names.get(&whole));
        Ok(known.map_or_else(|| whole.to_string_lossy().into(), Arc::clone))
    }
}

/// A file as a page has it, in the engine.
pub struct FileHere {
    pub name: Arc<str>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl Open {
    /// Puts a text in the place of a file.
    fn take_up(
        &mut self,
        shop: &dyn Workshop,
        name: &Arc<str>,
        file: FileParam,
        hash: u64,
        need: Need,
    ) -> Result<(), Fault> {
        let source = Source::new(Arc::clone(name), file.bytes);
        let enough = self.whole || need == Need::File && self.is_written(name);
        let mut problems = enough.then_some(()).and_then(|()| {
            self.put_back(name).then_some(())?;
            self.engine.reload_file(source.clone())
        });
        if problems.is_none() {
            problems = Some(self.begin_anew(shop, source, need)?);
        }
        let problems = problems.unwrap_or_default();
        self.engine.take_messages();
        self.written = Some(Written { name: Arc::clone(name), hash, problems });
        Ok(())
    }

    fn is_written(&self, name: &str) -> bool {
        self.written.as_ref().is_some_and(|written| *written.name == *name)
    }

    /// Puts the file that was written before back as it lies on the disk, unless it is this one;
    /// false if the engine has to be made anew for it.
    fn put_back(&mut self, but: &str) -> bool {
        if self.written.is_none() || self.is_written(but) {
            return true;
        }
        let Some(written) = self.written.take() else { return true };
        let on_disk = self.sources.iter().find(|source| source.name == written.name).cloned();
        let source = on_disk.unwrap_or_else(|| Source::new(written.name, Vec::new()));
        self.engine.reload_file(source).is_some()
    }

    /// A new engine, since Lua outside maps has changed.
    fn begin_anew(
        &mut self,
        shop: &dyn Workshop,
        source: Source,
        need: Need,
    ) -> Result<Vec<Problem>, Fault> {
        let name = Arc::clone(&source.name);
        let mut sources = self.sources.clone();
        match sources.iter_mut().find(|other| other.name == name) {
            Some(slot) => *slot = source,
            None => sources.push(source),
        }
        self.engine = shop.engine()?;
        self.engine.note_glyphs();
        self.whole = need == Need::Pack;
        let files: Vec<Arc<SourceFile>> =
            sources.into_iter().map(|source| Arc::new(SourceFile::new(source))).collect();
        let wanted = names_in(&files, &name);
        let reached = reachable_maps(&files, &wanted);
        let index_of =
            |file: &SourceFile| files.iter().position(|f| f.source.name == file.source.name);
        let problems = self.engine.load_files(files.clone(), &mut |file, map| {
            need == Need::Pack
                || *file.source.name == *name
                || index_of(file).is_some_and(|index| reached.contains(&(index, map)))
        });
        Ok(problems.into_iter().filter(|problem| problem.file.source.name == name).collect())
    }

    /// Reads a file again that has changed on the disk; false if the pack has to be opened anew.
    fn read_again(&mut self, path: &Path) -> bool {
        let known = path.canonicalize().ok().and_then(|path| self.names.get(&path));
        let Some(name) = known.or_else(|| self.names.get(path)).cloned() else {
            // A new file may have what others ask for.
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
        self.is_written(&name) || (self.whole && self.engine.reload_file(source).is_some())
    }
}

fn names_in(files: &[Arc<SourceFile>], name: &str) -> Vec<String> {
    let own = files.iter().filter(|file| *file.source.name == *name);
    let names = own.flat_map(|file| {
        let text = &file.source.text;
        file.tree.maps.iter().map(|map| map.name.str(text).into_owned())
    });
    names.collect()
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
