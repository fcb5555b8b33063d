//! Engines and libraries.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::slice;
use std::thread::{self, ThreadId};

use vaultwright::content::Edition;
use vaultwright::level::is_travelable;
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::syntax::Source;
use vaultwright::{
    BrokenMap, DataRoot, EngineOptions, Ground, LevelConditions, LevelError, Limits,
    PlaceConditions, Severity, SharedLibrary, Unnamed,
};

use crate::VW_ABI_VERSION;
use crate::level::{Level, Made};
use crate::status::{Failed, Status, at, at_mut, guarded, text_of};
use crate::text::c_text;

/// What an engine is made of. All zeros is the starter pack inside the library, with its own rules
/// and limits.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A pack, a clone of Crawl, or its `dat`; null for the starter pack, `none` for no vaults.
    pub data: *const c_char,
    /// The rules of a version, such as `0.28`; null to detect them.
    pub rules: *const c_char,
    /// Lua instructions that one chunk may run; 0 for 100 million.
    pub instructions: u64,
    /// Bytes that Lua may hold; 0 for 256 MiB.
    pub memory: u64,
    /// Whether monsters and items that a level leaves open are drawn, too.
    pub concrete: bool,
}

/// A feature, such as a wall.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its name.
    pub name: *const c_char,
    /// How text shows it, as a code point.
    pub glyph: u32,
    /// A wall, statue, closed door or the like: nobody can stand there.
    pub solid: bool,
    /// One can walk there without flying or swimming; true of closed doors, which can be opened.
    pub passable: bool,
}

/// What is wrong with a map, or with Lua outside maps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    /// Whether the map is left out for it.
    pub is_error: bool,
    /// The file.
    pub file: *const c_char,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What is wrong.
    pub message: *const c_char,
    /// The map; null outside maps.
    pub map: *const c_char,
}

/// A pack with the interpreter its scripts run in. It belongs to the thread that made it.
pub struct Engine {
    pub(crate) engine: vaultwright::Engine,
    thread: ThreadId,
    features: Vec<Feature>,
    problems: Vec<Problem>,
    /// What the problems tell of, for engines that are made of this one.
    found: Vec<vaultwright::Problem>,
    /// What the pointers of the two lead to.
    texts: Vec<CString>,
}

/// The compiled vaults of an engine, to make engines of other threads from. Any thread may use it.
pub struct Library {
    shared: SharedLibrary,
    problems: Vec<vaultwright::Problem>,
}

impl Engine {
    fn new(engine: vaultwright::Engine) -> Engine {
        let content = engine.content();
        let mut texts = Vec::new();
        let feature = |(id, feature): (_, &vaultwright::content::Feature)| {
            let (glyph, solid) = (feature.glyph.into(), feature.flags.solid());
            let name = kept(&mut texts, &feature.name);
            Feature { name, glyph, solid, passable: is_travelable(content, id) }
        };
        let features = content.features().iter().map(feature).collect();
        let (thread, problems, found) = (thread::current().id(), Vec::new(), Vec::new());
        Engine { engine, thread, features, problems, found, texts }
    }

    /// Compiles sources beside those that are there.
    fn add(&mut self, sources: Vec<Source>) {
        let found = self.engine.load(sources);
        self.tell(&found);
        // What scripts print is for authors, who have the program.
        self.engine.take_messages();
    }

    /// Adds problems to those that are told.
    fn tell(&mut self, found: &[vaultwright::Problem]) {
        for problem in found {
            let at = problem.file.lines.position(problem.span.start);
            self.problems.push(Problem {
                is_error: problem.severity == Severity::Error,
                file: kept(&mut self.texts, &problem.file.source.name),
                line: at.line,
                column: at.column,
                message: kept(&mut self.texts, &problem.message),
                map: problem.map.as_ref().map_or(null(), |map| kept(&mut self.texts, map)),
            });
        }
        self.found.extend_from_slice(found);
    }
}

/// Keeps a text, and returns where it lies. Growing the list moves the handles, not the texts.
fn kept(texts: &mut Vec<CString>, text: &str) -> *const c_char {
    let text = c_text(text);
    let at = text.as_ptr();
    texts.push(text);
    at
}

/// Returns the engine of a pointer, if it belongs to this thread.
pub(crate) fn own<'e>(engine: *mut Engine) -> Result<&'e mut Engine, Failed> {
    let engine = at_mut(engine, "the engine")?;
    if engine.thread == thread::current().id() {
        return Ok(engine);
    }
    let message =
        "the engine belongs to the thread that made it: make another one with vw_library_engine";
    Err(Failed(Status::VwWrongThread, message.to_owned()))
}

