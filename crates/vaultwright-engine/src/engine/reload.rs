//! Reloading a file that is being edited: compiles only maps that have changed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use vaultwright_map::{MapId, Selection};
use vaultwright_syntax::{Map, Source};

use super::load::{Failing, Prelude, in_grammar};
use super::session::Engine;
use crate::compile::map::syntax_problem;
use crate::pack::library::{BrokenMap, Made, Origin};
use crate::pack::problem::Problem;
use crate::pack::source_file::SourceFile;
use crate::state::game::RunningGame;
use crate::state::glyph_notes::GlyphNotes;
use crate::state::host::Phase;
use crate::state::looked_up::LookedUp;

impl Engine {
    /// Compiles a file in place of the loaded one with the same name, or after all files. Compiles
    /// only maps whose text has changed, and returns the problems of the file. Returns `None`, and
    /// does nothing, if the file's Lua outside maps has changed, as other files may depend on it,
    /// or if earlier files left values in `dgn.persist` that are not plain: all must be loaded
    /// again.
    pub fn reload_file(&mut self, source: Source) -> Option<Vec<Problem>> {
        let parsed = vec![Arc::new(SourceFile::new(source))];
        let file = in_grammar(parsed, &self.host.content.rules).pop()?;
        let index = self.index_of_file(&file.source.name);
        let old = self.host.files.get(index).cloned();
        let is_put_back = self.host.loading.left_before(index).is_plain();
        if !is_put_back || !has_same_prelude(old.as_deref(), &file) {
            return None;
        }
        if let Some(old) = &old {
            self.move_problems(old, &file)?;
        }
        let files = &mut self.host.files;
        match files.get_mut(index) {
            Some(before) => *before = Arc::clone(&file),
            None => files.push(Arc::clone(&file)),
        }
        let notes = self.forget_runs_of(index);
        // As in a new engine, there are no maps yet while some are compiled.
        let mut library = std::mem::take(&mut self.host.library);
        let before = library.of_file(index).map(|at| (at, library.maps[at].origin));
        let mut before: HashMap<usize, usize> =
            before.map(|(at, origin)| (origin.map, at)).collect();
        before.retain(|map, _| notes.contains_key(map));
        let same = old.map(|old| old.same_maps(&file)).unwrap_or_default();
        let as_before = |map: usize| {
            let old = same.get(&map)?;
            Some((*before.get(old)?, notes.get(old)?))
        };
        let mut made = Vec::new();
        for map in 0..file.tree.maps.len() {
            if let Some((at, notes)) = as_before(map) {
                self.remember_notes(Origin { file: index, map }, notes.as_deref());
                made.push((map, Made::AsBefore(MapId(at))));
            }
        }
        let mut broken = Vec::new();
        for (map, compiled) in self.compile_alone(index, &file, &|map| as_before(map).is_none()) {
            match compiled {
                Ok(selection) => made.push((map, Made::Anew(Box::new(selection)))),
                Err(problem) => broken.push(BrokenMap {
                    origin: Origin { file: index, map },
                    name: file.tree.maps[map].name.str(&file.source.text).into_owned(),
                    problem: Arc::new(*problem),
                }),
            }
        }
        made.sort_by_key(|(map, _)| *map);
        Arc::make_mut(&mut library).replace(index, &file, made, broken);
        self.host.library = library;
        // What scripts looked up belongs to the previous maps.
        self.host.looked_up = LookedUp::default();
        Some(self.problems_in(&file.source.name))
    }

    /// Returns the problems that loading has found in the current file of this name.
    pub fn problems_in(&self, name: &str) -> Vec<Problem> {
        let library = &self.host.library;
        let file = library.files.iter().find(|file| *file.source.name == *name);
        let syntax = file.into_iter().flat_map(|file| {
            file.tree.errors.iter().map(|error| syntax_problem(error, file)).collect::<Vec<_>>()
        });
        let loading = &self.host.loading;
        let outside = loading.prelude_problems.iter().map(|(_, problem)| problem);
        let of_maps = library.broken.iter().map(|broken| &*broken.problem);
        let others = outside.chain(of_maps).filter(|problem| *problem.file.source.name == *name);
        syntax.chain(others.cloned()).collect()
    }

    /// Returns whether the result of compiling a map depends only on its text and on the state that
    /// every map starts from.
    pub fn is_alone(&self, origin: Origin) -> bool {
        let loading = &self.host.loading;
        !loading.left_behind.contains_key(&origin.file) && loading.alone.contains_key(&origin)
    }

    /// Runs `f`, and returns whether scripts or specs asked for other maps during the call.
    pub fn asks_for_maps(&mut self, f: impl FnOnce(&mut Engine)) -> bool {
        let before = std::mem::replace(&mut self.host.asked_library, false);
        f(self);
        let asked = self.host.asked_library;
        self.host.asked_library = before || asked;
        asked
    }

    /// Returns the index of a loaded file, or the next free index.
    fn index_of_file(&self, name: &str) -> usize {
        let files = &self.host.files;
        files.iter().position(|file| &*file.source.name == name).unwrap_or(files.len())
    }

