//! Lints for vault sources: what compiles, but does not do what it says.
//!
//! [`findings`] returns what `vaultwright check` shows: the problems found when compiling, and
//! those that [`lint`] finds in an engine's library, each with a hint. [`codes()`] lists all stable
//! codes with their explanations and examples, including those of compile errors. [`code_of`]
//! returns the code of a problem.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod allow;
mod altars;
mod bare;
mod call_slips;
mod chunks;
mod codes;
mod copied;
mod counts;
mod coverage;
mod data_files;
mod deep;
mod drawing;
mod elements;
mod entrances;
mod fixes;
mod follow_on;
mod glyph_signs;
mod glyphs;
mod grounds;
mod hints;
mod item_words;
mod kept;
mod keys;
mod landings;
mod letters;
mod levels;
mod lost;
mod lua;
mod lua_blocks;
mod lua_hints;
mod lua_markers;
mod lua_slips;
mod lua_versions;
mod marker_grounds;
mod missing_slots;
mod near;
mod nearest_names;
mod only_subvaults;
mod other_kinds;
mod placement;
mod portals;
mod promised;
mod readings;
mod refused;
mod rewording;
mod rewording_signs;
mod rolls;
mod selection;
mod separators;
mod slots;
mod spans;
mod spec_rules;
mod spec_words;
mod stand_ins;
mod structure;
mod style;
mod subvault_levels;
mod subvaults;
mod syntax_hints;
mod tabs;
mod tag_groups;
mod tags;
mod tags_in_use;

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet};
use vaultwright_engine::{
    Code, Engine, Library, LibraryMap, Origin, Problem, Severity, SourceFile,
};
use vaultwright_map::Selection;
use vaultwright_syntax::{ChunkKind, Map, Piece, PieceBody, SyntaxErrorKind};

use readings::Readings;
use spans::{has_syntax_error, map_begun};
use tags_in_use::TagsInUse;

pub use allow::without_allowed;
pub use codes::{CodeInfo, code_of, codes, explain};
pub use coverage::Coverage;
pub use data_files::{data_hint, data_problems, skipped_file, unread_file, unusable_data};
pub use deep::{look_deeply, play_problem};
pub use fixes::fixed;
pub use hints::{add_hint, name_distance, replacement};
pub use kept::{KeptFindings, KeptOfFile, KeptOfMap, LuaFindings, SoughtName};
pub use lua::{LuaWord, lua_words};
pub use placement::{PlacementCheck, placement_skipped, zones_are_allowed};
pub use style::house_style;

/// A map with everything the lints need.
pub(crate) struct View<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) library: &'a Library,
    pub(crate) entry: &'a LibraryMap,
    pub(crate) file: &'a Arc<SourceFile>,
    pub(crate) map: &'a Map,
    pub(crate) readings: &'a Readings,
    always: OnceCell<Rc<HashSet<usize>>>,
}

impl<'a> View<'a> {
    pub(crate) fn of(
        engine: &'a Engine,
        library: &'a Library,
        entry: &'a LibraryMap,
        readings: &'a Readings,
    ) -> View<'a> {
        let (file, map, always) = (&entry.file, entry.syntax(), OnceCell::new());
        View { engine, library, entry, file, map, readings, always }
    }

    pub(crate) fn text(&self) -> &'a [u8] {
        &self.file.source.text
    }

    /// Returns the pieces of the main chunk: the headers, and Lua between them.
    pub(crate) fn main(&self) -> &'a [Piece] {
        &self.map.chunk(ChunkKind::Main).pieces
    }

    /// Returns whether the map has neither rows of a drawing nor Lua between them.
    pub(crate) fn has_no_drawing(&self) -> bool {
        self.map.chunk(ChunkKind::Map).pieces.is_empty()
    }

    /// Returns the rows of the drawing, each with its glyphs.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&'a Piece, &'a [u8])> + use<'a> {
        let text = self.text();
        self.map.chunk(ChunkKind::Map).pieces.iter().filter_map(|piece| match &piece.body {
            PieceBody::Row(row) => Some((piece, row.bytes(text))),
            _ => None,
        })
    }

    /// Returns whether a piece of the main chunk does not depend on Lua.
    pub(crate) fn always_runs(&self, piece: usize) -> bool {
        let read = || self.readings.always_run(self.file, self.entry.origin);
        self.always.get_or_init(read).contains(&piece)
    }

    /// Returns whether a line of the map has a syntax error.
    pub(crate) fn has_syntax_error(&self) -> bool {
        has_syntax_error(self.file, self.map)
    }

    /// Returns how many cells of the drawing show a glyph.
    pub(crate) fn cells_of(&self, glyph: u8) -> usize {
        self.rows().map(|(_, row)| memchr::memchr_iter(glyph, row).count()).sum()
    }

    /// Returns whether Lua may change the effect of the headers.
    pub(crate) fn has_lua(&self) -> bool {
        chunks::DRAWING.iter().any(|&kind| self.map.chunk(kind).has_lua())
    }

    pub(crate) fn warning(
        &self,
        code: &'static str,
        span: Range<usize>,
        message: String,
        hint: &str,
    ) -> Problem {
        let map = Some(self.entry.selection.name.clone());
        Problem { map, ..warning(self.file, code, span, message, hint) }
    }
}

