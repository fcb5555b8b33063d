//! Finding the data folder: from any folder of a tree that the user names, or around a file.

use std::path::{Path, PathBuf};

use super::sources::{DataRoot, files_below};

/// Where the data is below the root of a clone, its `crawl-ref`, its source folder or an unpacked
/// game, the prefix of an installation, and a macOS bundle.
const BELOW: &[&str] =
    &["crawl-ref/source/dat", "source/dat", "dat", "share/crawl/dat", "Contents/Resources/dat"];

/// Those searched around a file. An installed game is never around the user's files.
const AROUND: &[&str] = &["dat", "source/dat", "crawl-ref/source/dat"];

impl DataRoot {
    /// Returns the data root that a path stands for: a pack or a `dat` folder itself, the root of a
    /// clone or its `crawl-ref/source`, the folder of an installed game, or the folder that
    /// contains its program. A folder without vaults of its own, and with exactly one tree or pack
    /// below it, stands for that. Any other folder is its own root. Returns `None` if there is no
    /// such folder.
    pub fn named(path: &Path) -> Option<DataRoot> {
        let folder = if path.is_dir() {
            path
        } else if is_program(path) {
            path.parent()?
        } else {
            return None;
        };
        let own = ["des", "dlua", "tables"].iter().any(|name| folder.join(name).is_dir());
        if own || is_declared(folder) {
            return Some(DataRoot::Directory(folder.to_owned()));
        }
        let below = BELOW.iter().map(|way| folder.join(way));
        // /usr/games and /usr/share/crawl, or bin and share/crawl of any other prefix.
        let has_program =
            ["crawl", "crawl-tiles"].iter().any(|name| is_program(&folder.join(name)));
        let beside = has_program.then(|| folder.join("../share/crawl/dat"));
        let data = below.chain(beside).find(|data| is_crawl(data));
        let data = data.or_else(|| only_tree_below(folder, &NAMED));
        Some(DataRoot::Directory(data.unwrap_or_else(|| folder.to_owned())))
    }

    /// Returns the trees and packs below a folder that contains no vaults itself, if there are
    /// several and the path is therefore ambiguous.
    pub(crate) fn several_below(path: &Path) -> Option<Vec<PathBuf>> {
        let means_itself = DataRoot::named(path)? == DataRoot::Directory(path.to_owned());
        let trees = if means_itself { trees_below(path, &NAMED) } else { Vec::new() };
        (trees.len() > 1).then_some(trees)
    }

    /// Returns the root that a path stands for, like [`DataRoot::named`], if it is usable.
    ///
    /// # Errors
    ///
    /// What is wrong with the folder, to be printed after its name.
    pub fn asked_for(path: &Path) -> Result<DataRoot, String> {
        let root = DataRoot::named(path).ok_or("is not a folder")?;
        if let Some(trees) = DataRoot::several_below(path) {
            let trees: Vec<String> = trees.iter().map(|tree| tree.display().to_string()).collect();
            return Err(format!("holds several trees or packs: {}", trees.join(", ")));
        }
        match root.holds_nothing() {
            true => Err("holds neither vaults nor a pack".to_owned()),
            false => Ok(root),
        }
    }

    /// Returns whether the folder contains nothing usable.
    pub fn holds_nothing(&self) -> bool {
        let DataRoot::Directory(folder) = self else { return false };
        let marks = ["pack.json", "des", "dlua", "tables", "dungeon.lua", "map.lua"];
        !marks.iter().any(|mark| folder.join(mark).exists())
            && files_below(folder, "des").is_ok_and(|files| files.is_empty())
    }

    /// Returns the trees of the clone around a folder, if there are several and the folder is in
    /// none of them.
    pub fn several_around(path: &Path) -> Option<Vec<PathBuf>> {
        let full: PathBuf = std::env::current_dir().ok()?.join(path).components().collect();
        let clone = full.ancestors().find(|folder| is_clone(folder))?;
        let trees = trees_below(clone, &AROUND_FILES);
        (trees.len() > 1).then_some(trees)
    }

    /// Returns the root of the tree or pack that contains a file or folder, found by walking up.
    /// Below the current folder, its path is relative, as people write it.
    pub fn around(path: &Path) -> Option<DataRoot> {
        let here = std::env::current_dir().ok()?;
        let mut full = here.join(path);
        if full.components().any(|part| part == std::path::Component::ParentDir) {
            full = full.canonicalize().ok()?;
        }
        // A path that enters a tree by a link is in it as well.
        let data = tree_above(&full).or_else(|| tree_above(&full.canonicalize().ok()?))?;
        let shorter = data.strip_prefix(&here).map(Path::to_owned);
        Some(DataRoot::Directory(match shorter {
            Ok(shorter) if shorter.as_os_str().is_empty() => PathBuf::from("."),
            Ok(shorter) => shorter,
            Err(_) => data,
        }))
    }
}