/// Makes an engine with the vaults of a pack. `abi` is `VW_ABI_VERSION`; `options` may be null.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_new(
    abi: u32,
    options: *const Options,
    engine: *mut *mut Engine,
) -> Status {
    guarded(|| {
        if abi != VW_ABI_VERSION {
            let message =
                format!("the program has header {abi}, the library header {VW_ABI_VERSION}");
            return Err(Failed(Status::VwWrongVersion, message));
        }
        let engine = at_mut(engine, "the place for the engine")?;
        let options = match options.is_null() {
            true => EngineOptions::default(),
            false => at(options, "the options").and_then(options_of)?,
        };
        let bad = |message: String| Failed(Status::VwBadPack, message);
        let made = vaultwright::Engine::new(options).map_err(|error| bad(error.to_string()))?;
        let sources = made.pack_sources().map_err(|error| bad(error.to_string()))?;
        let mut made = Engine::new(made);
        made.add(sources);
        *engine = Box::into_raw(Box::new(made));
        Ok(())
    })
}

fn options_of(options: &Options) -> Result<EngineOptions, Failed> {
    let mut made = EngineOptions { concrete: options.concrete, ..EngineOptions::default() };
    if !options.data.is_null() {
        let data = text_of(options.data, "the data")?;
        made.root = match data {
            "none" => DataRoot::Bare,
            folder => root_of(folder).map_err(|message| Failed(Status::VwBadPack, message))?,
        };
    }
    if !options.rules.is_null() {
        let rules = text_of(options.rules, "the rules")?;
        let edition = Edition::from_name(rules);
        made.edition = Some(edition.ok_or_else(|| {
            Failed(Status::VwBadArgument, format!("no rules are named '{rules}'"))
        })?);
    }
    let limits = Limits::default();
    let memory = usize::try_from(options.memory).unwrap_or(usize::MAX);
    made.limits = Limits {
        instructions: if options.instructions == 0 {
            limits.instructions
        } else {
            options.instructions
        },
        memory: if memory == 0 { limits.memory } else { memory },
        ..limits
    };
    Ok(made)
}

/// Returns the root that a folder is; else why it is none, in the words of the program.
fn root_of(folder: &str) -> Result<DataRoot, String> {
    if folder.is_empty() {
        return Err("the data is an empty text: the starter pack is null".to_owned());
    }
    DataRoot::asked_for(folder.as_ref()).map_err(|why| format!("{folder} {why}"))
}

/// Compiles vaults of a text beside those that are there; `name` is what problems call it. That it
/// has mistakes is no failure: `vw_engine_problems` tells them.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null; `text` to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_add_text(
    engine: *mut Engine,
    name: *const c_char,
    text: *const u8,
    length: usize,
) -> Status {
    guarded(|| {
        let engine = own(engine)?;
        let name = text_of(name, "the name")?;
        if text.is_null() && length > 0 || length > isize::MAX as usize {
            return Err(Failed(Status::VwBadArgument, "the text is missing".to_owned()));
        }
        let text = match length {
            0 => &[][..],
            // SAFETY: it is not null, and has so many bytes, which is the caller's promise.
            _ => unsafe { slice::from_raw_parts(text, length) },
        };
        engine.add(vec![Source::new(name, text)]);
        Ok(())
    })
}

/// Compiles the vaults of a file beside those that are there.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_add_file(engine: *mut Engine, path: *const c_char) -> Status {
    guarded(|| {
        let engine = own(engine)?;
        let path = text_of(path, "the path")?;
        let read = vaultwright::read_source(path.as_ref());
        let source = read.map_err(|error| Failed(Status::VwBadPack, error.to_string()))?;
        engine.add(vec![source]);
        Ok(())
    })
}

/// Returns what was wrong with the vaults when they were compiled; they are good until more are
/// added. Null for an engine of another thread.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_problems(
    engine: *mut Engine,
    count: *mut usize,
) -> *const Problem {
    list_of(engine, count, |engine| &engine.problems)
}

/// Returns the features by their numbers in `VwLevel.features`. Null for an engine of another
/// thread.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_features(
    engine: *mut Engine,
    count: *mut usize,
) -> *const Feature {
    list_of(engine, count, |engine| &engine.features)
}

fn list_of<T>(engine: *mut Engine, count: *mut usize, list: fn(&Engine) -> &Vec<T>) -> *const T {
    let mut first = null();
    guarded(|| {
        let count = at_mut(count, "the place for the number")?;
        *count = 0;
        let list = list(own(engine)?);
        *count = list.len();
        first = list.as_ptr();
        Ok(())
    });
    first
}