/// Returns a warning about a file.
pub(crate) fn warning(
    file: &Arc<SourceFile>,
    code: &'static str,
    span: Range<usize>,
    message: String,
    hint: &str,
) -> Problem {
    Problem {
        code: Code::Lint(code),
        severity: Severity::Warning,
        message,
        hint: Some(hint.to_owned()),
        file: Arc::clone(file),
        span,
        map: None,
        fix: None,
    }
}

/// Returns all problems in the files that `wanted` accepts: those that loading returned and those
/// of [`lint`], each with a hint, sorted by file and position.
#[must_use]
pub fn findings(
    engine: &mut Engine,
    loaded: Vec<Problem>,
    wanted: &dyn Fn(&SourceFile) -> bool,
) -> Vec<Problem> {
    findings_keeping(engine, loaded, wanted, &mut KeptFindings::default())
}

/// The start of Lua blocks without an end, by file: what follows in the map is not Lua.
struct LostBlocks(HashMap<Arc<str>, Vec<usize>>);

impl LostBlocks {
    fn of(problems: &[Problem]) -> LostBlocks {
        let mut lost: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
        for problem in problems {
            let is_lost = problem.code == Code::Syntax(SyntaxErrorKind::Unclosed)
                && problem.severity == Severity::Error;
            if is_lost {
                let name = Arc::clone(&problem.file.source.name);
                lost.entry(name).or_default().push(problem.span.start);
            }
        }
        lost.values_mut().for_each(|starts| starts.sort_unstable());
        LostBlocks(lost)
    }

    /// Returns whether a Lua error is due to text that a block without an end includes.
    fn explain(&self, problem: &Problem) -> bool {
        let at = problem.span.start;
        let Some(starts) = self.0.get(&problem.file.source.name) else { return false };
        let Some(block) = starts[..starts.partition_point(|&start| start <= at)].last() else {
            return false;
        };
        let map = |at: usize| map_begun(&problem.file, at);
        problem.code == Code::Lua && map(*block) == map(at)
    }
}

