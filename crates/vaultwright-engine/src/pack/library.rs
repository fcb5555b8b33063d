//! The compiled maps of a pack, in load order.

use std::ops::{Index, Range};
use std::sync::Arc;

use foldhash::HashMap;
use vaultwright_content::BranchId;
use vaultwright_map::{DepthRanges, MapId, Selection};
use vaultwright_syntax::Map;

use super::problem::{Code, Problem, Severity};
use super::source_file::SourceFile;

/// A compiled map: its source, and what selection needs of it (spec 01 §10.6).
#[derive(Clone)]
pub struct LibraryMap {
    /// The file that contains the map.
    pub file: Arc<SourceFile>,
    /// The place of the map in the files.
    pub origin: Origin,
    /// What selection needs of it: name, tags, places, orientation, chance and weight.
    pub selection: Selection,
}

impl LibraryMap {
    /// Returns the map as written.
    pub fn syntax(&self) -> &Map {
        self.file.map(self.origin.map)
    }
}

/// A map that does not compile.
#[derive(Clone, Debug)]
pub struct BrokenMap {
    /// The place of the map in the files.
    pub origin: Origin,
    /// The map's name.
    pub name: String,
    /// Why it does not compile.
    pub problem: Arc<Problem>,
}

/// Why a name is that of no map to work with.
#[derive(Clone, Copy, Debug)]
pub enum Unnamed<'l> {
    /// A map of this name does not compile.
    DoesNotCompile(&'l BrokenMap),
    /// There is none.
    Unknown,
}

/// The compiled maps of a pack, in load order.
#[derive(Clone, Default)]
pub struct Library {
    /// The files in load order.
    pub files: Vec<Arc<SourceFile>>,
    /// The maps in load order.
    pub maps: Vec<LibraryMap>,
    /// The maps that do not compile, in load order.
    pub broken: Vec<BrokenMap>,
    /// Maps that are broken only because another map has their name.
    duplicates: Vec<LibraryMap>,
    /// For each map, the branches for which its DEPTH and PLACE must be read.
    branches: Vec<NamedBranches>,
    by_name: HashMap<String, MapId>,
    by_tag: HashMap<String, Vec<MapId>>,
}

/// The result of recompiling a map of a file.
pub(crate) enum Made {
    /// A new definition.
    Anew(Box<Selection>),
    /// The same definition as this map.
    AsBefore(MapId),
}

impl Library {
    /// Returns the name of a map.
    pub fn name_of(&self, map: MapId) -> &str {
        &self[map].selection.name
    }

    /// Reserves room for this many more maps.
    pub(crate) fn reserve(&mut self, maps: usize) {
        self.maps.reserve_exact(maps);
        self.branches.reserve_exact(maps);
    }

    /// Adds a compiled map. Returns a problem if there is already a map with its name.
    pub(crate) fn add(&mut self, map: LibraryMap) -> Option<Arc<Problem>> {
        let id = MapId(self.maps.len());
        let name = &map.selection.name;
        if let Some(&first) = self.by_name.get(name) {
            let problem = Arc::new(duplicate(&map, &self[first]));
            let (origin, name) = (map.origin, name.clone());
            self.broken.push(BrokenMap { origin, name, problem: Arc::clone(&problem) });
            self.duplicates.push(map);
            return Some(problem);
        }
        self.by_name.insert(name.clone(), id);
        for tag in &map.selection.tags {
            self.by_tag.entry(tag.clone()).or_default().push(id);
        }
        self.branches.push(NamedBranches::of(&map.selection));
        self.maps.push(map);
        None
    }

    /// Adds a map that does not compile.
    pub(crate) fn add_broken(&mut self, origin: Origin, name: String, problem: Arc<Problem>) {
        self.broken.push(BrokenMap { origin, name, problem });
    }

    /// Returns the indices of the maps of a file.
    pub(crate) fn of_file(&self, file: usize) -> Range<usize> {
        let start = self.maps.partition_point(|map| map.origin.file < file);
        start..self.maps.partition_point(|map| map.origin.file <= file)
    }

    /// Replaces the maps of a file, or appends those of a new one: both compiled and broken maps.
    /// Afterwards the library is the same as if it had been loaded this way.
    pub(crate) fn replace(
        &mut self,
        index: usize,
        file: &Arc<SourceFile>,
        made: Vec<(usize, Made)>,
        broken: Vec<BrokenMap>,
    ) {
        match self.files.get_mut(index) {
            Some(slot) => *slot = Arc::clone(file),
            None => self.files.push(Arc::clone(file)),
        }
        let range = self.of_file(index);
        let is_as_before = |(old, (_, new)): (usize, &(usize, Made))| match new {
            Made::AsBefore(before) => before.0 == old,
            Made::Anew(new) => {
                let old = &self.maps[old].selection;
                old.name == new.name && old.tags == new.tags
            }
        };
        let same_names = self.duplicates.is_empty()
            && range.len() == made.len()
            && range.clone().zip(&made).all(is_as_before);
        self.broken.retain(|map| map.origin.file != index);
        self.broken.extend(broken);
        if same_names {
            let slots = self.maps[range.clone()].iter_mut().zip(&mut self.branches[range]);
            for ((slot, branches), (map, made)) in slots.zip(made) {
                slot.file = Arc::clone(file);
                slot.origin = Origin { file: index, map };
                if let Made::Anew(selection) = made {
                    *branches = NamedBranches::of(&selection);
                    slot.selection = *selection;
                }
            }
        } else {
            let made = made.into_iter().map(|(map, made)| {
                let selection = match made {
                    Made::Anew(selection) => *selection,
                    Made::AsBefore(before) => std::mem::take(&mut self.maps[before.0].selection),
                };
                LibraryMap {
                    file: Arc::clone(file),
                    origin: Origin { file: index, map },
                    selection,
                }
            });
            let made = made.collect();
            self.add_all_again(index, made);
        }
        self.broken.sort_by_key(|map| (map.origin.file, map.origin.map));
    }

