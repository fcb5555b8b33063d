//! Checks of the Lua in maps as it is written, whether it runs or not.
//!
//! Texts that flow into functions that take a spec or a name are checked as headers are, in every
//! branch, by the lints of headers as well. What no run can show is told from the code alone: names
//! that nobody defines (VW361), names that a function does not know (VW362), wrong numbers of
//! arguments (VW363), conditions that are always the same (VW364), code that nothing comes to
//! (VW365), names that hide others or are never read (VW366), picks that miss their table (VW367),
//! functions that later files give (VW368), or one file twice (VW369), ends of a way that nothing
//! leads to (VW385), answers that are none or always the same (VW387), and what has no effect
//! (VW389).

mod always;
mod assigns;
mod branch_depths;
mod callbacks;
mod calls;
mod chains;
mod compiled;
mod conditions;
mod decorations;
mod dots;
mod effects;
mod ends;
mod flow;
mod headers;
mod hooks;
mod joins;
mod kinds;
mod locals;
mod logic;
mod marker_functions;
mod marker_values;
mod monster_fields;
mod name_kind;
mod names;
mod order;
mod parameters;
mod parser;
mod picks;
mod properties;
mod ranges;
mod required;
mod rights;
mod serial;
mod silent;
mod specs;
mod text;
mod token;
mod toll;
mod tree;
mod triggerers;
mod value;
mod walk;
mod words;

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashSet, HashSetExt};
use vaultwright_engine::{Code, Engine, Library, Problem, Severity, SourceFile};
use vaultwright_map::Selection;
use vaultwright_syntax::{Argument, Chunk, ChunkKind, PieceBody, find_words};

use crate::kept::{KeptFindings, LuaFindings};
use crate::near::Advice;
use crate::spans::trimmed;
use crate::{chunks, codes, lost};
pub(crate) use always::always_run;
pub(crate) use assigns::assigns;
pub(crate) use calls::{triggerer_types, unknown_parameters};
use flow::{Assigned, Called, Event, Functions, Surroundings, Use, Walker};
use name_kind::NameKind;
use names::Names;
use required::RawFields;
use rights::Rights;
pub(crate) use serial::check_serial;
pub(crate) use silent::silent_lines;
use specs::{Flaw, Specs};
use text::LuaText;
use tree::Block;
use value::{Known, Value};
pub use words::{LuaWord, lua_words};

/// The words reported for a book whose levels are 0 in total.
const NO_LEVELS: &str = "slevels:";

/// The maximum number of passes over functions, until nothing more is learned about their
/// arguments.
const MAX_PASSES: usize = 4;

/// A chunk as a tree.
struct Tree<'f> {
    /// The number of its map in the file, unless it is outside maps.
    map: Option<usize>,
    chunk: &'f Chunk,
    lua: &'f LuaText,
    block: Block<'f>,
}

/// What is said of a place in the text.
struct Finding {
    code: Code,
    severity: Severity,
    message: String,
    advice: Option<Advice>,
}

impl Finding {
    /// Returns a warning of a lint.
    fn of(code: &'static str, message: String, advice: impl Into<Advice>) -> Finding {
        let (code, severity) = (Code::Lint(code), Severity::Warning);
        Finding { code, severity, message, advice: Some(advice.into()) }
    }
}

/// The state of checking a file.
struct Look<'l> {
    engine: &'l Engine,
    names: &'l Names<'l>,
    specs: &'l mut Specs,
    file: &'l Arc<SourceFile>,
    /// Which of the library's files that is.
    index: usize,
    trees: &'l [Tree<'l>],
    /// Returns a map of the file if it compiles.
    selection: &'l dyn Fn(usize) -> Option<&'l Selection>,
    found: Vec<Problem>,
    told: HashSet<(usize, usize)>,
    /// The globals that Lua of the file assigns to, once it has been gone through.
    assigned: Assigned<'l>,
    /// How often each word stands in the file, once somebody has asked.
    words: OnceCell<HashMap<&'l [u8], usize>>,
    /// Whether the functions of the file return no value, once somebody has asked.
    giving: OnceCell<HashMap<String, Option<bool>>>,
    /// How often a word has been sought that is like another.
    searches: Cell<usize>,
    /// How often a table has been sought that may be the environment.
    tables: Cell<usize>,
    /// What `rawset` sets, once a name is not found elsewhere.
    raw: OnceCell<RawFields>,
    /// The library's files that the file loads, once a name is not found elsewhere.
    loaded: OnceCell<Vec<Vec<u8>>>,
    /// Which calls take texts that others are given too.
    rights: Rights,
}

