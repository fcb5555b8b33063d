//! Taking up a file anew, while somebody writes in it.

use std::sync::Arc;

use vaultwright_map::Dungeon;
use vaultwright_syntax::Source;

use super::load::in_grammar;
use super::session::Engine;
use crate::compile::map::syntax_problem;
use crate::pack::library::Library;
use crate::pack::problem::Problem;
use crate::pack::sources::SourceFile;
use crate::state::host::Phase;

impl Engine {
    /// Compiles a file in the place of the loaded one of the same name, or behind all files; what is
    /// wrong with it. None, and nothing has happened, if its Lua outside maps is not what it was: other
    /// files may depend on that, so that all have to be loaded again.
    ///
    /// A map whose name another file has, too, is found as in a new engine as long as no name goes over
    /// from a file to another.
    pub fn reload_file(&mut self, source: Source) -> Option<Vec<Problem>> {
        let parsed = vec![Arc::new(SourceFile::new(source))];
        let file = in_grammar(parsed, &self.host.content.rules).pop()?;
        let index = self.index_of_file(&file.source.name);
        let old = self.host.files.borrow().get(index).cloned();
        if !has_same_prelude(old.as_deref(), &file) {
            return None;
        }
        let mut problems: Vec<Problem> =
            file.tree.errors.iter().map(|error| syntax_problem(error, &file)).collect();
        if index >= self.host.files.borrow().len() {
            return self.add_file(file, problems);
        }
        self.host.files.borrow_mut()[index] = Arc::clone(&file);
        self.forget_runs_of(index);
        let before = self.library();
        let mut library = Library::default();
        library.files.clone_from(&before.files);
        library.files[index] = Arc::clone(&file);
        let (earlier, later) = before.maps.iter().partition::<Vec<_>, _>(|m| m.origin.file < index);
        // A name that stands twice belongs to the first.
        for map in earlier {
            let _ = library.add(map.clone());
        }
        problems.extend(self.compile_alone(&mut library, index, &file));
        let later = later.into_iter().filter(|map| map.origin.file > index);
        for map in later {
            let _ = library.add(map.clone());
        }
        let name = &file.source.name;
        let others = before.broken.iter().filter(|map| map.problem.file.source.name != *name);
        library.broken.extend(others.cloned());
        *self.host.library.borrow_mut() = Arc::new(library);
        Some(problems)
    }

    /// The index of a loaded file, or that of the next one.
    fn index_of_file(&self, name: &str) -> usize {
        let files = self.host.files.borrow();
        files.iter().position(|file| &*file.source.name == name).unwrap_or(files.len())
    }

    fn add_file(&self, file: Arc<SourceFile>, mut problems: Vec<Problem>) -> Option<Vec<Problem>> {
        let index = self.host.files.borrow().len();
        self.host.files.borrow_mut().push(Arc::clone(&file));
        let mut library = (*self.library()).clone();
        library.files.push(Arc::clone(&file));
        problems.extend(self.compile_alone(&mut library, index, &file));
        *self.host.library.borrow_mut() = Arc::new(library);
        Some(problems)
    }

    fn compile_alone(
        &self,
        library: &mut Library,
        index: usize,
        file: &Arc<SourceFile>,
    ) -> Vec<Problem> {
        self.host.phase.set(Phase::Compile);
        *self.host.dungeon.borrow_mut() = Dungeon::unset(self.host.content.branches());
        let own = !file.tree.global_prelude.is_empty(&file.source.text);
        let problems = self.compile_maps(library, index, file, own, &mut |_, _| true);
        // What is kept in `dgn.persist` meanwhile is nothing to games.
        self.restore();
        problems
    }

    /// Forgets what was compiled and noted of the maps of a file.
    fn forget_runs_of(&self, index: usize) {
        self.host.chunks.borrow_mut().retain(|(origin, _), _| origin.file != index);
        if let Some(noting) = self.host.noting.borrow_mut().as_mut() {
            noting.0.retain(|origin, _| origin.file != index);
        }
    }
}

/// Whether the Lua outside maps is the same, on the same lines.
fn has_same_prelude(old: Option<&SourceFile>, new: &SourceFile) -> bool {
    let text_of = |file: &SourceFile| {
        let prelude = &file.tree.global_prelude;
        let text = prelude.to_lua(&file.source.text);
        (!prelude.is_empty(&file.source.text)).then(|| (prelude.first_line(), text))
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
        let rows = rolled.map.grid.rows().iter().map(|row| String::from_utf8_lossy(row));
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
    fn cells_know_their_lines() {
        let text = "NAME: a\nTAGS: a_tag no_rotate no_hmirror no_vmirror\nSUBST: q = w\nMAP\nxq@\nENDMAP\n\
                    NAME: b\nTAGS: b_tag no_rotate no_hmirror no_vmirror\nMAP\nxx@\nENDMAP\n: local n = 1\n\
                    : subst(\"x = .\")\n";
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        assert!(engine.load(vec![source("a.des", text)]).is_empty());
        engine.note_cells(true);
        let lines = |engine: &mut Engine, map| {
            let rolled = engine.resolve(map, 1).expect("a roll");
            rolled.lines.expect("lines").at(vaultwright_map::Point::new(1, 0)).to_vec()
        };
        assert_eq!(lines(&mut engine, 0), [5, 3]);
        assert_eq!(lines(&mut engine, 1), [10, 13]);
    }
}
