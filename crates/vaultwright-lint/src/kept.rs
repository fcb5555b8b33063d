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

/// What was found in a map by itself, to be kept by one process and taken up by others.
pub struct KeptOfMap<'k> {
    /// Its file.
    pub file: &'k Arc<SourceFile>,
    /// Which map of the file it is, from 0.
    pub map: usize,
    /// What was found.
    pub problems: &'k [Problem],
    /// Whether the drawing is one, so that more can be said of the map.
    pub is_one_drawing: bool,
}

impl KeptFindings {
    /// Returns what is kept, in order of files and maps.
    pub fn iter(&self) -> impl Iterator<Item = KeptOfMap<'_>> {
        let mut files: Vec<&OfFile> = self.0.values().collect();
        files.sort_by_key(|file| &file.file.source.name);
        files.into_iter().flat_map(|OfFile { file, maps }| {
            let mut maps: Vec<(&usize, &OwnFindings)> = maps.iter().collect();
            maps.sort_by_key(|(map, _)| **map);
            maps.into_iter().map(move |(&map, own)| {
                let OwnFindings { problems, is_one_drawing } = own;
                KeptOfMap { file, map, problems, is_one_drawing: *is_one_drawing }
            })
        })
    }

    /// Takes up what an engine of the same pack has found in a map of this very text.
    pub fn take_up(
        &mut self,
        file: &Arc<SourceFile>,
        map: usize,
        problems: Vec<Problem>,
        is_one_drawing: bool,
    ) {
        self.of_file(file).maps.insert(map, OwnFindings { problems, is_one_drawing });
    }

    fn of_file(&mut self, file: &Arc<SourceFile>) -> &mut OfFile {
        let name = Arc::clone(&file.source.name);
        let new = || OfFile { file: Arc::clone(file), maps: HashMap::new() };
        self.0.entry(name).or_insert_with(new)
    }

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
            let same: HashMap<usize, usize> = match Arc::ptr_eq(&old.file, file) {
                true => old.maps.keys().map(|&map| (map, map)).collect(),
                false => old.file.same_maps(file),
            };
            for (map, before) in same {
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
        self.of_file(&entry.file).maps.insert(entry.origin.map, own);
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
