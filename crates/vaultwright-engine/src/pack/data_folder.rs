//! Finds the data folder: from any folder of a tree that the user names, or around a file.

use std::path::{Path, PathBuf};

use super::sources::DataRoot;

/// Where the data lies below a clone's root, its `crawl-ref`, its source folder or an unpacked
/// game, an installation's prefix, and a bundle for macOS.
const BELOW: &[&str] =
    &["crawl-ref/source/dat", "source/dat", "dat", "share/crawl/dat", "Contents/Resources/dat"];

/// Those of them that are looked for around a file. An installed game is never around one's files.
const AROUND: &[&str] = &["dat", "source/dat", "crawl-ref/source/dat"];

impl DataRoot {
    /// Returns the root that a path means: a pack or a `dat` folder itself, the root of a clone or
    /// its `crawl-ref/source`, the folder of an installed game, or the folder that its program lies
    /// in. A folder without vaults of its own, with one tree somewhere below it, means that tree.
    /// Any other folder is a root of its own. `None` if there is no such folder.
    pub fn named(path: &Path) -> Option<DataRoot> {
        let folder = if path.is_dir() {
            path
        } else if is_program(path) {
            path.parent()?
        } else {
            return None;
        };
        let own = ["des", "dlua", "tables"].iter().any(|name| folder.join(name).is_dir());
        if own || folder.join("pack.json").is_file() {
            return Some(DataRoot::Directory(folder.to_owned()));
        }
        let below = BELOW.iter().map(|way| folder.join(way));
        // /usr/games and /usr/share/crawl, or bin and share/crawl of any other prefix.
        let has_program =
            ["crawl", "crawl-tiles"].iter().any(|name| is_program(&folder.join(name)));
        let beside = has_program.then(|| folder.join("../share/crawl/dat"));
        let data = below.chain(beside).find(|data| is_crawl(data));
        let data = data.or_else(|| only_tree_below(folder));
        Some(DataRoot::Directory(data.unwrap_or_else(|| folder.to_owned())))
    }

    /// Returns the root of the tree or pack that a file or folder is inside of, found by walking
    /// up; below the current folder its path is relative, as people write it.
    pub fn around(path: &Path) -> Option<DataRoot> {
        let here = std::env::current_dir().ok()?;
        let mut full = here.join(path);
        if full.components().any(|part| part == std::path::Component::ParentDir) {
            full = full.canonicalize().ok()?;
        }
        // Who comes by a link into a tree is in it as well.
        let data = tree_above(&full).or_else(|| tree_above(&full.canonicalize().ok()?))?;
        let shorter = data.strip_prefix(&here).map(Path::to_owned);
        Some(DataRoot::Directory(match shorter {
            Ok(shorter) if shorter.as_os_str().is_empty() => PathBuf::from("."),
            Ok(shorter) => shorter,
            Err(_) => data,
        }))
    }
}

/// Returns the tree or pack that a full path is inside of.
fn tree_above(full: &Path) -> Option<PathBuf> {
    full.ancestors().find_map(|folder| {
        let itself = folder.join("pack.json").is_file() || is_tree(folder);
        let below = || AROUND.iter().map(|way| folder.join(way)).find(|data| is_tree(data));
        if itself { Some(folder.to_owned()) } else { below() }
    })
}

/// Returns whether a folder that was not named by the user is a tree: a game's data, or what a
/// partial checkout has left of it, vaults without a library.
fn is_tree(folder: &Path) -> bool {
    is_crawl(folder)
        || folder.file_name().is_some_and(|n| n == "dat") && folder.join("des").is_dir()
}

/// Returns whether a folder holds Crawl's data: every version has this file.
fn is_crawl(folder: &Path) -> bool {
    folder.join("dlua/dungeon.lua").is_file()
}

/// How deep below a named folder a tree is looked for, and in how many folders: a fork may have
/// its data in another place than Crawl, but not in any.
const DEEPEST: usize = 4;
const MOST_FOLDERS: usize = 2000;

/// Returns the only tree below a folder that holds no vaults itself.
fn only_tree_below(folder: &Path) -> Option<PathBuf> {
    let (mut found, mut level, mut looked) = (None, vec![folder.to_owned()], 0);
    for depth in 0..DEEPEST {
        let mut next = Vec::new();
        for path in level.iter().flat_map(std::fs::read_dir).flatten().flatten() {
            let is_folder = path.file_type().is_ok_and(|kind| kind.is_dir());
            let path = path.path();
            if depth == 0 && path.extension().is_some_and(|ending| ending == "des") {
                return None;
            }
            let hidden = path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b"."));
            if !is_folder || hidden {
                continue;
            }
            looked += 1;
            if looked > MOST_FOLDERS {
                return None;
            }
            if !is_crawl(&path) {
                next.push(path);
            } else if found.replace(path).is_some() {
                return None;
            }
        }
        level = next;
    }
    found
}

fn is_program(path: &Path) -> bool {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    path.is_file() && matches!(name, Some("crawl" | "crawl-tiles"))
}
