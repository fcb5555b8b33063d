use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::BranchId;
use vaultwright_map::MapDef;
use vaultwright_syntax::Map;

use crate::problem::Problem;
use crate::sources::SourceFile;

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

/// A map in use: a library entry, or a working copy in which its Lua runs.
pub struct MapCell {
    /// The definition.
    pub def: RefCell<MapDef>,
    /// Whether it is being compiled.
    pub validating: Cell<bool>,
    /// Where it is written.
    pub origin: Origin,
}

/// Where a map is written: the file in load order, the map in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Index of the file.
    pub file: usize,
    /// Index of the map in its file.
    pub map: usize,
}

impl MapCell {
    /// A map in use.
    pub fn new(def: MapDef, origin: Origin) -> Rc<MapCell> {
        Rc::new(MapCell { def: RefCell::new(def), validating: Cell::new(false), origin })
    }
}

/// Which maps and tags have been used, and which subvaults are pending (spec 04 §4).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UsedMaps {
    /// Names used in this game.
    pub names: BTreeSet<String>,
    /// `uniq_` tags used in this game.
    pub tags: BTreeSet<String>,
    /// Names used on this level.
    pub level_names: BTreeSet<String>,
    /// `luniq_` tags used on this level.
    pub level_tags: BTreeSet<String>,
    /// `buniq_` tags used in the current branch.
    pub branch_tags: BTreeSet<String>,
    /// The current branch, and what has been used in the others.
    branch: BranchId,
    other_branches: HashMap<BranchId, BTreeSet<String>>,
    /// The Abyss has names and tags of its own: those that are not in force now, and whether its are.
    #[serde(default)]
    elsewhere: (BTreeSet<String>, BTreeSet<String>),
    #[serde(default)]
    in_abyss: bool,
    /// Subvaults merged into the map being resolved: name and tags.
    pub pending: Vec<(String, Vec<String>)>,
}

impl UsedMaps {
    /// Makes a branch the current one, perhaps the Abyss.
    pub fn enter_branch(&mut self, branch: BranchId, is_abyss: bool) {
        if is_abyss != self.in_abyss {
            std::mem::swap(&mut self.names, &mut self.elsewhere.0);
            std::mem::swap(&mut self.tags, &mut self.elsewhere.1);
            self.in_abyss = is_abyss;
        }
        if branch != self.branch {
            let left = std::mem::take(&mut self.branch_tags);
            self.other_branches.insert(self.branch, left);
            self.branch_tags = self.other_branches.remove(&branch).unwrap_or_default();
            self.branch = branch;
        }
    }

    /// Notes the use of a map (spec 04 §4.2).
    pub fn add<'a>(&mut self, name: &str, tags: impl Iterator<Item = &'a String>, branch: bool) {
        let tags: Vec<&String> = tags.collect();
        let has = |wanted: &str| tags.iter().any(|tag| *tag == wanted);
        if !has("allow_dup") {
            self.names.insert(name.to_owned());
        }
        if has("luniq") {
            self.level_names.insert(name.to_owned());
        }
        for tag in tags {
            if tag.starts_with("uniq_") {
                self.tags.insert(tag.clone());
            } else if tag.starts_with("luniq_") {
                self.level_tags.insert(tag.clone());
            } else if branch && tag.starts_with("buniq_") {
                self.branch_tags.insert(tag.clone());
            }
        }
    }

    /// Whether a map may not be used again.
    pub fn excludes(&self, map: &MapDef, branch_unique_tags: bool) -> bool {
        let pending = |(name, tags): &(String, Vec<String>)| {
            let named = *name == map.name
                && (!tags.iter().any(|t| t == "allow_dup") || tags.iter().any(|t| t == "luniq"));
            named
                || tags.iter().any(|tag| is_unique_tag(tag, branch_unique_tags) && map.has_tag(tag))
        };
        self.names.contains(&map.name)
            || self.level_names.contains(&map.name)
            || map.tags.iter().any(|tag| {
                self.tags.contains(tag)
                    || self.level_tags.contains(tag)
                    || self.branch_tags.contains(tag)
            })
            || self.pending.iter().any(pending)
    }
}

fn is_unique_tag(tag: &str, branch_unique_tags: bool) -> bool {
    tag.starts_with("uniq_")
        || tag.starts_with("luniq_")
        || (branch_unique_tags && tag.starts_with("buniq_"))
}