/// Like [`findings`], but does not search again in maps whose text has not changed.
#[must_use]
pub fn findings_keeping(
    engine: &mut Engine,
    loaded: Vec<Problem>,
    wanted: &dyn Fn(&SourceFile) -> bool,
    kept: &mut KeptFindings,
) -> Vec<Problem> {
    let mut problems = loaded;
    problems.retain(|problem| wanted(&problem.file));
    let lost = LostBlocks::of(&problems);
    problems.retain(|problem| !lost.explain(problem));
    // Where running a line failed, checks of its code add nothing. In a header with several
    // entries, each fails separately.
    let by_lint = lint_keeping(engine, wanted, kept);
    let has_failed = |problem: &Problem| problem.code == Code::Lua;
    let failures = by_lint.iter().filter(|problem| has_failed(problem));
    let (of_specs, others): (Vec<&Problem>, Vec<&Problem>) =
        problems.iter().partition(|problem| matches!(problem.code, Code::Spec(_)));
    let failed: HashSet<(Arc<str>, u32)> =
        others.into_iter().chain(failures).map(line_of).collect();
    let mut told: HashMap<(Arc<str>, u32), Vec<&Problem>> = HashMap::new();
    for problem in of_specs {
        told.entry(line_of(problem)).or_default().push(problem);
    }
    let is_told = |p: &Problem| {
        let line = line_of(p);
        let same = |told: &&Problem| {
            let overlap = told.span.start < p.span.end && p.span.start < told.span.end;
            overlap || told.message == p.message
        };
        failed.contains(&line) || told.get(&line).is_some_and(|told| told.iter().any(same))
    };
    let of_code = |problem: &Problem| {
        let is_of_spec = matches!(problem.code, Code::Spec(_));
        is_of_spec || problem.severity == Severity::Error || codes::is_of_lua_code(problem)
    };
    // That a parameter is unknown may be why the line fails.
    let is_cause = |p: &Problem| p.message.contains(" has no parameter '");
    let adds = |p: &Problem| has_failed(p) || !of_code(p) || is_cause(p) || !is_told(p);
    let by_lint: Vec<Problem> = by_lint.into_iter().filter(adds).collect();
    problems.extend(by_lint);
    follow_on::remove(&mut problems);
    sorted(problems, engine)
}

/// Adds hints and fixes to problems, and sorts them by file and position.
#[must_use]
pub fn sorted(mut problems: Vec<Problem>, engine: &Engine) -> Vec<Problem> {
    refused::remove_repeated(&mut problems);
    for problem in &mut problems {
        add_hint(problem, engine.content());
        fixes::add_fix(problem, engine.content());
    }
    in_order(problems)
}

/// Sorts problems by file and position.
#[must_use]
pub fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|a, b| {
        let place = |p: &Problem| (p.file.source.name.clone(), p.span.start, code_of(p));
        place(a).cmp(&place(b))
    });
    problems
}

fn line_of(problem: &Problem) -> (Arc<str>, u32) {
    let line = problem.file.lines.position(problem.span.start).line;
    (Arc::clone(&problem.file.source.name), line)
}

/// Returns the problems of maps of the library that compile, for the files that `wanted` accepts.
/// If the engine was not told to [note glyphs](Engine::note_glyphs) before it compiled the maps,
/// fewer glyphs are checked.
#[must_use]
pub fn lint(engine: &mut Engine, wanted: &dyn Fn(&SourceFile) -> bool) -> Vec<Problem> {
    lint_keeping(engine, wanted, &mut KeptFindings::default())
}

fn lint_keeping(
    engine: &mut Engine,
    wanted: &dyn Fn(&SourceFile) -> bool,
    kept: &mut KeptFindings,
) -> Vec<Problem> {
    let library = engine.library();
    let mut known = kept.take(engine, &library, wanted);
    let is_open = |entry: &LibraryMap| wanted(&entry.file) && !known.contains_key(&entry.origin);
    let readings = Readings::default();
    let rolled = rolls::run(engine, &library, &readings, &is_open);
    let engine = &*engine;
    let portals = portals::Portals::of(engine, &library);
    let of_broken = subvaults::TagsOfBroken::of(&library);
    let in_use = TagsInUse::of(&library);
    let of_subvaults = only_subvaults::SubvaultTags::default();
    let mut problems = Vec::new();
    for entry in library.maps.iter().filter(|entry| wanted(&entry.file)) {
        let view = View::of(engine, &library, entry, &readings);
        // A line with a syntax error makes others look wrong.
        if view.has_syntax_error() {
            continue;
        }
        let own = known.remove(&entry.origin);
        let own = own.unwrap_or_else(|| own_findings(&view, &rolled));
        problems.extend(own.problems.iter().cloned());
        if own.is_one_drawing {
            keys::check(&view, &mut problems);
            selection::check_default(&view, &mut problems);
            portals::check(&view, &portals, &mut problems);
            subvaults::check(&view, &of_broken, &mut problems);
            subvault_levels::check(&view, &of_broken, &mut problems);
            only_subvaults::check(&view, &of_subvaults, &mut problems);
            tags::check_names(&view, &in_use, &mut problems);
        }
        if !rolled.dependent.contains(&entry.origin) {
            kept.put(entry, own);
        }
    }
    for entry in broken_maps(&library, wanted) {
        let view = View::of(engine, &library, &entry, &readings);
        if structure::header_in_drawing(&view, &mut problems) {
            continue;
        }
        glyphs::check_broken(&view, &mut problems);
        subvaults::check(&view, &of_broken, &mut problems);
        keys::check(&view, &mut problems);
        tags::check(&view, &mut problems);
        tags::check_names(&view, &in_use, &mut problems);
    }
    let marked = library.files.iter().filter(|file| file.source.is_marked && wanted(file));
    problems.extend(marked.map(byte_order_mark));
    lua::check_serial(&library, (&in_use, &of_broken), wanted, &mut problems);
    // What has run when its map was compiled has been told of as it ran.
    let place = |p: &Problem| (Arc::clone(&p.file.source.name), p.span.clone(), p.message.clone());
    let told: HashSet<_> = problems.iter().map(place).collect();
    let of_lua = lua::check(engine, &library, wanted, kept);
    problems.extend(of_lua.into_iter().filter(|problem| !told.contains(&place(problem))));
    problems
}

