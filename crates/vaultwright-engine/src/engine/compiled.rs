//! The result of compiling a pack, stored by one process and loaded by others.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use vaultwright_map::{ErrorCode, Selection};
use vaultwright_syntax::{Extent, Header, Source};

use super::load::{in_grammar, prelude_of};
use super::session::{Engine, EngineOptions};
use crate::pack::library::{BrokenMap, Library, LibraryMap, Origin};
use crate::pack::problem::{Code, Problem, Severity};
use crate::pack::source_file::SourceFile;
use crate::pack::sources::{EngineError, definitions_in};
use crate::state::glyph_notes::GlyphNotes;
use crate::state::left_behind::LeftBehind;

/// The result of compiling files: the maps as selection knows them, and those that do not compile.
///
/// It is only valid for exactly the files, library, tables, rules and limits that it was made from.
/// [`EngineOptions::compile_key`] identifies these.
#[derive(Debug, Serialize, Deserialize)]
pub struct Compiled {
    pub(super) files: Vec<Outline>,
    pub(super) maps: Vec<CompiledMap>,
    pub(super) broken: Vec<BrokenOne>,
    /// What compiling maps that print nothing has shown about their glyphs, where that was noted.
    pub(super) notes: Option<Vec<NotesOf>>,
}

/// What compiling a map has shown about its glyphs.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct NotesOf {
    pub(super) file: u32,
    pub(super) map: u32,
    shown: Option<Shown>,
}

/// Glyph notes, with headers by their number.
#[derive(Debug, Serialize, Deserialize)]
struct Shown {
    idle: Vec<(u32, Box<[u8]>)>,
    missing: Vec<(u8, usize)>,
    short: Vec<(Box<[u8]>, usize, usize)>,
    bare: Vec<u8>,
}

/// What is needed of a file's tree before any of its maps is needed. With this, the tree need not
/// be built.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Outline {
    /// A hash of its text.
    pub(super) text: [u8; 32],
    /// Where its maps begin.
    maps: Vec<MapPlace>,
    /// The line (from 1) it ends on.
    last_line: u32,
    /// Whether its syntax has no errors.
    pub(super) is_sound: bool,
    /// The Lua outside its maps, if there is any, and the line where it begins.
    pub(super) prelude: Option<(u32, Vec<u8>)>,
    /// What compiling its maps has left behind for the maps of other files, if that changed
    /// anything.
    pub(super) left_behind: Option<LeftBehind>,
}

/// The extent of a map, without its end: that is where the next map begins.
#[derive(Debug, Serialize, Deserialize)]
struct MapPlace {
    start: u64,
    line: u32,
    default_depth: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CompiledMap {
    pub(super) file: u32,
    map: u32,
    selection: Selection,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BrokenOne {
    pub(super) map_file: u32,
    map_number: u32,
    name: String,
    pub(super) code: BrokenCode,
    is_warning: bool,
    message: String,
    hint: Option<String>,
    pub(super) file: u32,
    span: Range<u64>,
    map: Option<String>,
}

/// The codes of errors that prevent a map from compiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BrokenCode {
    Spec(ErrorCode),
    Lua,
    LuaBudget,
    LuaMemory,
    DuplicateName,
}

impl EngineOptions {
    /// Returns a hash of everything that the result of compiling these sources depends on: the
    /// sources, the data root with its library and tables, the rules, the limits, and the program,
    /// which passes its own identity.
    pub fn compile_key<'a>(
        &self,
        sources: impl Iterator<Item = &'a Source>,
        program: &str,
    ) -> Result<[u8; 32], EngineError> {
        let mut hash = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        let edition =
            self.edition.map_or_else(|| Ok(self.root.pack()?.edition), Ok::<_, EngineError>)?;
        add(program.as_bytes());
        add(format!("{} {:?} {}", edition.name(), self.limits, self.interpret).as_bytes());
        for (name, bytes) in self.root.files_beside_vaults()? {
            add(name.as_bytes());
            add(&bytes);
        }
        for (path, what) in self.root.no_scripts()? {
            add(path.as_os_str().as_encoded_bytes());
            add(what.as_bytes());
        }
        if let Some(folder) = &self.tiles {
            for table in definitions_in(folder)? {
                add(table.text.as_bytes());
            }
        }
        // Scripts read from it what the game's build would generate.
        add(self.root.read_beside("tag-version.h").unwrap_or_default().as_bytes());
        for source in sources {
            add(source.name.as_bytes());
            add(&source.text);
        }
        Ok(hash.finalize().into())
    }
}

