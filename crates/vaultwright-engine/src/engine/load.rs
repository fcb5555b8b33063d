//! Loading files: first the Lua outside maps, then map after map (spec 01 §11).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use vaultwright_content::Rules;
use vaultwright_lua::mlua::{Function, Value};
use vaultwright_lua::{Failure, GlobalNames, TextOf};
use vaultwright_map::{Dungeon, Selection};
use vaultwright_rng::Streams;
use vaultwright_syntax::{Grammar, Source};

use super::compiled::Outline;
use super::session::Engine;
use crate::compile::map::{COMPILE_SEED, compile_map, syntax_problem};
use crate::pack::library::{Library, LibraryMap, Origin};
use crate::pack::problem::{ChunkError, Problem};
use crate::pack::source_file::SourceFile;
use crate::pack::sources::EngineError;
use crate::script::problem::prelude_name;
use crate::state::host::Phase;
use crate::state::left_behind::LeftBehind;

/// The Lua outside maps after which a file's maps are compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prelude {
    /// That of all files.
    Common,
    /// That of all files, then the file's own once more.
    Own,
}

impl Prelude {
    /// Returns `Own` if later files override the file's own Lua.
    pub(super) fn of(is_overridden: bool) -> Prelude {
        if is_overridden { Prelude::Own } else { Prelude::Common }
    }
}

/// What happens to a map that fails when maps before it were skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Failing {
    /// It is tried again after those maps.
    TriedAgain,
    /// It stays failed.
    Kept,
}

impl Engine {
    /// Compiles sources, in order. Returns the problems found; maps with errors are left out.
    pub fn load(&mut self, sources: Vec<Source>) -> Vec<Problem> {
        let files = sources.into_iter().map(|source| Arc::new(SourceFile::new(source))).collect();
        self.load_files(files, &mut |_, _| true)
    }

    /// Compiles parsed files, without maps for which `wanted` returns false. Returns the problems
    /// found.
    pub fn load_files(
        &mut self,
        files: Vec<Arc<SourceFile>>,
        wanted: &mut dyn FnMut(&SourceFile, usize) -> bool,
    ) -> Vec<Problem> {
        self.load_files_told(files, wanted, &mut |_| {})
    }

    /// Like [`Engine::load_files`]; `prelude` is called with each file before its Lua outside maps
    /// runs.
    pub fn load_files_told(
        &mut self,
        files: Vec<Arc<SourceFile>>,
        wanted: &mut dyn FnMut(&SourceFile, usize) -> bool,
        prelude: &mut dyn FnMut(&SourceFile),
    ) -> Vec<Problem> {
        let files = in_grammar(files, &self.host.content.rules);
        let first = self.host.files.len();
        let (mut problems, overridden) = self.run_outside_maps(&files, None, prelude);
        let messages = self.host.messages.count();
        let mut library = (*self.host.library).clone();
        library.reserve(files.iter().map(|file| file.tree.maps.len()).sum());
        for (index, file) in files.iter().enumerate() {
            // Its maps are compiled with the file's own functions, even if later files replace
            // them.
            let own = Prelude::of(overridden.contains(&index));
            if own == Prelude::Own {
                prelude(file);
            }
            library.files.push(Arc::clone(file));
            problems.extend(self.compile_into(&mut library, first + index, file, own, wanted));
        }
        // What scripts stored in `dgn.persist` meanwhile must not reach games.
        self.restore();
        self.host.loading.told_while_compiling |= self.host.messages.count() > messages;
        self.host.library = Arc::new(library);
        problems
    }

    /// Compiles the wanted maps of a file for a library. Returns the problems found.
    pub(super) fn compile_into(
        &mut self,
        library: &mut Library,
        index: usize,
        file: &Arc<SourceFile>,
        prelude: Prelude,
        wanted: &mut dyn FnMut(&SourceFile, usize) -> bool,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (map, made) in self.compile_maps(index, file, prelude, Failing::TriedAgain, wanted) {
            let origin = Origin { file: index, map };
            let problem = match made {
                Ok(selection) => {
                    library.add(LibraryMap { file: Arc::clone(file), origin, selection })
                }
                Err(problem) => {
                    let name = file.tree.maps[map].name.str(&file.source.text).into_owned();
                    let problem = Arc::new(*problem);
                    library.add_broken(origin, name, Arc::clone(&problem));
                    Some(problem)
                }
            };
            problems.extend(problem.as_deref().cloned());
        }
        problems
    }