/// Makes a level such as `D:3` of the game of a seed, after all levels that the game makes before
/// it; `alone`: in a game that has just begun. `map` is a map that the level has to have, which
/// makes it alone, or null.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_level(
    engine: *mut Engine,
    place: *const c_char,
    seed: u64,
    alone: bool,
    map: *const c_char,
    level: *mut *mut Level,
) -> Status {
    guarded(|| {
        let engine = &mut own(engine)?.engine;
        let level = at_mut(level, "the place for the level")?;
        let name = text_of(place, "the name of the level")?;
        let place = place_named(engine, name)?;
        let forced = match map.is_null() {
            true => None,
            false => Some(map_named(engine, text_of(map, "the map")?)?),
        };
        let built = engine.level_under(place, seed, &LevelConditions { alone, forced });
        engine.take_messages();
        let built = built.map_err(|error| no_level(name, seed, &error))?;
        let place = Some(place.name(engine.content().branches()));
        *level = Level::of(built.level, engine.content(), Made { place, seed: Some(seed) });
        Ok(())
    })
}

/// Places a map on an empty level of floor, or of rock if `filled`.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_place(
    engine: *mut Engine,
    map: *const c_char,
    seed: u64,
    filled: bool,
    level: *mut *mut Level,
) -> Status {
    guarded(|| {
        let engine = &mut own(engine)?.engine;
        let level = at_mut(level, "the place for the level")?;
        let index = map_named(engine, text_of(map, "the map")?)?;
        let ground = if filled { Ground::Rock } else { Ground::Floor };
        let conditions = PlaceConditions { ground, ..PlaceConditions::default() };
        let placed = engine.place_under(index, seed, &conditions);
        engine.take_messages();
        let placed = placed.map_err(|error| Failed(Status::VwNoLevel, error.to_string()))?;
        *level = Level::of(*placed, engine.content(), Made { place: None, seed: Some(seed) });
        Ok(())
    })
}

/// Returns the level of this name.
pub(crate) fn place_named(engine: &vaultwright::Engine, name: &str) -> Result<LevelPlace, Failed> {
    let place = engine.level_place(name);
    place.map_err(|error| Failed(Status::VwUnknownName, error.to_string()))
}

/// Returns why a level could not be made.
pub(crate) fn no_level(name: &str, seed: u64, error: &LevelError) -> Failed {
    let last = error.last_reason().unwrap_or("no game has it".to_owned());
    Failed(Status::VwNoLevel, format!("{name} of game {seed}: {last}"))
}

/// Returns the map of this name; else what keeps it from compiling, or that there is none.
pub(crate) fn map_named(engine: &vaultwright::Engine, name: &str) -> Result<MapId, Failed> {
    let library = engine.library();
    library.named(name).map_err(|unnamed| match unnamed {
        Unnamed::DoesNotCompile(map) => does_not_compile(map),
        Unnamed::Unknown => Failed(Status::VwUnknownName, format!("no map is named '{name}'")),
    })
}

fn does_not_compile(map: &BrokenMap) -> Failed {
    let problem = &map.problem;
    let at = problem.file.lines.position(problem.span.start);
    let (file, message) = (&problem.file.source.name, &problem.message);
    let at = format!("{file}:{}:{}", at.line, at.column);
    let message = format!("the map '{}' does not compile: {at}: {message}", map.name);
    Failed(Status::VwNoLevel, message)
}

/// Frees an engine; null is nothing to free.
///
/// # Safety
///
/// The engine was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_engine_free(engine: *mut Engine) -> Status {
    if engine.is_null() {
        return Status::VwOk;
    }
    guarded(|| {
        own(engine)?;
        // SAFETY: it was made by `Box::into_raw`, and was not freed before, which is the caller's
        // promise.
        drop(unsafe { Box::from_raw(engine) });
        Ok(())
    })
}

/// Makes a library of what an engine has compiled.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_library_of(engine: *mut Engine, library: *mut *mut Library) -> Status {
    guarded(|| {
        let library = at_mut(library, "the place for the library")?;
        let engine = own(engine)?;
        let (shared, problems) = (engine.engine.share(), engine.found.clone());
        *library = Box::into_raw(Box::new(Library { shared, problems }));
        Ok(())
    })
}

/// Makes an engine that belongs to this thread, in milliseconds. It has the problems, too.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_library_engine(
    library: *const Library,
    engine: *mut *mut Engine,
) -> Status {
    guarded(|| {
        let engine = at_mut(engine, "the place for the engine")?;
        let library = at(library, "the library")?;
        let made = library.shared.engine();
        let made = made.map_err(|error| Failed(Status::VwBadPack, error.to_string()))?;
        let mut made = Engine::new(made);
        made.tell(&library.problems);
        *engine = Box::into_raw(Box::new(made));
        Ok(())
    })
}

/// Frees a library; null is nothing to free. Its engines stay.
///
/// # Safety
///
/// The library was not freed before, and nobody uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_library_free(library: *mut Library) {
    if !library.is_null() {
        guarded(|| {
            // SAFETY: it was made by `Box::into_raw`, and was not freed before, which is the
            // caller's promise.
            drop(unsafe { Box::from_raw(library) });
            Ok(())
        });
    }
}