    fn compile_alone(
        &mut self,
        index: usize,
        file: &Arc<SourceFile>,
        wanted: &dyn Fn(usize) -> bool,
    ) -> Vec<(usize, Result<Selection, Box<Problem>>)> {
        // Scripts must see what they see in a new engine, whatever this one has done.
        let host = &mut self.host;
        host.phase = Phase::Compile;
        host.game = RunningGame {
            streams: host.game.streams.clone(),
            branch_epilogues: std::mem::take(&mut host.game.branch_epilogues),
            ..RunningGame::unbegun(host.content.branches())
        };
        let overridden = self.host.loading.overridden.as_ref().map(|all| all.contains(&index));
        let own =
            overridden.unwrap_or_else(|| !file.tree.global_prelude.is_empty(&file.source.text));
        let own = Prelude::of(own);
        self.put_back_left_before(index);
        let made = self.compile_maps(index, file, own, Failing::Kept, &mut |_, map| wanted(map));
        // What scripts stored in `dgn.persist` meanwhile must not reach games.
        self.restore();
        made
    }

    /// Discards what was compiled and recorded for the maps of a file. Returns the notes about maps
    /// that need not be compiled again as long as their text stays the same.
    fn forget_runs_of(&mut self, index: usize) -> HashMap<usize, Option<Box<GlyphNotes>>> {
        self.host.chunks.retain(|(origin, _), _| origin.file != index);
        if let Some(noting) = self.host.noting.as_mut() {
            noting.of_maps.retain(|origin, _| origin.file != index);
        }
        let loading = &mut self.host.loading;
        let own: Vec<Origin> =
            loading.alone.keys().filter(|origin| origin.file == index).copied().collect();
        let notes =
            own.into_iter().filter_map(|origin| Some((origin.map, loading.alone.remove(&origin)?)));
        let notes = notes.collect();
        if loading.left_behind.remove(&index).is_some() { HashMap::new() } else { notes }
    }

    pub(super) fn remember_notes(&mut self, origin: Origin, notes: Option<&GlyphNotes>) {
        if let Some(noting) = self.host.noting.as_mut() {
            noting.of_maps.insert(origin, notes.cloned().unwrap_or_default());
        }
        let notes = notes.cloned().map(Box::new);
        self.host.loading.alone.insert(origin, notes);
    }

    /// Moves the problems of the Lua outside maps along with it, including those of other files'
    /// maps in it. Returns `None`, and does nothing, if that is not possible.
    fn move_problems(&mut self, old: &Arc<SourceFile>, new: &Arc<SourceFile>) -> Option<()> {
        let is_here = |problem: &Problem| Arc::ptr_eq(&problem.file, old);
        let moved = |problem: &Problem| {
            let span = moved_span(&problem.span, old, new)?;
            Some(Problem { file: Arc::clone(new), span, ..problem.clone() })
        };
        let index = self.index_of_file(&old.source.name);
        let loading = &mut self.host.loading;
        let mut outside = loading.prelude_problems.clone();
        for (_, problem) in outside.iter_mut().filter(|(_, problem)| is_here(problem)) {
            *problem = moved(problem)?;
        }
        let library = &mut self.host.library;
        let is_foreign =
            |broken: &BrokenMap| broken.origin.file != index && is_here(&broken.problem);
        if library.broken.iter().any(is_foreign) {
            let mut broken = library.broken.clone();
            for broken in broken.iter_mut().filter(|broken| is_foreign(broken)) {
                broken.problem = Arc::new(moved(&broken.problem)?);
            }
            Arc::make_mut(library).broken = broken;
        }
        loading.prelude_problems = outside;
        Some(())
    }
}

impl SourceFile {
    /// Returns the maps that are the same in another text of this file, as pairs of their number
    /// there and here.
    pub fn same_maps(&self, other: &SourceFile) -> HashMap<usize, usize> {
        let mut by_text: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, map) in self.tree.maps.iter().enumerate().rev() {
            by_text.entry(&self.source.text[map.span.clone()]).or_default().push(number);
        }
        let mut same = HashMap::new();
        for (number, map) in other.tree.maps.iter().enumerate() {
            let text = &other.source.text[map.span.clone()];
            let Some(numbers) = by_text.get_mut(text) else { continue };
            let is_same = |&here: &usize| is_same_map(self, &self.tree.maps[here], other, map);
            if let Some(at) = numbers.iter().rposition(is_same) {
                same.insert(number, numbers.remove(at));
            }
        }
        same
    }
}

/// Returns whether two maps with the same text are the same in everything that compiling depends
/// on.
fn is_same_map(file: &SourceFile, map: &Map, other_file: &SourceFile, other: &Map) -> bool {
    let depth = |file: &SourceFile, map: &Map| {
        let depth = &file.tree.default_depths[map.default_depth?];
        Some(depth.text.bytes(&file.source.text).to_vec())
    };
    let pieces = |map: &Map| {
        let chunks = map.chunks.iter().enumerate();
        let pieces = chunks.flat_map(|(kind, chunk)| chunk.pieces.iter().map(move |p| (kind, p)));
        let of_piece = pieces.map(|(kind, piece)| {
            let at = |place: usize| place.wrapping_sub(map.span.start);
            let span = at(piece.span().start)..at(piece.span().end);
            let line = piece.line.wrapping_sub(map.line);
            (kind, line, span, std::mem::discriminant(&piece.body))
        });
        of_piece.collect::<Vec<_>>()
    };
    depth(file, map) == depth(other_file, other) && pieces(map) == pieces(other)
}