    /// Compiles the wanted maps of a file.
    pub(super) fn compile_maps(
        &mut self,
        index: usize,
        file: &Arc<SourceFile>,
        prelude: Prelude,
        failing: Failing,
        wanted: &mut dyn FnMut(&SourceFile, usize) -> bool,
    ) -> Vec<(usize, Result<Selection, Box<Problem>>)> {
        let mut made = Vec::with_capacity(file.tree.maps.len());
        // The file's own prelude, loaded when first needed. It is run again for each map.
        let mut own: Option<Function> = None;
        let mut skipped = Vec::new();
        let draws = self.host.streams_of(COMPILE_SEED);
        for map in 0..file.tree.maps.len() {
            if !wanted(file, map) {
                skipped.push(map);
                continue;
            }
            if prelude == Prelude::Own && own.is_none() {
                own = self.load_global_prelude(index, file);
                self.run_again(own.as_ref());
            }
            let mut compile = |map| {
                let result = self.compile(file, Origin { file: index, map }, &draws);
                if self.restore_between() {
                    self.run_again(own.as_ref());
                }
                result
            };
            let mut compiled = compile(map);
            if compiled.is_err() && failing == Failing::TriedAgain && !skipped.is_empty() {
                // It may need what earlier maps leave in `dgn.persist`.
                for before in skipped.drain(..) {
                    let _ = compile(before);
                }
                compiled = compile(map);
            }
            made.push((map, compiled));
        }
        self.note_left_behind(index);
        if own.is_some() {
            self.restore_but_persisted();
        }
        made
    }

    /// Restores what earlier files have left behind, as far as possible.
    pub(super) fn put_back_left_before(&mut self, index: usize) {
        let left = self.host.loading.left_before(index);
        if let Some(table) = self.persistent() {
            // This fails only if memory runs out, and then the maps will fail as well.
            let _ = left.fill(self.interpreter.lua(), &table);
        }
        self.host.loading.extra_flags = left.flags;
    }

    /// Records what the maps of a file have left behind, if it differs from what was there before
    /// them.
    fn note_left_behind(&mut self, index: usize) {
        let left = LeftBehind::of(self.persistent().as_ref(), &self.host.loading.extra_flags);
        let loading = &mut self.host.loading;
        if left != loading.left_before(index) {
            loading.left_behind.insert(index, left);
        }
    }

    /// Adds files and runs their Lua outside maps. Returns the problems of both, and the files
    /// whose globals are replaced by others. The result is the state that every map starts from.
    /// Files whose outlines are known are not parsed.
    pub(super) fn run_outside_maps(
        &mut self,
        files: &[Arc<SourceFile>],
        outlines: Option<&[Outline]>,
        prelude: &mut dyn FnMut(&SourceFile),
    ) -> (Vec<Problem>, HashSet<usize>) {
        let mut problems = Vec::new();
        let is_sound = |index: usize| {
            let outline = outlines.and_then(|outlines| outlines.get(index));
            outline.is_some_and(|outline| outline.is_sound)
        };
        for (_, file) in files.iter().enumerate().filter(|&(index, _)| !is_sound(index)) {
            problems.extend(file.tree.errors.iter().map(|error| syntax_problem(error, file)));
        }
        let first = self.host.files.len();
        self.host.files.extend(files.iter().cloned());
        self.host.phase = Phase::Compile;
        self.host.game.dungeon = Dungeon::unset(self.host.content.branches());
        let overridden = self.run_global_preludes(first, files, outlines, &mut problems, prelude);
        let numbers = overridden.iter().map(|index| first + index);
        self.host.loading.overridden.get_or_insert_default().extend(numbers);
        self.remember_start();
        (problems, overridden)
    }