impl Compiled {
    /// Parses the bytes that [`Compiled::to_bytes`] returns; `None` for any other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Compiled> {
        postcard::from_bytes(bytes).ok()
    }

    /// Returns it as bytes, for a file; `None` of what cannot be written, which is not kept.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(self).ok()
    }
}

impl Engine {
    /// Returns the result of compiling. Returns `None` if compiling did something else, too: maps
    /// have printed something.
    pub fn compiled(&self) -> Option<Compiled> {
        let library = self.library();
        let files = library.files.iter().map(|file| Outline::of(file)).collect();
        self.compiled_of(files)
    }

    /// Like [`Engine::compiled`], for files whose outlines are known.
    pub(super) fn compiled_of(&self, mut files: Vec<Outline>) -> Option<Compiled> {
        let loading = &self.host.loading;
        if loading.told_while_compiling {
            return None;
        }
        for (index, file) in files.iter_mut().enumerate() {
            file.left_behind = loading.left_behind.get(&index).cloned();
        }
        let library = self.library();
        let maps = library.maps.iter().map(CompiledMap::of).collect();
        let broken = library.broken.iter().map(|broken| BrokenOne::of(broken, &library));
        let broken = broken.collect::<Option<_>>()?;
        let is_noting = self.host.noting.is_some();
        let notes = is_noting.then(|| {
            let alone = loading.alone.iter().map(|(&at, notes)| NotesOf::of(at, notes.as_deref()));
            let mut notes: Vec<NotesOf> = alone.collect();
            notes.sort_by_key(|notes| (notes.file, notes.map));
            notes
        });
        Some(Compiled { files, maps, broken, notes })
    }

    /// Like [`Engine::load_files`] for all maps, with an earlier result of compiling them: runs
    /// only the Lua outside maps. Returns `None`, and changes nothing, if the result is of other
    /// files.
    pub fn load_compiled(
        &mut self,
        files: &[Arc<SourceFile>],
        compiled: Compiled,
    ) -> Option<Vec<Problem>> {
        let files = &in_grammar(files.to_vec(), &self.host.content.rules)[..];
        let is_new = self.host.files.is_empty();
        if !is_new || compiled.files.len() != files.len() {
            return None;
        }
        for (outline, file) in compiled.files.iter().zip(files) {
            outline.tell(file);
        }
        let mut library = Library::default();
        library.files.extend_from_slice(files);
        library.maps.reserve(compiled.maps.len());
        for map in compiled.maps {
            if library.add(map.in_files(files, &compiled.files)?).is_some() {
                return None;
            }
        }
        for broken in compiled.broken {
            library.broken.push(broken.in_files(files)?);
        }
        let (mut problems, _) = self.run_outside_maps(files, Some(&compiled.files), &mut |_| {});
        problems.extend(library.broken.iter().map(|broken| (*broken.problem).clone()));
        self.host.library = Arc::new(library);
        self.remember_left_behind(&compiled.files);
        Some(problems)
    }
}

impl Engine {
    /// Restores what the maps of files left behind when they were compiled earlier.
    pub(super) fn remember_left_behind(&mut self, files: &[Outline]) {
        let left = files.iter().map(|file| file.left_behind.clone()).enumerate();
        let left = left.filter_map(|(index, left)| Some((index, left?)));
        self.host.loading.left_behind = left.collect();
    }
}

impl Outline {
    pub(super) fn of(file: &SourceFile) -> Outline {
        Outline {
            text: hash_of(file),
            maps: file.tree.extents(&file.lines).iter().map(MapPlace::of).collect(),
            last_line: file.lines.position(file.source.text.len()).line,
            is_sound: file.tree.errors.is_empty(),
            prelude: prelude_of(file),
            left_behind: None,
        }
    }