/// Returns the new span of bytes of the Lua outside maps, if it has only moved.
fn moved_span(span: &Range<usize>, old: &SourceFile, new: &SourceFile) -> Option<Range<usize>> {
    let (olds, news) = (&old.tree.global_prelude.pieces, &new.tree.global_prelude.pieces);
    let at = olds
        .iter()
        .position(|piece| piece.span().start <= span.start && span.end <= piece.span().end)?;
    let (from, to) = (olds[at].span(), news.get(at)?.span());
    let is_same = old.source.text[from.clone()] == new.source.text[to.clone()];
    let start = to.start + (span.start - from.start);
    is_same.then_some(start..start + span.len())
}

/// Returns whether the Lua outside maps is the same, apart from its position.
fn has_same_prelude(old: Option<&SourceFile>, new: &SourceFile) -> bool {
    let text_of = |file: &SourceFile| {
        let prelude = &file.tree.global_prelude;
        (!prelude.is_empty(&file.source.text)).then(|| prelude.to_lua(&file.source.text))
    };
    old.and_then(text_of) == text_of(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::session::EngineOptions;

    fn source(name: &str, text: &str) -> Source {
        Source::new(name, text.as_bytes())
    }

    fn rows(engine: &mut Engine, map: &str) -> String {
        let index = engine.library().find(map).expect("a map");
        let rolled = engine.resolve(index, 1).expect("a roll");
        let rows = rolled.map.grid.rows().map(|row| String::from_utf8_lossy(row));
        rows.collect::<Vec<_>>().join("/")
    }

    const A: &str = "NAME: a\nTAGS: some_tag no_rotate no_hmirror no_vmirror\nMAP\nx.@\nENDMAP\n";

    #[test]
    fn a_file_takes_the_place_of_what_it_was() {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        let b = "NAME: b\nTAGS: other_tag\nSUBVAULT: y : some_tag\nMAP\nyy@\nENDMAP\n";
        assert!(engine.load(vec![source("a.des", A), source("b.des", b)]).is_empty());
        assert_eq!(rows(&mut engine, "a"), "x.@");
        let changed = A.replace("x.@", "v.@");
        assert_eq!(engine.reload_file(source("a.des", &changed)).map(|p| p.len()), Some(0));
        assert_eq!(rows(&mut engine, "a"), "v.@");
        assert_eq!(engine.library().maps.len(), 2);
        let wrong = A.replace("\nMAP\n", "\nMONS: no such thing\nMAP\n").replace(": a", ": c");
        let problems = engine.reload_file(source("a.des", &wrong)).expect("no Lua");
        assert_eq!(problems.len(), 1);
        assert!(
            engine.library().find("a").is_none() && engine.library().find_broken("c").is_some()
        );
        assert_eq!(engine.reload_file(source("n.des", A)).map(|p| p.len()), Some(0));
        assert!(engine.library().find("a").is_some());
        let lua = format!("{{{{ x = 1 }}}}\n{A}");
        assert!(engine.reload_file(source("a.des", &lua)).is_none());
    }

    #[test]
    fn what_cannot_be_put_back_makes_all_be_loaded() {
        let b = "NAME: b\nTAGS: b_tag no_exits\n: dgn.persist.kept()\nMAP\nx\nENDMAP\n";
        for (kept, is_reloaded) in [("function() end", false), ("{}", true)] {
            let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
            let a = A.replace("MAP\nx", &format!(": dgn.persist.kept = {kept}\nMAP\nx"));
            let before = engine.load(vec![source("a.des", &a), source("b.des", b)]);
            assert_eq!(before.is_empty(), !is_reloaded);
            let problems = engine.reload_file(source("b.des", &b.replace("\nx", "\nxx")));
            assert_eq!(problems.is_some(), is_reloaded, "{kept}");
        }
    }

    #[test]
    fn cells_know_their_lines() {
        let text = "NAME: a\nTAGS: a_tag no_rotate no_hmirror no_vmirror\nSUBST: q = w\nMAP\nxq@\nENDMAP\n\
                    NAME: b\nTAGS: b_tag no_rotate no_hmirror no_vmirror\nMAP\nxx@\nENDMAP\n: local n = 1\n\
                    : subst(\"x = .\")\n";
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        assert!(engine.load(vec![source("a.des", text)]).is_empty());
        let lines = |engine: &mut Engine, map| {
            let rolled = engine.resolve_with_lines(map, 1).expect("a roll");
            rolled.lines.expect("lines").at(vaultwright_map::Point::new(1, 0)).to_vec()
        };
        assert_eq!(lines(&mut engine, MapId(0)), [5, 3]);
        assert_eq!(lines(&mut engine, MapId(1)), [10, 13]);
    }
}
