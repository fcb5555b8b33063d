use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright_content::Edition;
use vaultwright_syntax::{File, LineIndex, Source, parse};

/// Where `.des` files and Lua libraries come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataRoot {
    /// The starter pack inside the program.
    Embedded,
    /// The `dat` folder of Crawl, or a pack with the same layout.
    Directory(PathBuf),
}

/// A `.des` file with its tree.
#[derive(Debug)]
pub struct SourceFile {
    /// The text and the name it is reported under.
    pub source: Source,
    /// What it holds.
    pub tree: File,
    /// Where its lines begin.
    pub lines: LineIndex,
}

impl SourceFile {
    /// Parses a source.
    pub fn new(source: Source) -> SourceFile {
        let tree = parse(&source.text);
        let lines = LineIndex::new(&source.text);
        SourceFile { source, tree, lines }
    }
}

macro_rules! library_file {
    ($path:literal) => {
        (concat!("dlua/", $path), include_str!(concat!("../lua/", $path)))
    };
}

/// The embedded library files: path below the data root, text.
pub(crate) const LIBRARY: &[(&str, &str)] = &[
    library_file!("util.lua"),
    library_file!("iter.lua"),
    library_file!("point.lua"),
    library_file!("fnwrap.lua"),
    library_file!("equipment.lua"),
    library_file!("dungeon.lua"),
    library_file!("luamark.lua"),
    library_file!("lm_fog.lua"),
    library_file!("vault.lua"),
    library_file!("sprint.lua"),
    library_file!("gauntlet.lua"),
    library_file!("ghost.lua"),
    library_file!("layout/layout.lua"),
    library_file!("layout/minimum_map_area.lua"),
    library_file!("layout/procedural.lua"),
    library_file!("layout/procedural_complex.lua"),
    library_file!("layout/procedural_primitives.lua"),
    library_file!("layout/procedural_transform.lua"),
    library_file!("layout/theme.lua"),
    library_file!("layout/zonify.lua"),
];

/// The embedded `.des` files.
const STARTER: &[(&str, &str)] = &[
    ("starter/layouts.des", include_str!("../../../packs/starter/layouts.des")),
    ("starter/places.des", include_str!("../../../packs/starter/places.des")),
    ("starter/vaults.des", include_str!("../../../packs/starter/vaults.des")),
];

/// An error of the file system, with the path.
#[derive(Debug)]
pub struct ReadError {
    /// What was to be read.
    pub path: PathBuf,
    /// Why it was not.
    pub cause: std::io::Error,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for ReadError {}

impl DataRoot {
    /// The rules that the data was written for (design: detected from its marker library).
    pub fn detect_edition(&self) -> Edition {
        match self {
            DataRoot::Embedded => Edition::Trunk,
            DataRoot::Directory(dir) if dir.join("dlua/lm_mslav.lua").is_file() => Edition::V0_28,
            DataRoot::Directory(_) => Edition::Trunk,
        }
    }

    /// Reads a data file such as `dlua/util.lua`.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        let embedded = || {
            let file = LIBRARY.iter().find(|(name, _)| *name == path);
            file.map(|(_, text)| text.as_bytes().to_vec())
        };
        match self {
            DataRoot::Embedded => embedded(),
            DataRoot::Directory(dir) => match std::fs::read(dir.join(path)) {
                Ok(text) => Some(text),
                // A pack without a library of its own stands on ours.
                Err(_) if !self.has_own_library() => embedded(),
                Err(_) => None,
            },
        }
    }

    /// Whether the root brings its own Lua library.
    pub fn has_own_library(&self) -> bool {
        matches!(self, DataRoot::Directory(dir) if dir.join("dlua/dungeon.lua").is_file())
    }

    /// All `.des` files in load order: sorted bytewise by full path, as an installed Crawl does.
    pub fn des_sources(&self) -> Result<Vec<Source>, ReadError> {
        match self {
            DataRoot::Embedded => {
                let source = |&(name, text): &(&'static str, &'static str)| {
                    Source::new(name, text.as_bytes())
                };
                Ok(STARTER.iter().map(source).collect())
            }
            DataRoot::Directory(dir) => {
                let des = dir.join("des");
                let folder = if des.is_dir() { des } else { dir.clone() };
                des_files_below(&folder)?.iter().map(|path| read_source(path)).collect()
            }
        }
    }
}

/// Reads a source file.
pub fn read_source(path: &Path) -> Result<Source, ReadError> {
    let text = std::fs::read(path).map_err(|cause| ReadError { path: path.to_owned(), cause })?;
    Ok(Source::new(path.to_string_lossy(), Arc::<[u8]>::from(text)))
}

/// The `.des` files below a folder, sorted bytewise by path.
pub fn des_files_below(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |cause| ReadError { path: folder.clone(), cause };
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "des") {
                found.push(path);
            }
        }
    }
    found.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, EngineOptions};

    #[test]
    fn every_file_of_the_library_can_be_required() {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        for (file, _) in LIBRARY {
            let text = format!("{{{{\ncrawl_require(\"{file}\")\n}}}}\n");
            let problems = engine.load(vec![Source::new("a.des", text.into_bytes())]);
            assert!(problems.is_empty(), "{file}: {}", problems[0].message);
        }
    }
}
