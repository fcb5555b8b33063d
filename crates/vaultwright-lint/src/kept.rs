//! Cached findings: of maps, valid as long as their texts do not change, and of the Lua of files,
//! valid as long as what it asks of other files has the same answers, too.

use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};
use vaultwright_engine::{Edit, Engine, Library, LibraryMap, Origin, Problem, SourceFile};

/// The findings of single maps, cached while their files are edited.
///
/// It belongs to one engine, since findings also depend on the Lua outside maps.
#[derive(Default)]
pub struct KeptFindings(HashMap<Arc<str>, OfFile>);

struct OfFile {
    file: Arc<SourceFile>,
    maps: HashMap<usize, OwnFindings>,
    lua: Option<LuaFindings>,
}

/// The findings in the Lua of a file.
#[derive(Clone, Default)]
pub struct LuaFindings {
    /// The findings.
    pub problems: Vec<Problem>,
    /// What they depend on in the other files.
    pub sought: Vec<SoughtName>,
}

/// What is asked about a name, in checking the Lua of a file, of the Lua of all files; with the
/// answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SoughtName {
    /// Whether the Lua of any file assigns to it.
    Assigned(String, bool),
    /// The files whose Lua outside maps gives it, and whether each has maps.
    Given(String, Vec<(usize, bool)>),
}

/// The findings in a map that do not depend on other maps.
#[derive(Clone)]
pub(crate) struct OwnFindings {
    pub(crate) problems: Vec<Problem>,
    /// Whether there is a single drawing, so that more can be checked.
    pub(crate) is_one_drawing: bool,
}

/// The findings in a file, stored by one process and loaded by others.
pub struct KeptOfFile<'k> {
    /// The file.
    pub file: &'k Arc<SourceFile>,
    /// The findings in each of its maps, in order.
    pub maps: Vec<KeptOfMap<'k>>,
    /// The findings in its Lua, if that was checked.
    pub lua: Option<&'k LuaFindings>,
}

/// The findings in a single map.
pub struct KeptOfMap<'k> {
    /// The number of the map in the file, from 0.
    pub map: usize,
    /// The findings.
    pub problems: &'k [Problem],
    /// Whether there is a single drawing, so that more can be checked.
    pub is_one_drawing: bool,
}

impl KeptFindings {
    /// Returns the cached findings, in the order of files.
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

    /// Adds what an engine of the same pack has found in a map with exactly this text.
    pub fn take_up(
        &mut self,
        file: &Arc<SourceFile>,
        map: usize,
        problems: Vec<Problem>,
        is_one_drawing: bool,
    ) {
        self.of_file(file).maps.insert(map, OwnFindings { problems, is_one_drawing });
    }

    /// Adds what was found in the Lua of a file whose maps compiled with the same result as now.
    pub fn take_up_lua(&mut self, file: &Arc<SourceFile>, found: LuaFindings) {
        self.of_file(file).lua = Some(found);
    }

    /// Returns the findings in the Lua of exactly this file, if searching for names gives the same
    /// results as then.
    pub(crate) fn lua_of(
        &self,
        file: &Arc<SourceFile>,
        is_as_then: impl Fn(&SoughtName) -> bool,
    ) -> Option<&LuaFindings> {
        let kept = self.0.get(&file.source.name).filter(|kept| Arc::ptr_eq(&kept.file, file))?;
        kept.lua.as_ref().filter(|lua| lua.sought.iter().all(is_as_then))
    }

    fn of_file(&mut self, file: &Arc<SourceFile>) -> &mut OfFile {
        let name = Arc::clone(&file.source.name);
        let new = || OfFile { file: Arc::clone(file), maps: HashMap::new(), lua: None };
        self.0.entry(name).or_insert_with(new)
    }

    /// Removes and returns the findings of the maps in files, at their current positions.
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

    /// Caches the findings of a map.
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
