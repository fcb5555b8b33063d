//! Findings of maps, kept as long as their texts stay.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use vaultwright_engine::{Edit, Engine, Library, LibraryMap, Origin, Problem, SourceFile};

/// What was found in maps by themselves, kept while somebody writes in their files.
///
/// It belongs to one engine: what is found depends on the Lua outside maps as well.
#[derive(Default)]
pub struct KeptFindings(HashMap<Arc<str>, OfFile>);

struct OfFile {
    file: Arc<SourceFile>,
    maps: HashMap<usize, OwnFindings>,
}

/// What is found in a map by itself, whatever other maps there are.
#[derive(Clone)]
pub(crate) struct OwnFindings {
    pub(crate) problems: Vec<Problem>,
    /// Whether the drawing is one, so that more can be said of the map.
    pub(crate) is_one_drawing: bool,
}

impl KeptFindings {
    /// Takes out what is known of the maps of files, where these are now.
    pub(crate) fn take(
        &mut self,
        engine: &Engine,
        library: &Library,
        wanted: &dyn Fn(&SourceFile) -> bool,
    ) -> HashMap<Origin, OwnFindings> {
        let mut known = HashMap::new();
        let files = library.files.iter().enumerate().filter(|(_, file)| wanted(file));
        for (index, file) in files {
            let Some(mut old) = self.0.remove(&file.source.name) else { continue };
            for (map, before) in old.file.same_maps(file) {
                let origin = Origin { file: index, map };
                if let Some(own) = old.maps.remove(&before).filter(|_| engine.is_alone(origin)) {
                    let (from, to) = (&old.file.tree.maps[before].span, &file.tree.maps[map].span);
                    known.insert(origin, own.moved(from.start, to.start, file));
                }
            }
        }
        known
    }

    /// Keeps what was found in a map.
    pub(crate) fn put(&mut self, entry: &LibraryMap, own: OwnFindings) {
        let span = &entry.syntax().span;
        let is_within = |part: &Range<usize>| span.start <= part.start && part.end <= span.end;
        let is_own = |problem: &Problem| {
            let edits = problem.fix.iter().flat_map(|fix| &fix.edits);
            is_within(&problem.span) && edits.map(|edit| &edit.span).all(is_within)
        };
        if !own.problems.iter().all(is_own) {
            return;
        }
        let file = &entry.file;
        let slot = self
            .0
            .entry(Arc::clone(&file.source.name))
            .or_insert_with(|| OfFile { file: Arc::clone(file), maps: HashMap::new() });
        slot.maps.insert(entry.origin.map, own);
    }
}

impl OwnFindings {
    fn moved(mut self, from: usize, to: usize, file: &Arc<SourceFile>) -> OwnFindings {
        let moved = |span: &Range<usize>| span.start - from + to..span.end - from + to;
        for problem in &mut self.problems {
            problem.span = moved(&problem.span);
            problem.file = Arc::clone(file);
            for Edit { span, .. } in problem.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
                *span = moved(span);
            }
        }
        self
    }
}