    /// Tells a file with the same text where its maps are, so that each can be parsed separately.
    pub(super) fn tell(&self, file: &SourceFile) {
        let length = file.source.text.len() as u64;
        let end = MapPlace { start: length, line: self.last_line, default_depth: None };
        let ends = self.maps.iter().skip(1).chain([&end]);
        file.knowing(self.maps.iter().zip(ends).map(|(map, end)| map.extent(end)));
    }
}

impl MapPlace {
    fn of(extent: &Extent) -> MapPlace {
        MapPlace {
            start: extent.span.start as u64,
            line: extent.lines.start,
            default_depth: extent.default_depth.map(|depth| depth as u32),
        }
    }

    fn extent(&self, end: &MapPlace) -> Extent {
        Extent {
            span: self.start as usize..end.start as usize,
            lines: self.line..end.line,
            default_depth: self.default_depth.map(|depth| depth as usize),
        }
    }
}

/// Returns a hash of a file's text.
pub(super) fn hash_of(file: &SourceFile) -> [u8; 32] {
    Sha256::digest(&file.source.text).into()
}

impl NotesOf {
    fn of(origin: Origin, notes: Option<&GlyphNotes>) -> NotesOf {
        let number = |header| Header::all().position(|(other, _)| other == header).unwrap_or(0);
        let shown = notes.map(|notes| Shown {
            idle: notes.idle.iter().map(|(h, text)| (number(*h) as u32, text.clone())).collect(),
            missing: notes.missing.clone(),
            short: notes.short.clone(),
            bare: notes.bare.clone(),
        });
        NotesOf { file: origin.file as u32, map: origin.map as u32, shown }
    }

    /// Returns the map and its notes; `None` if they are not from this program.
    pub(super) fn taken_up(self) -> Option<(Origin, Option<GlyphNotes>)> {
        let origin = Origin { file: self.file as usize, map: self.map as usize };
        let Some(shown) = self.shown else { return Some((origin, None)) };
        let header = |number: u32| Some(Header::all().nth(number as usize)?.0);
        let idle = shown.idle.into_iter().map(|(number, text)| Some((header(number)?, text)));
        let notes = GlyphNotes {
            idle: idle.collect::<Option<_>>()?,
            missing: shown.missing,
            short: shown.short,
            bare: shown.bare,
        };
        Some((origin, Some(notes)))
    }
}

impl CompiledMap {
    fn of(map: &LibraryMap) -> CompiledMap {
        CompiledMap {
            file: map.origin.file as u32,
            map: map.origin.map as u32,
            selection: map.selection.clone(),
        }
    }

    pub(super) fn in_files(
        self,
        files: &[Arc<SourceFile>],
        outlines: &[Outline],
    ) -> Option<LibraryMap> {
        let origin = Origin { file: self.file as usize, map: self.map as usize };
        let file = files.get(origin.file)?;
        if origin.map >= outlines.get(origin.file)?.maps.len() {
            return None;
        }
        Some(LibraryMap { file: Arc::clone(file), origin, selection: self.selection })
    }
}

impl BrokenOne {
    fn of(broken: &BrokenMap, library: &Library) -> Option<BrokenOne> {
        let problem = &*broken.problem;
        let code = match problem.code {
            Code::Spec(code) => BrokenCode::Spec(code),
            Code::Lua => BrokenCode::Lua,
            Code::LuaBudget => BrokenCode::LuaBudget,
            Code::LuaMemory => BrokenCode::LuaMemory,
            Code::DuplicateName => BrokenCode::DuplicateName,
            Code::Syntax(_) | Code::Lint(_) => return None,
        };
        let file = library.files.iter().position(|file| Arc::ptr_eq(file, &problem.file))?;
        Some(BrokenOne {
            map_file: broken.origin.file as u32,
            map_number: broken.origin.map as u32,
            name: broken.name.clone(),
            code,
            is_warning: problem.severity == Severity::Warning,
            message: problem.message.clone(),
            hint: problem.hint.clone(),
            file: file as u32,
            span: problem.span.start as u64..problem.span.end as u64,
            map: problem.map.clone(),
        })
    }