    /// Rebuilds the indices by name and tag, with these maps in a file.
    fn add_all_again(&mut self, file: usize, made: Vec<LibraryMap>) {
        let mut all = std::mem::take(&mut self.maps);
        all.append(&mut self.duplicates);
        all.retain(|map| map.origin.file != file);
        all.extend(made);
        all.sort_by_key(|map| (map.origin.file, map.origin.map));
        self.broken.retain(|map| map.problem.code != Code::DuplicateName);
        self.branches.clear();
        self.by_name.clear();
        self.by_tag.clear();
        for map in all {
            self.add(map);
        }
    }

    /// Returns the maps in load order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (MapId, &LibraryMap)> {
        self.maps.iter().enumerate().map(|(index, map)| (MapId(index), map))
    }

    /// Returns the maps whose DEPTH may allow a level of a branch, in load order. No other map
    /// does.
    pub(crate) fn maybe_by_depth(&self, branch: BranchId) -> impl Iterator<Item = MapId> {
        let is_named = move |named: &NamedBranches| named.by_depth & bit(branch) != 0;
        (0..)
            .map(MapId)
            .zip(&self.branches)
            .filter(move |(_, named)| is_named(named))
            .map(|at| at.0)
    }

    /// Returns the maps whose PLACE may be a level of a branch, in load order. No other map's is.
    pub(crate) fn maybe_by_place(&self, branch: BranchId) -> impl Iterator<Item = MapId> {
        let is_named = move |named: &NamedBranches| named.by_place & bit(branch) != 0;
        (0..)
            .map(MapId)
            .zip(&self.branches)
            .filter(move |(_, named)| is_named(named))
            .map(|at| at.0)
    }

    /// Returns the map, if it is in the library.
    pub fn get(&self, id: MapId) -> Option<&LibraryMap> {
        self.maps.get(id.0)
    }

    /// Returns the map with this name.
    pub fn find(&self, name: &str) -> Option<MapId> {
        self.by_name.get(name).copied()
    }

    /// Returns the map that somebody means who names it. Of two maps of one name nobody knows which
    /// is meant: a draft may have the name of another.
    ///
    /// # Errors
    ///
    /// If there is none, or what there is does not compile.
    pub fn named(&self, name: &str) -> Result<MapId, Unnamed<'_>> {
        let is_second = |map: &BrokenMap| map.problem.code == Code::DuplicateName;
        match (self.find(name), self.find_broken(name)) {
            (Some(index), None) => Ok(index),
            (Some(index), Some(map)) if !is_second(map) => Ok(index),
            (_, Some(map)) => Err(Unnamed::DoesNotCompile(map)),
            (None, None) => Err(Unnamed::Unknown),
        }
    }

    /// Returns the first of the maps of this name that do not compile.
    pub fn find_broken(&self, name: &str) -> Option<&BrokenMap> {
        self.broken.iter().find(|map| map.name == name)
    }

    /// Returns the tags of all maps, unordered, with the number of maps that have each.
    pub fn tags(&self) -> impl Iterator<Item = (&str, usize)> {
        self.by_tag.iter().map(|(tag, maps)| (tag.as_str(), maps.len()))
    }

    /// Returns the number of maps with a tag.
    pub fn count_with_tag(&self, tag: &str) -> usize {
        self.by_tag.get(tag).map_or(0, Vec::len)
    }

    /// Returns the maps that have all of the given tags, in load order.
    pub fn with_tags<'a>(&'a self, tags: &'a [&'a str]) -> impl Iterator<Item = MapId> + 'a {
        let rarest = tags
            .iter()
            .map(|&tag| self.by_tag.get(tag).map_or(&[][..], Vec::as_slice))
            .min_by_key(|list| list.len())
            .unwrap_or(&[]);
        let all = move |&id: &MapId| tags.iter().all(|tag| self[id].selection.tags.contains(*tag));
        rarest.iter().copied().filter(all)
    }
}

impl Index<MapId> for Library {
    type Output = LibraryMap;

    fn index(&self, id: MapId) -> &LibraryMap {
        &self.maps[id.0]
    }
}

/// The branches named by a map's DEPTH and PLACE, as bits. A branch shares its bit with those whose
/// numbers differ by 64. Thousands of maps are checked for each level, and few of them name its
/// branch.
#[derive(Clone, Copy)]
struct NamedBranches {
    by_depth: u64,
    by_place: u64,
}

impl NamedBranches {
    fn of(map: &Selection) -> NamedBranches {
        let named = |ranges: &DepthRanges| {
            let bits = ranges.0.iter().map(|range| range.branch.map_or(u64::MAX, bit));
            bits.fold(0, |all, bits| all | bits)
        };
        NamedBranches { by_depth: named(&map.depths), by_place: named(&map.place) }
    }
}

fn bit(branch: BranchId) -> u64 {
    1 << (branch.0 % 64)
}

fn duplicate(map: &LibraryMap, first: &LibraryMap) -> Problem {
    let name = map.selection.name.clone();
    Problem {
        code: Code::DuplicateName,
        severity: Severity::Error,
        message: format!("a map named '{name}' exists already"),
        hint: Some(format!(
            "the other one is at {}:{}; rename one of them",
            first.file.source.name,
            first.syntax().line
        )),
        file: Arc::clone(&map.file),
        span: map.syntax().name.span(),
        map: Some(name),
        fix: None,
    }
}

/// The place of a map: the index of its file in load order, and its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Index of the file.
    pub file: usize,
    /// Index of the map in its file.
    pub map: usize,
}
