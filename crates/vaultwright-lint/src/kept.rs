//! Findings of maps, kept as long as their texts stay.

use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use vaultwright_engine::{Edit, Engine, Library, LibraryMap, Origin, Problem, SourceFile};

/// What was found in maps by themselves, kept while their files are edited.
///
/// It belongs to one engine: what is found depends on the Lua outside maps as well.
#[derive(Default)]
pub struct KeptFindings(HashMap<Arc<str>, OfFile>);

struct OfFile {
    file: Arc<SourceFile>,
    maps: HashMap<usize, OwnFindings>,
    lua: Option<LuaFindings>,
}

/// What was found in the Lua of a file.
#[derive(Clone, Default)]
pub struct LuaFindings {
    /// What was found.
    pub problems: Vec<Problem>,
    /// The names for which the Lua of all files was searched, and whether any assigns to them.
    pub sought: Vec<(String, bool)>,
}

/// What is found in a map by itself, whatever other maps there are.
#[derive(Clone)]
pub(crate) struct OwnFindings {
    pub(crate) problems: Vec<Problem>,
    /// Whether the drawing is one, so that more can be said of the map.
    pub(crate) is_one_drawing: bool,
}

/// What was found in a file, to be kept by one process and taken up by others.
pub struct KeptOfFile<'k> {
    /// The file.
    pub file: &'k Arc<SourceFile>,
    /// What was found in its maps by themselves, in order.
    pub maps: Vec<KeptOfMap<'k>>,
    /// What was found in its Lua, if that was looked at.
    pub lua: Option<&'k LuaFindings>,
}

/// What was found in a map by itself.
pub struct KeptOfMap<'k> {
    /// Which map of the file it is, from 0.
    pub map: usize,
    /// What was found.
    pub problems: &'k [Problem],
    /// Whether the drawing is one, so that more can be said of the map.
    pub is_one_drawing: bool,
}

impl KeptFindings {
    /// Returns what is kept, in order of files.
    pub fn iter(&self) -> impl Iterator<Item = KeptOfFile<'_>> {
        let mut files: Vec<&OfFile> = self.0.values().collect();
        files.sort_by_key(|file| &file.file.source.name);
        files.into_iter().map(|OfFile { file, maps, lua }| {
            let maps = maps.iter().map(|(&map, own)| {
                let OwnFindings { problems, is_one_drawing } = own;
                KeptOfMap { map, problems, is_one_drawing: *is_one_drawing }
            });
            let mut maps: Vec<KeptOfMap> = maps.collect();
            maps.sort_by_key(|kept| kept.map);
            KeptOfFile { file, maps, lua: lua.as_ref() }
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

    /// Takes up what was found in the Lua of a file, whose maps have compiled as they do now.
    pub fn take_up_lua(&mut self, file: &Arc<SourceFile>, found: LuaFindings) {
        self.of_file(file).lua = Some(found);
    }

    /// Returns what was found in the Lua of this very file, if searching for names says what it
    /// said then.
    pub(crate) fn lua_of(
        &self,
        file: &Arc<SourceFile>,
        is_assigned_anywhere: impl Fn(&str) -> bool,
    ) -> Option<&LuaFindings> {
        let kept = self.0.get(&file.source.name).filter(|kept| Arc::ptr_eq(&kept.file, file))?;
        let is_same = |(name, answer): &(String, bool)| is_assigned_anywhere(name) == *answer;
        kept.lua.as_ref().filter(|lua| lua.sought.iter().all(is_same))
    }

    fn of_file(&mut self, file: &Arc<SourceFile>) -> &mut OfFile {
        let name = Arc::clone(&file.source.name);
        let new = || OfFile { file: Arc::clone(file), maps: HashMap::new(), lua: None };
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
            let is_the_same = Arc::ptr_eq(&old.file, file);
            if let Some(lua) = old.lua.take().filter(|_| is_the_same) {
                self.take_up_lua(file, lua);
            }
            let same: HashMap<usize, usize> = match is_the_same {
                true => old.maps.keys().map(|&map| (map, map)).collect(),
                false => old.file.same_maps(file).into_iter().collect(),
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