/// Returns the problems in the Lua of the files that `wanted` accepts, and in the headers of maps
/// that do not compile.
pub(crate) fn check(
    engine: &Engine,
    library: &Library,
    wanted: &dyn Fn(&SourceFile) -> bool,
    kept: &mut KeptFindings,
) -> Vec<Problem> {
    let names = Names::of(engine, library);
    let mut specs = Specs::default();
    let of_origin: HashMap<(usize, usize), &Selection> = library
        .maps
        .iter()
        .map(|map| ((map.origin.file, map.origin.map), &map.selection))
        .collect();
    let mut problems = Vec::new();
    for (index, file) in library.files.iter().enumerate().filter(|(_, file)| wanted(file)) {
        if let Some(known) = kept.lua_of(file, |sought| names.is_as_then(sought)) {
            problems.extend(known.problems.iter().cloned());
            continue;
        }
        names.begin_file();
        let selection = |map: usize| of_origin.get(&(index, map)).copied();
        let texts = texts_of(file);
        let trees = trees_of(&texts);
        let mut look = Look {
            engine,
            names: &names,
            specs: &mut specs,
            file,
            index,
            trees: &trees,
            selection: &selection,
            found: Vec::new(),
            told: HashSet::new(),
            assigned: Assigned::new(),
            words: OnceCell::new(),
            giving: OnceCell::new(),
            searches: Cell::new(0),
            tables: Cell::new(0),
            raw: OnceCell::new(),
            loaded: OnceCell::new(),
            rights: Rights::default(),
        };
        look.headers_of_broken_maps();
        look.lua();
        let found = LuaFindings { problems: look.found, sought: names.sought() };
        problems.extend(found.problems.iter().cloned());
        kept.take_up_lua(file, found);
    }
    problems
}

/// The Lua of a chunk as a single text, and the number of its map, unless it is outside maps.
struct ChunkText<'f> {
    map: Option<usize>,
    chunk: &'f Chunk,
    lua: LuaText,
}

fn texts_of(file: &SourceFile) -> Vec<ChunkText<'_>> {
    let of_maps = file.tree.maps.iter().enumerate().flat_map(|(index, map)| {
        chunks::WITH_LUA.iter().map(move |&kind| (Some(index), map.chunk(kind)))
    });
    let chunks = std::iter::once((None, &file.tree.global_prelude)).chain(of_maps);
    let with_lua = chunks.filter(|(_, chunk)| chunk.pieces.iter().any(text::is_lua));
    let text = |(map, chunk)| ChunkText { map, chunk, lua: LuaText::of(chunk, &file.source.text) };
    with_lua.map(text).collect()
}