    pub(super) fn in_files(self, files: &[Arc<SourceFile>]) -> Option<BrokenMap> {
        let code = match self.code {
            BrokenCode::Spec(code) => Code::Spec(code),
            BrokenCode::Lua => Code::Lua,
            BrokenCode::LuaBudget => Code::LuaBudget,
            BrokenCode::LuaMemory => Code::LuaMemory,
            BrokenCode::DuplicateName => Code::DuplicateName,
        };
        let origin = Origin { file: self.map_file as usize, map: self.map_number as usize };
        let file = files.get(self.file as usize)?;
        let span = self.span.start as usize..self.span.end as usize;
        file.source.text.get(span.clone())?;
        let problem = Problem {
            code,
            severity: if self.is_warning { Severity::Warning } else { Severity::Error },
            message: self.message,
            hint: self.hint,
            file: Arc::clone(file),
            span,
            map: self.map,
            fix: None,
        };
        Some(BrokenMap { origin, name: self.name, problem: Arc::new(problem) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use vaultwright_syntax::Source;

    use super::Compiled;
    use crate::engine::session::{Engine, EngineOptions};
    use crate::pack::source_file::SourceFile;
    use crate::pack::sources::DataRoot;

    const TEXT: &str = "NAME: good\nDEPTH: D:2-4, !D:3\nTAGS: a b\nCHANCE: 5%\nWEIGHT: 3 (D:2)\n\
        DESC: words\nORIENT: north\nMAP\nx.x\nENDMAP\nNAME: bad\nDEPTH: D\nMONS: no such\nMAP\n1\nENDMAP\n";

    fn engine() -> Engine {
        let root = DataRoot::Bare;
        Engine::new(EngineOptions { root, ..EngineOptions::default() }).expect("an engine")
    }

    fn files(text: &str) -> Vec<Arc<SourceFile>> {
        vec![Arc::new(SourceFile::new(Source::new("a.des", text.as_bytes())))]
    }

    fn words(engine: &Engine) -> String {
        let library = engine.library();
        let maps: Vec<_> = library.maps.iter().map(|map| &map.selection).collect();
        let broken: Vec<_> = library.broken.iter().map(|map| map.problem.to_string()).collect();
        format!("{maps:?} {broken:?}")
    }

    #[test]
    fn what_was_compiled_is_taken_up_by_another_engine() {
        let mut first = engine();
        let files = files(TEXT);
        let told = first.load_files(files.clone(), &mut |_, _| true);
        let kept = first.compiled().and_then(|kept| kept.to_bytes()).expect("kept");
        let mut second = engine();
        let compiled = Compiled::from_bytes(&kept).expect("what was written");
        let told_again = second.load_compiled(&files, compiled).expect("the same files");
        assert_eq!(words(&first), words(&second));
        assert_eq!((told.len(), told_again.len()), (1, 1));
        assert_eq!(told[0].to_string(), told_again[0].to_string());
        let key = |text: &str, program| {
            let source = Source::new("a.des", text.as_bytes());
            let key = EngineOptions::default().compile_key([&source].into_iter(), program);
            key.expect("a key")
        };
        assert_eq!(key(TEXT, "a"), key(TEXT, "a"));
        assert_ne!(key(TEXT, "a"), key(&TEXT.replace("x.x", "x.."), "a"));
        assert_ne!(key(TEXT, "a"), key(TEXT, "b"));
    }

    #[test]
    fn of_other_files_and_of_maps_that_print_nothing_is_taken_up() {
        let mut first = engine();
        first.load_files(files(TEXT), &mut |_, _| true);
        let compiled = first.compiled().expect("kept");
        assert!(engine().load_compiled(&files("NAME: a\nMAP\n.\nENDMAP\n"), compiled).is_none());
        let mut telling = engine();
        let text = "NAME: a\nDEPTH: D\n: print(1)\nMAP\n.\nENDMAP\n";
        telling.load_files(files(text), &mut |_, _| true);
        assert!(telling.compiled().is_none());
    }
}