/// Returns a warning about a file that begins with a byte-order mark. The mark is no part of the
/// text, so its fix is an edit of nothing: [`removes_mark`] knows it.
fn byte_order_mark(file: &Arc<SourceFile>) -> Problem {
    let message = "the file begins with a byte-order mark".to_owned();
    let hint = "save it as UTF-8 without the mark: the game refuses such a file";
    let problem = warning(file, codes::BYTE_ORDER_MARK, 0..0, message, hint);
    Problem { fix: fixes::edit("remove the byte-order mark", 0..0, ""), ..problem }
}

/// Returns whether the fix of a problem is to take away the byte-order mark before the text.
#[must_use]
pub fn removes_mark(problem: &Problem) -> bool {
    problem.code == Code::Lint(codes::BYTE_ORDER_MARK)
}

/// Returns what is found in a map by itself, whatever other maps there are.
fn own_findings(view: &View, rolled: &rolls::Rolled) -> kept::OwnFindings {
    let origin = view.entry.origin;
    let mut problems = Vec::new();
    let is_one_drawing = structure::check(view, &mut problems);
    if is_one_drawing {
        let told = glyphs::check(view, rolled.faultless.contains(&origin), &mut problems);
        missing_slots::check(view, rolled.missing.get(&origin), &told, &mut problems);
        letters::check(view, &mut problems);
        glyph_signs::check(view, &mut problems);
        tabs::check(view, &mut problems);
        lua_markers::check(view, &mut problems);
        marker_grounds::check(view, &mut problems);
        landings::check(view, &mut problems);
        copied::check(view, &mut problems);
        elements::check(view, &mut problems);
        drawing::check(view, &mut problems);
        grounds::check(view, &mut problems);
        item_words::check(view, &mut problems);
        stand_ins::check(view, &mut problems);
        selection::check(view, &mut problems);
        tags::check(view, &mut problems);
        entrances::check(view, &mut problems);
        lost::check(view, &mut problems);
        promised::check(view, &mut problems);
    }
    kept::OwnFindings { problems, is_one_drawing }
}

/// Returns the maps that do not compile, with only their names.
fn broken_maps(library: &Library, wanted: &dyn Fn(&SourceFile) -> bool) -> Vec<LibraryMap> {
    if library.broken.is_empty() {
        return Vec::new();
    }
    let whole: HashSet<Origin> = library.maps.iter().map(|map| map.origin).collect();
    let files = library.files.iter().enumerate().filter(|(_, file)| wanted(file));
    let origins = files.flat_map(|(index, file)| {
        (0..file.tree.maps.len()).map(move |map| (file, Origin { file: index, map }))
    });
    origins
        .filter(|(_, origin)| !whole.contains(origin))
        .map(|(file, origin)| {
            let name = file.tree.maps[origin.map].name.str(&file.source.text).into_owned();
            LibraryMap { file: Arc::clone(file), origin, selection: Selection::new(name) }
        })
        .collect()
}