    /// Compiles a text on its own, in an engine without maps. Returns the problems as messages.
    pub fn check_apart(&self, text: &str) -> Result<Vec<String>, EngineError> {
        let mut apart = Engine::with_content(self.options.clone(), Arc::clone(&self.host.content))?;
        let problems = apart.load(vec![Source::new("text", text.as_bytes())]);
        Ok(problems.into_iter().map(|problem| problem.message).collect())
    }

    /// Runs the Lua outside maps of all files, in order. Returns the files whose globals are
    /// replaced by others.
    fn run_global_preludes(
        &mut self,
        first: usize,
        files: &[Arc<SourceFile>],
        outlines: Option<&[Outline]>,
        problems: &mut Vec<Problem>,
        told: &mut dyn FnMut(&SourceFile),
    ) -> HashSet<usize> {
        let mut overridden = HashSet::new();
        let mut owner: HashMap<u64, usize> = HashMap::new();
        let mut globals = GlobalNames::default();
        let of_library: HashSet<u64> = globals.take_up(&self.interpreter).into_iter().collect();
        let mut given: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            let text = match outlines.and_then(|outlines| outlines.get(index)) {
                Some(outline) => outline.prelude.as_ref().map(|(_, text)| Cow::Borrowed(&text[..])),
                None => prelude_of(file).map(|(_, text)| Cow::Owned(text)),
            };
            let Some(text) = text else { continue };
            told(file);
            if let Some(problem) = self.run_prelude(first + index, file, &text) {
                let loading = &mut self.host.loading;
                loading.prelude_problems.push((first + index, problem.clone()));
                problems.push(problem);
            }
            for name in globals.take_up(&self.interpreter) {
                overridden.extend(owner.insert(name, index).filter(|&other| other != index));
                if !of_library.contains(&name) {
                    given.entry(name).or_default().push(first + index);
                }
            }
        }
        let texts = GlobalNames::texts_of(&self.interpreter, |name| given.contains_key(&name));
        let givers =
            texts.into_iter().filter_map(|(name, text)| Some((text, given.remove(&name)?)));
        self.host.loading.givers.extend(givers);
        overridden
    }

    pub(crate) fn run_global_prelude(
        &mut self,
        index: usize,
        file: &Arc<SourceFile>,
    ) -> Option<Problem> {
        self.run_prelude(index, file, &prelude_of(file)?.1)
    }

    /// Loads the Lua outside the maps of a file, ready to run. Returns `None` if there is none or
    /// it has errors.
    fn load_global_prelude(&self, index: usize, file: &SourceFile) -> Option<Function> {
        self.load_prelude(index, &prelude_of(file)?.1).ok()
    }

    /// Runs Lua outside maps again. Its errors have already been reported.
    fn run_again(&mut self, prelude: Option<&Function>) {
        let Some(prelude) = prelude else { return };
        self.interpreter.refill();
        // It may have given itself another environment.
        let globals = self.interpreter.lua().globals();
        if prelude.set_environment(globals).is_ok() {
            let _ = self.host.lend(|| prelude.call::<()>(()));
        }
    }

    fn load_prelude(&self, index: usize, text: &[u8]) -> Result<Function, Failure> {
        self.interpreter.load_of(&prelude_name(index), text, TextOf::File(index))
    }

    /// Runs the Lua outside the maps of a file whose text is available.
    fn run_prelude(
        &mut self,
        index: usize,
        file: &Arc<SourceFile>,
        text: &[u8],
    ) -> Option<Problem> {
        self.interpreter.refill();
        let error = match self.load_prelude(index, text) {
            Err(failure) => ChunkError::of_failure(failure, &self.host.files),
            Ok(function) => match self.host.lend(|| function.call::<()>(())) {
                Ok(()) => return None,
                Err(error) => ChunkError::of_lua(&error, &self.host),
            },
        };
        let span = file.tree.global_prelude.pieces.first().map_or(0..0, |piece| piece.span());
        Some(error.into_problem(file, span, None))
    }

    /// Compiles a map, and records whether it compiled without printing anything.
    fn compile(
        &mut self,
        file: &Arc<SourceFile>,
        origin: Origin,
        draws: &Streams,
    ) -> Result<Selection, Box<Problem>> {
        let host = &mut self.host;
        host.game.streams = draws.clone();
        let messages = host.messages.count();
        self.interpreter.refill();
        let compiled = compile_map(self.interpreter.lua(), host, file, origin);
        let is_quiet = host.messages.count() == messages;
        let loading = &mut host.loading;
        if compiled.is_ok() && is_quiet {
            let noting = &host.noting;
            let notes = noting.as_ref().and_then(|noting| noting.of_maps.get(&origin));
            let notes = notes.filter(|notes| !notes.is_empty()).cloned();
            loading.alone.insert(origin, notes.map(Box::new));
        }
        compiled
    }

    /// Undoes what compiling a map left behind, except for what it stored in `dgn.persist`. Returns
    /// whether any Lua has run.
    fn restore_between(&mut self) -> bool {
        let touched = std::mem::replace(&mut self.host.ran_lua, false);
        if touched {
            self.restore_but_persisted();
        }
        touched
    }

    fn restore_but_persisted(&mut self) {
        let kept = self.persistent();
        self.restore_but(kept.as_ref());
        let (Some(kept), Some(table)) = (kept, self.persistent()) else { return };
        // A script may have replaced the table.
        if kept != table {
            for (key, value) in kept.pairs::<Value, Value>().flatten() {
                // Setting an entry of a table without a metatable fails only if memory runs out.
                let _ = table.raw_set(key, value);
            }
        }
    }
}