fn trees_of<'f>(texts: &'f [ChunkText<'f>]) -> Vec<Tree<'f>> {
    let tree = |text: &'f ChunkText<'f>| {
        let block = parser::parse(&text.lua)?;
        Some(Tree { map: text.map, chunk: text.chunk, lua: &text.lua, block })
    };
    texts.iter().filter_map(tree).collect()
}

impl Look<'_> {
    /// Checks the remaining headers of maps with an error, which stop running there.
    fn headers_of_broken_maps(&mut self) {
        let file = Arc::clone(self.file);
        for (index, map) in file.tree.maps.iter().enumerate() {
            if (self.selection)(index).is_some() {
                continue;
            }
            for number in 0..map.chunk(ChunkKind::Main).pieces.len() {
                self.header(Some(index), map.chunk(ChunkKind::Main), number);
            }
        }
    }

    /// Returns whether a map compiles, so that code with problems has not run. Lua outside maps
    /// always counts as compiling.
    fn compiles(&self, map: Option<usize>) -> bool {
        map.is_none_or(|map| (self.selection)(map).is_some())
    }

    fn header(&mut self, map: Option<usize>, chunk: &Chunk, number: usize) {
        let piece = &chunk.pieces[number];
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return };
        let source = &self.file.source.text;
        let compiles = self.compiles(map);
        for flaw in self.specs.check(self.engine, *header, text.bytes(source)).iter() {
            let span = text.locate(source, flaw.culprit());
            let span = match flaw.culprit().is_empty() {
                true => trimmed(source, span.clone()).unwrap_or(span),
                false => span,
            };
            self.tell_flaw(map, flaw, (Severity::Error, compiles), span);
        }
    }

    fn lua(&mut self) {
        let mut functions = Functions::default();
        let names = self.names;
        let surroundings = Surroundings {
            global: &|path| names.global(path),
            is_interesting: &|function| names.is_interesting(function),
        };
        let mut events: Vec<Vec<Event>> = self.trees.iter().map(|_| Vec::new()).collect();
        let (trees, mut assigned, mut asked) = (self.trees, Assigned::new(), Assigned::new());
        for pass in 0..MAX_PASSES {
            let before = functions.known();
            let mut walker = Walker::new(&mut functions, surroundings);
            for (number, tree) in trees.iter().enumerate() {
                walker.begin_map(tree.map);
                // Only knowledge about functions can have increased.
                if pass == 0 || walker.functions.are_in(number) {
                    walker.chunk(number, &tree.block);
                    events[number] = std::mem::take(&mut walker.events);
                }
            }
            assigned.extend(std::mem::take(&mut walker.assigned));
            asked.extend(std::mem::take(&mut walker.asked));
            if functions.known() == before {
                break;
            }
        }
        self.assigned = assigned;
        // Who asks whether a global or a field is there may call it.
        for event in events.iter_mut().flatten() {
            match event {
                Event::Member { path, use_, .. } if asked.contains(path.as_str()) => {
                    *use_ = Use::Asked;
                }
                Event::Read { name, use_, .. } if asked.contains(*name) => *use_ = Use::Asked,
                _ => {}
            }
        }
        self.rights = self.rights(&events);
        for (tree, events) in events.iter().enumerate() {
            events.iter().for_each(|event| self.event(tree, event));
        }
        self.ends(&events);
        for number in 0..self.trees.len() {
            self.logic(number);
            self.order(number);
            self.answer(number);
            self.unplaced(number);
            self.untriggered(number);
            self.properties(number);
            self.methods(number);
        }
        self.twice();
        self.dots();
    }

    fn event(&mut self, tree: usize, event: &Event) {
        match event {
            Event::Header { piece, always } => {
                let Tree { map, chunk, .. } = &self.trees[tree];
                let ran = *always && map.is_some_and(|map| (self.selection)(map).is_some());
                if !ran {
                    self.header(*map, chunk, *piece);
                }
            }
            Event::Call(called) => {
                let path = called.path.as_str();
                if !called.is_tried && !self.assigned.contains(path) {
                    self.parameters(tree, called);
                    self.target(tree, called);
                    match calls::calls().headers.get(path).filter(|_| called.of_map) {
                        Some(header) => self.statements(tree, called, *header),
                        None if called.of_map && path == calls::TAGS => {
                            self.tags(tree, &called.arguments);
                        }
                        None => self.call(tree, called),
                    }
                }
            }
            Event::Field { path, key, value } => {
                let rows = &calls::calls().fields;
                let row =
                    rows.iter().find(|row| row.function == *path && row.field.as_bytes() == *key);
                match row.map(|row| row.takes) {
                    Some(kind @ (NameKind::Monsters | NameKind::Items)) => {
                        for known in &value.texts {
                            self.list(tree, kind, known, None);
                        }
                    }
                    Some(kind) => self.names_of(tree, kind, path, value),
                    None => {}
                }
            }
            Event::Compared { path, value } => {
                if let Some(kind) = calls::calls().results.get(path.as_str()) {
                    self.compared(tree, *kind, path, value);
                }
            }
            Event::Read { name, use_, span, locals } => {
                let advice = self.names.unknown_global(name, *use_, &self.assigned, locals);
                let is_given = || self.is_loaded(name) || self.is_field_given(name);
                if let Some(advice) = advice.filter(|_| !is_given()) {
                    let message = format!("nobody defines '{name}'");
                    self.warn(tree, span, Finding::of(codes::UNKNOWN_NAME, message, advice));
                }
            }
            Event::Member { path, use_, span } => {
                if let Some(advice) = self.names.unknown_member(path, *use_, &self.assigned) {
                    let message = format!("there is no '{path}'");
                    self.warn(tree, span, Finding::of(codes::UNKNOWN_NAME, message, advice));
                }
            }
        }
    }

    /// Checks a call that stands for a header line, `mons("rat")`, where each argument is a
    /// statement.
    fn statements(&mut self, tree: usize, called: &Called, header: vaultwright_syntax::Header) {
        let Called { path, arguments, spans, .. } = called;
        let one = calls::calls().statements_of_one.iter().any(|name| name == path);
        let count = if one { 1 } else { arguments.len() };
        for (index, value) in arguments.iter().enumerate().take(count) {
            for known in &value.texts {
                self.spec(tree, header, known, Some((called, index)));
            }
        }
        if let (true, Some(second)) = (one, spans.get(1)) {
            let message = format!("{path} looks at its first argument alone");
            let hint = "write one call for each".to_owned();
            self.warn(tree, second, Finding::of(codes::WRONG_ARGUMENTS, message, hint));
        }
    }

    fn call(&mut self, tree: usize, called: &Called) {
        let Called { path, arguments, spans, span, .. } = called;
        if kinds::takes_cell(path) && arguments.len() > 1 {
            arguments.iter().take(2).for_each(|value| self.no_number(tree, path, value));
        }
        self.decoration(tree, called);
        self.environment(tree, called);
        if path == kinds::EVENT_TYPE {
            let all = arguments.iter();
            all.for_each(|value| self.names_of(tree, NameKind::GameEvent, path, value));
        }
        let Some(row) = calls::calls().calls.get(path.as_str()) else { return };
        for (index, (&kind, value)) in row.takes.iter().zip(arguments).enumerate() {
            match kind {
                NameKind::Monsters | NameKind::Items => {
                    for known in &value.texts {
                        self.list(tree, kind, known, Some((called, index)));
                    }
                }
                NameKind::Unknown => {}
                _ => self.names_of(tree, kind, path, value),
            }
        }
        let count = arguments.len();
        // A call at the end may give several values.
        let text = &self.trees[tree].lua.text;
        let last = spans.last().and_then(|span| text.get(span.clone())).unwrap_or_default();
        let is_open = last.ends_with(b")") || last == b"...";
        let too_few = !is_open && row.least.is_some_and(|least| count < least);
        if too_few || row.most.is_some_and(|most| count > most) {
            let wanted = match (row.least, row.most) {
                (Some(0), Some(0)) => "none".to_owned(),
                (Some(least), Some(most)) if least == most => least.to_string(),
                (Some(least), Some(most)) => format!("{least} to {most}"),
                _ => return,
            };
            let message = format!("{path} takes {wanted}, but gets {count}");
            let hint = "check the arguments of the call".to_owned();
            self.warn(tree, span, Finding::of(codes::WRONG_ARGUMENTS, message, hint));
        }
    }

    fn spec(
        &mut self,
        tree: usize,
        header: vaultwright_syntax::Header,
        known: &Known,
        called: Option<(&Called, usize)>,
    ) {
        let is_given = |part: &Range<usize>| {
            called.is_none_or(|(called, index)| called.spans.get(index) == Some(part))
        };
        let is_literal =
            matches!(&known.parts[..], [(_, at, part)] if *at == tree && is_given(part));
        let doubtful = called.filter(|(called, index)| !is_literal && called.is_doubtful(*index));
        let severity = if is_literal { Severity::Error } else { Severity::Warning };
        let compiles = self.compiles(self.trees[tree].map);
        // A concatenated string may be incomplete.
        let is_whole = known.parts.len() == 1;
        for flaw in self.specs.check(self.engine, header, &known.text).iter() {
            let is_for_other = doubtful.is_some_and(|(called, _)| {
                self.rights.has_other(&called.path, known, flaw.culprit())
            });
            if is_for_other || !is_whole && flaw.says_nothing() {
                continue;
            }
            let place = self.place_of(known, flaw.culprit());
            self.tell_flaw(self.trees[tree].map, flaw, (severity, compiles), place);
        }
        self.statement_of(tree, header, known);
    }

    /// The spec of a function that takes monsters or items.
    fn list(
        &mut self,
        tree: usize,
        kind: NameKind,
        known: &Known,
        called: Option<(&Called, usize)>,
    ) {
        use vaultwright_syntax::Header;
        if kind == NameKind::Monsters {
            return self.spec(tree, Header::Mons, known, called);
        }
        let text = [b"X = ", &known.text[..]].concat();
        let shifted = Known { text: text.into(), parts: known.parts.clone() };
        self.spec(tree, Header::Kitem, &shifted, called);
    }

    /// Names of a kind that a function takes.
    fn names_of(&mut self, tree: usize, kind: NameKind, path: &str, value: &Value) {
        for known in &value.texts {
            let text = String::from_utf8_lossy(&known.text).into_owned();
            if kind == NameKind::Victim && self.tells_near_given_name(tree, known, &text) {
                continue;
            }
            if self.names.knows(kind, &text, &self.assigned) {
                continue;
            }
            // It may be the monster's own name, where `_` stands for a blank in its spec.
            let name = text.replace(' ', "_");
            if kind == NameKind::Victim && self.count(&name) > usize::from(name == text) {
                continue;
            }
            let message = format!("{path}: no {} is called '{text}'", kind.called());
            let advice = self.names.advice(kind, &text);
            let place = self.place_of(known, &text);
            let finding = Finding::of(codes::UNKNOWN_ARGUMENT, message, advice);
            self.tell(self.trees[tree].map, place, finding);
        }
    }

    fn compared(&mut self, tree: usize, kind: NameKind, path: &str, value: &Value) {
        for known in &value.texts {
            let text = String::from_utf8_lossy(&known.text).into_owned();
            if self.names.is_result(kind, &text) {
                continue;
            }
            let message = format!("{path}() is never '{text}'");
            let advice = self.names.advice(kind, &text);
            let place = self.place_of(known, &text);
            let finding = Finding::of(codes::UNKNOWN_ARGUMENT, message, advice);
            self.tell(self.trees[tree].map, place, finding);
        }
    }

    /// Returns where words of a string are written: in which of the literals it consists of.
    fn place_of(&self, known: &Known, culprit: &str) -> Range<usize> {
        let source = &self.file.source.text;
        let literals = known.parts.iter().filter(|(length, ..)| *length > 0);
        let mut places =
            literals.map(|(_, tree, span)| self.trees[*tree].lua.source_of(span)).peekable();
        let first = places.peek().cloned().unwrap_or(0..0);
        let find = |place: Range<usize>| {
            let text = source.get(place.clone())?;
            let words = culprit.as_bytes();
            let at = find_words(text, words)?;
            Some(place.start + at..place.start + at + words.len())
        };
        match culprit.is_empty() {
            true => first,
            false => places.find_map(find).unwrap_or(first),
        }
    }

    /// Reports a finding in the Lua of a tree.
    fn warn(&mut self, tree: usize, span: &Range<usize>, finding: Finding) {
        let Tree { map, lua, .. } = &self.trees[tree];
        self.tell(*map, lua.source_of(span), finding);
    }

    /// Reports a problem of a string. Errors keep their severity, except for one that occurs in a
    /// tree that compiles.
    fn tell_flaw(
        &mut self,
        map: Option<usize>,
        flaw: &Flaw,
        (severity, compiles): (Severity, bool),
        span: Range<usize>,
    ) {
        match flaw {
            // Trunk's own tree has such a book in a case that never occurs (spec 10 §2.5).
            Flaw::Error(error) => {
                let is_of_tree = compiles && error.culprit == NO_LEVELS;
                let severity = if is_of_tree { Severity::Warning } else { severity };
                let (code, message) = (Code::Spec(error.code), error.message.clone());
                self.tell(map, span, Finding { code, severity, message, advice: None });
            }
            Flaw::Lost(lost) => {
                let near = lost::near_word(lost, self.found.len(), self.engine.content());
                let (code, message, hint) = lost::told(lost, near.as_ref());
                let fix = lost::fix_of(lost, near.as_ref(), &self.file.source.text, &span);
                let before = self.found.len();
                let (severity, advice) = (Severity::Warning, Some(hint.into()));
                self.tell(map, span, Finding { code, severity, message, advice });
                for problem in &mut self.found[before..] {
                    problem.fix.clone_from(&fix);
                }
            }
        }
    }

    fn tell(&mut self, map: Option<usize>, span: Range<usize>, finding: Finding) {
        if !self.told.insert((span.start, span.end)) {
            return;
        }
        let name = |map: usize| self.file.tree.maps[map].name.str(&self.file.source.text);
        let map = map.map(|map| name(map).into_owned());
        let file = Arc::clone(self.file);
        let Finding { code, severity, message, advice } = finding;
        let near = advice.as_ref().and_then(|advice| advice.near.as_ref());
        let fix = near.and_then(|near| near.fix(&file.source.text, &span));
        let hint = advice.map(|advice| advice.hint);
        self.found.push(Problem { code, severity, message, hint, file, span, map, fix });
    }
}