/// Returns the tree or pack that contains a full path.
fn tree_above(full: &Path) -> Option<PathBuf> {
    let mut in_clone = false;
    full.ancestors().find_map(|folder| {
        if is_declared(folder) || is_tree(folder) {
            return Some(folder.to_owned());
        }
        let below = AROUND.iter().map(|way| folder.join(way)).find(|data| is_tree(data));
        // Of other folders only the root of a clone is searched, since searching takes time.
        let is_root = below.is_none() && !in_clone && is_clone(folder);
        in_clone |= is_root;
        below.or_else(|| is_root.then(|| only_tree_below(folder, &AROUND_FILES)).flatten())
    })
}

/// Returns whether a folder is the root of a clone, or of a downloaded copy of one.
fn is_clone(folder: &Path) -> bool {
    [".git", ".github", ".gitmodules"].iter().any(|mark| folder.join(mark).exists())
}

/// Returns whether a folder that the user did not name is a tree: a game's data, or what a partial
/// checkout has left of it, vaults without a library.
fn is_tree(folder: &Path) -> bool {
    is_crawl(folder)
        || folder.file_name().is_some_and(|n| n == "dat") && folder.join("des").is_dir()
}

/// Returns whether a folder contains Crawl's data: every version has this file. If it cannot be
/// read, even if it is a folder, that is reported rather than ignored.
fn is_crawl(folder: &Path) -> bool {
    folder.join("dlua/dungeon.lua").symlink_metadata().is_ok()
}

/// How far to search for a tree below a folder: a fork may have its data elsewhere than Crawl, but
/// not everywhere.
struct Search {
    deepest: usize,
    most_folders: usize,
    most_entries: usize,
    /// Whether packs count, too.
    packs: bool,
}

/// Below a folder that the user names.
const NAMED: Search = Search { deepest: 6, most_folders: 2000, most_entries: 20_000, packs: true };
/// Below the root of a clone that contains the files. In a project with Crawl as a submodule, the
/// data is this deep; elsewhere the search must be too short to notice.
const AROUND_FILES: Search =
    Search { deepest: 4, most_folders: 500, most_entries: 10_000, packs: false };

/// Returns the only tree below a folder that contains no vaults itself.
fn only_tree_below(folder: &Path, search: &Search) -> Option<PathBuf> {
    match <[PathBuf; 1]>::try_from(trees_below(folder, search)) {
        Ok([tree]) => Some(tree),
        Err(_) => None,
    }
}

/// Returns the trees below a folder that contains no vaults itself, including linked ones; none if
/// there is too much to search.
fn trees_below(folder: &Path, search: &Search) -> Vec<PathBuf> {
    let (mut found, mut level) = (Vec::new(), vec![folder.to_owned()]);
    let (mut looked, mut entries) = (0, 0);
    for depth in 0..search.deepest {
        let mut next = Vec::new();
        for path in level.iter().flat_map(std::fs::read_dir).flatten().flatten() {
            entries += 1;
            let Ok(kind) = path.file_type() else { continue };
            let path = path.path();
            let is_vault = depth == 0 && path.extension().is_some_and(|ending| ending == "des");
            if is_vault || entries > search.most_entries {
                return Vec::new();
            }
            let hidden = path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b"."));
            if hidden || !(kind.is_dir() || kind.is_symlink()) || is_cache(&path) {
                continue;
            }
            looked += 1;
            if looked > search.most_folders {
                return Vec::new();
            }
            if is_crawl(&path) || search.packs && path.join("pack.json").is_file() {
                let same = |other: &PathBuf| other.canonicalize().ok() == path.canonicalize().ok();
                if !found.iter().any(same) {
                    found.push(path);
                }
            } else if kind.is_dir() {
                next.push(path);
            }
        }
        level = next;
    }
    found.sort_unstable();
    found
}

/// Returns whether a folder is marked as generated by a program (bford.info/cachedir), such as
/// Cargo's target folder.
fn is_cache(folder: &Path) -> bool {
    folder.join("CACHEDIR.TAG").is_file()
}

fn is_program(path: &Path) -> bool {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    path.is_file() && matches!(name, Some("crawl" | "crawl-tiles"))
}
/// Returns whether a folder has the declaration of a pack. A pipe in its place counts, and is told
/// when it is read.
fn is_declared(folder: &Path) -> bool {
    let declaration = folder.join("pack.json");
    declaration.exists() && !declaration.is_dir()
}
