//! The compiled maps of a pack, in load order.

use std::collections::HashMap;
use std::sync::Arc;

use vaultwright_map::MapDef;
use vaultwright_syntax::Map;

use super::problem::Problem;
use super::sources::SourceFile;

/// A compiled map: its source, and what selection knows of it (spec 01 §10.6).
#[derive(Clone)]
pub struct LibraryMap {
    /// The file it stands in.
    pub file: Arc<SourceFile>,
    /// Where it is written.
    pub origin: Origin,
    /// Name, tags, places, orientation, chance and weight as compiled.
    pub definition: MapDef,
}

impl LibraryMap {
    /// The map as written.
    pub fn syntax(&self) -> &Map {
        &self.file.tree.maps[self.origin.map]
    }
}

/// A map that does not compile.
#[derive(Clone, Debug)]
pub struct BrokenMap {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub problem: Arc<Problem>,
}

/// All maps in load order.
#[derive(Clone, Default)]
pub struct Library {
    /// The files in load order.
    pub files: Vec<Arc<SourceFile>>,
    /// The maps in load order.
    pub maps: Vec<LibraryMap>,
    /// The maps that do not compile, in load order.
    pub broken: Vec<BrokenMap>,
    by_name: HashMap<String, usize>,
    by_tag: HashMap<String, Vec<usize>>,
}

impl Library {
    /// Adds a map; the index of the one that has the name already, if any.
    pub fn add(&mut self, map: LibraryMap) -> Result<usize, usize> {
        let index = self.maps.len();
        let name = map.definition.name.clone();
        if let Some(&first) = self.by_name.get(&name) {
            return Err(first);
        }
        self.by_name.insert(name, index);
        for tag in &map.definition.tags {
            self.by_tag.entry(tag.clone()).or_default().push(index);
        }
        self.maps.push(map);
        Ok(index)
    }

    /// The index of a map of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The first of the maps of this name that do not compile.
    pub fn find_broken(&self, name: &str) -> Option<&BrokenMap> {
        self.broken.iter().find(|map| map.name == name)
    }

    /// The maps with all of the given tags, in load order.
    pub fn with_tags<'a>(&'a self, tags: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
        let rarest = tags
            .iter()
            .map(|&tag| self.by_tag.get(tag).map_or(&[][..], Vec::as_slice))
            .min_by_key(|list| list.len())
            .unwrap_or(&[]);
        let all = move |&index: &usize| {
            tags.iter().all(|tag| self.maps[index].definition.tags.contains(*tag))
        };
        rarest.iter().copied().filter(all)
    }
}

/// Where a map is written: the file in load order, the map in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Index of the file.
    pub file: usize,
    /// Index of the map in its file.
    pub map: usize,
}