/// Returns the Lua outside the maps of a file and its first line, if there is any.
pub(super) fn prelude_of(file: &SourceFile) -> Option<(u32, Vec<u8>)> {
    let (prelude, text) = (&file.tree.global_prelude, &file.source.text);
    (!prelude.is_empty(text)).then(|| (prelude.first_line().unwrap_or(1), prelude.to_lua(text)))
}

/// Returns the files in the grammar of the rules; they arrive parsed in the grammar of the
/// releases.
pub(super) fn in_grammar(files: Vec<Arc<SourceFile>>, rules: &Rules) -> Vec<Arc<SourceFile>> {
    let (level_flags, chance_priorities) = (rules.level_flags, rules.chance_priorities);
    let grammar = Grammar { level_flags, chance_priorities };
    if grammar == Grammar::default() {
        return files;
    }
    let parsed = |file: Arc<SourceFile>| SourceFile::in_grammar(file.source.clone(), grammar);
    files.into_iter().map(|file| Arc::new(parsed(file))).collect()
}

#[cfg(test)]
mod tests {
    use vaultwright_syntax::Source;

    use crate::engine::session::{Engine, EngineOptions};
    use crate::pack::sources::LIBRARY;

    #[test]
    fn every_file_of_the_library_can_be_required() {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        for (file, _) in LIBRARY {
            let text = format!("{{{{\ncrawl_require(\"{file}\")\n}}}}\n");
            let problems = engine.load(vec![Source::new("a.des", text.into_bytes())]);
            assert!(problems.is_empty(), "{file}: {}", problems[0].message);
        }
    }

    /// As 0.28 was asked: errors of hooks end the compiling of a map only around its epilogue.
    #[test]
    fn hooks_around_an_epilogue_run_when_a_map_is_compiled() {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        for (hook, fails) in [
            ("pre_epilogue", true),
            ("post_epilogue", true),
            ("epilogue", true),
            ("post_main", false),
            ("post_place", false),
        ] {
            let lua = format!(": hook('{hook}', function() error('in the hook') end)");
            let text = format!("NAME: {hook}\nDEPTH: D\nTAGS: no_exits\n{lua}\nMAP\nx\nENDMAP\n");
            let problems = engine.load(vec![Source::new(format!("{hook}.des"), text.into_bytes())]);
            assert_eq!(problems.len(), usize::from(fails), "{hook}");
            for problem in problems {
                assert!(problem.message.contains("in the hook"), "{}", problem.message);
            }
        }
    }
}
