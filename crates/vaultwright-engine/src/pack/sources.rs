//! Where libraries and vaults come from.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright_content::{
    Described, Edition, PackTables, TableText, TextDatabase, TileDefinitions, TileSource,
};
use vaultwright_files::{Links, Skipped, read_regular, read_within, walk};
use vaultwright_lair::Project;
use vaultwright_lua::Failure;
use vaultwright_syntax::Source;

use super::declared::{Pack, declared_rules};
use super::detect::detect_version;
use super::embedded_library::PARTS_OF_OTHERS;
pub(crate) use super::embedded_library::{LIBRARY, is_embedded, is_for_either_lua};
pub use super::errors::{EngineError, ReadError};
use super::starter;

/// The source of `.des` files, tables and Lua libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataRoot {
    /// The starter pack embedded in the program.
    Embedded,
    /// No vaults: the tables of the reference and the embedded Lua library.
    Bare,
    /// The `dat` folder of Crawl, or a pack with the same layout (docs/packs.md).
    Directory(PathBuf),
}

/// The branches of a folder of LAIR scripts that has no table of its own.
const TOWER: &str = r#"[
{"name": "Tower", "shortname": "Tower", "longname": "the Tower", "levels": 2, "absdepth": 0,
 "exit": "exit_dungeon", "connected": true, "flags": ["islanded", "no_items"], "lair": {"scripts": ""}}
]"#;

impl From<PathBuf> for DataRoot {
    fn from(folder: PathBuf) -> DataRoot {
        DataRoot::Directory(folder)
    }
}

impl From<&Path> for DataRoot {
    fn from(folder: &Path) -> DataRoot {
        DataRoot::Directory(folder.to_owned())
    }
}

impl From<&str> for DataRoot {
    fn from(folder: &str) -> DataRoot {
        DataRoot::Directory(folder.into())
    }
}

impl DataRoot {
    /// Returns the rules and tables of the pack.
    pub(crate) fn pack(&self) -> Result<Pack, EngineError> {
        let mut pack =
            Pack { name: String::new(), edition: Edition::Trunk, tables: PackTables::default() };
        match self {
            DataRoot::Bare => {}
            DataRoot::Embedded => {
                pack.declare("pack.json", starter::PACK)?;
                for (path, text) in starter::tables() {
                    pack.add_table(Path::new(path), text.to_owned())?;
                }
            }
            DataRoot::Directory(dir) => {
                if let Some(detected) = detect_version(dir) {
                    pack.edition = detected.edition;
                }
                let declaration = dir.join("pack.json");
                if is_there(&declaration) {
                    pack.declare(&declaration.to_string_lossy(), &read_text(&declaration)?)?;
                }
                for (folder, files) in [
                    ("mons", &mut pack.tables.monster_files),
                    ("species", &mut pack.tables.species_files),
                    ("jobs", &mut pack.tables.background_files),
                ] {
                    for path in files_below(&dir.join(folder), "yaml")? {
                        let text = read_regular(&path, MAX_SOURCE_BYTES)
                            .map_err(|cause| ReadError { path: path.clone(), cause })?;
                        let text = String::from_utf8_lossy(&text).into_owned();
                        let file = path.to_string_lossy().into_owned();
                        files.push(TableText { file, text });
                    }
                }
                pack.tables.tiles = match self.tile_files()? {
                    files if !files.is_empty() => TileSource::Files(files),
                    _ => self.known_tiles(),
                };
                for path in files_below(&dir.join("tables"), "json")? {
                    pack.add_table(&path, read_text(&path)?)?;
                }
                if pack.tables.branches.is_none() && Project::is_in(dir) {
                    let file = dir.join("tables/branches.json").to_string_lossy().into_owned();
                    pack.tables.branches = Some(TableText { file, text: TOWER.to_owned() });
                }
            }
        }
        Ok(pack)
    }

    /// Returns a title of the root: `Crawl 0.28`, `the pack marsh`.
    pub fn title(&self) -> Result<String, EngineError> {
        if let DataRoot::Directory(dir) = self {
            let declared = declared_rules(dir).map(|edition| edition.name().to_owned());
            let told = || detect_version(dir).map(|detected| detected.name);
            let version = || declared.or_else(told);
            if self.has_own_library() {
                let version = version().unwrap_or("of an unknown version".to_owned());
                return Ok(format!("Crawl {version}"));
            }
            if self.lacks_library() {
                let vaults = |version| format!("the vaults of Crawl {version}");
                return Ok(version().map_or("vaults (as of trunk)".to_owned(), vaults));
            }
        }
        let name = self.pack()?.name;
        Ok(if name.is_empty() { "the pack".to_owned() } else { format!("the pack {name}") })
    }

    /// Returns whether the folder contains only vaults, neither a game's library nor a pack's
    /// declaration.
    pub fn lacks_library(&self) -> bool {
        let DataRoot::Directory(dir) = self else { return false };
        !self.has_own_library() && !dir.join("pack.json").is_file() && dir.join("des").is_dir()
    }

    /// Reads a data file such as `dlua/util.lua`.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.data_file(path).ok().flatten()
    }

    /// Reads a data file; `None` if it does not exist.
    pub(crate) fn data_file(&self, path: &str) -> Result<Option<Vec<u8>>, ReadError> {
        if let DataRoot::Directory(dir) = self {
            let file = dir.join(path);
            if is_there(&file) {
                let failed = |cause: Error| match cause.kind() {
                    ErrorKind::NotFound => Error::other("this link leads nowhere"),
                    _ => cause,
                };
                let text = read_regular(&file, MAX_SOURCE_BYTES).map_err(failed);
                return text.map(Some).map_err(|cause| ReadError { path: file, cause });
            }
        }
        // A pack without its own library uses ours.
        if self.has_own_library() {
            return Ok(None);
        }
        if PARTS_OF_OTHERS.contains(&path) {
            return Ok(Some(Vec::new()));
        }
        let embedded = LIBRARY.iter().find(|(name, _)| *name == path);
        Ok(embedded.map(|(_, text)| text.as_bytes().to_vec()))
    }

    /// Returns the texts that names are made from: the folder `database` of a data folder.
    pub(crate) fn texts(&self, edition: Edition) -> TextDatabase {
        match self {
            DataRoot::Directory(dir) => {
                let read = |path: &Path| read_regular(path, MAX_SOURCE_BYTES).ok();
                TextDatabase::in_folder(dir.join("database"), edition, read)
            }
            DataRoot::Embedded | DataRoot::Bare => TextDatabase::default(),
        }
    }

    /// Returns the descriptions in a game's data folder.
    pub(crate) fn described(&self) -> Described {
        match self {
            DataRoot::Directory(dir) if self.has_own_library() => {
                let read = |path: &Path| read_regular(path, MAX_SOURCE_BYTES).ok();
                Described::in_folder(dir.join("descript"), read)
            }
            _ => Described::default(),
        }
    }

    /// Names the files of a library error as they are found from here.
    pub(crate) fn named_in(&self, mut failure: Failure) -> Failure {
        let DataRoot::Directory(dir) = self else { return failure };
        for frame in &mut failure.frames {
            let file = frame.chunk.strip_prefix("dat/").map(|name| dir.join(name));
            if let Some(file) = file.filter(|file| file.is_file()) {
                frame.chunk = file.to_string_lossy().into_owned();
            }
        }
        failure
    }

    /// Reads a file of the source tree that a data folder belongs to, such as `tag-version.h`.
    pub(crate) fn read_beside(&self, name: &str) -> Option<String> {
        let DataRoot::Directory(dir) = self else { return None };
        let bytes = read_regular(&dir.join("..").join(name), MAX_SOURCE_BYTES).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns whether scripts of the root load each other with `require`, as they did up to 0.22.
    pub(crate) fn uses_require(&self) -> bool {
        let library = self.has_own_library().then(|| self.read("dlua/dungeon.lua")).flatten();
        let has = |text: &[u8], word: &str| text.windows(word.len()).any(|w| w == word.as_bytes());
        library.is_some_and(|text| has(&text, "require") && !has(&text, "crawl_require"))
    }

    /// Returns whether the tree's own script lists the vault files whenever a game begins. An
    /// installed game has a list written at installation instead.
    fn lists_folders_in_place(&self) -> bool {
        let DataRoot::Directory(dir) = self else { return false };
        let script =
            read_regular(&dir.join("dlua/loadmaps.lua"), MAX_SOURCE_BYTES).unwrap_or_default();
        !script.is_empty() && script.windows(LISTS.len()).any(|part| part == LISTS)
    }

    /// Returns whether the root contains its own Lua library.
    pub fn has_own_library(&self) -> bool {
        matches!(self, DataRoot::Directory(dir) if is_there(&dir.join("dlua/dungeon.lua")))
    }

    /// Returns the `rltiles` folder of a clone.
    pub fn tile_folder(&self) -> Option<PathBuf> {
        let DataRoot::Directory(dir) = self else { return None };
        let folder = dir.join("../rltiles");
        (self.has_own_library() && folder.is_dir()).then_some(folder)
    }

    /// Returns whether vaults may name tiles that cannot be checked because there is no `rltiles`
    /// folder beside the data.
    pub fn has_unknown_tiles(&self) -> bool {
        self.has_own_library()
            && self.tile_folder().is_none()
            && matches!(self.known_tiles(), TileSource::Nowhere)
    }

    fn tile_files(&self) -> Result<Vec<TableText>, ReadError> {
        self.tile_folder().map_or_else(|| Ok(Vec::new()), |folder| definitions_in(&folder))
    }

    /// Returns the tiles known for an installed game without definition files.
    fn known_tiles(&self) -> TileSource {
        let DataRoot::Directory(dir) = self else { return TileSource::Nowhere };
        match detect_version(dir) {
            Some(detected) if self.has_own_library() => TileSource::of_edition(detected.edition),
            _ => TileSource::Nowhere,
        }
    }

    /// Returns every file that affects the levels of the pack, with its name below the root.
    pub(crate) fn files(&self) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
        let mut files = Vec::new();
        match self {
            DataRoot::Bare => {}
            DataRoot::Embedded => {
                files.push(("pack.json".to_owned(), starter::PACK.as_bytes().to_vec()));
                files.extend(starter::sources().map(embedded));
            }
            DataRoot::Directory(dir) => files.extend(read_below(dir, dir, "des")?),
        }
        files.extend(self.files_beside_vaults()?);
        Ok(files)
    }

    /// Returns those of them that are not vaults: libraries, tables, texts.
    pub(crate) fn files_beside_vaults(&self) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
        let mut files = Vec::new();
        match self {
            DataRoot::Bare => {}
            DataRoot::Embedded => files.extend(starter::tables().map(embedded)),
            DataRoot::Directory(dir) => {
                let below = files_below(dir, "*")?;
                for ending in [SCRIPT, "json", "yaml"] {
                    let has_it =
                        |path: &&PathBuf| path.extension().is_some_and(|own| own == ending);
                    files.extend(read_all(dir, below.iter().filter(has_it))?);
                }
                files.extend(read_below(dir, &dir.join("database"), "txt")?);
                files.extend(other_scripts(dir)?);
                for name in Described::files().map(|name| format!("descript/{name}")) {
                    if let Ok(text) = read_regular(&dir.join(&name), MAX_SOURCE_BYTES) {
                        files.push((name, text));
                    }
                }
                let tiles = self.tile_files()?.into_iter();
                files.extend(tiles.map(|table| (table.file, table.text.into_bytes())));
            }
        }
        if !self.has_own_library() {
            files.extend(LIBRARY.iter().copied().map(embedded));
        }
        Ok(files)
    }

    /// Returns the declaration of the pack and its tables, those in YAML too, with their names
    /// below the root.
    pub(crate) fn tables(&self) -> Vec<(PathBuf, Vec<u8>)> {
        if *self == DataRoot::Embedded {
            let files = std::iter::once(("pack.json", starter::PACK)).chain(starter::tables());
            return files.map(|(name, text)| (name.into(), text.as_bytes().to_vec())).collect();
        }
        let mut tables = Vec::new();
        if let DataRoot::Directory(dir) = self {
            let declaration = read_regular(&dir.join("pack.json"), MAX_SOURCE_BYTES).ok();
            tables.extend(declaration.map(|text| ("pack.json".into(), text)));
        }
        for (folder, ending) in
            [("tables", "json"), ("mons", "yaml"), ("species", "yaml"), ("jobs", "yaml")]
        {
            tables.extend(self.files_in(folder, ending));
        }
        tables
    }

    /// Returns the files with an extension below a folder of the root, sorted, with their names
    /// below the root. One that cannot be read is empty.
    pub(crate) fn files_in(&self, folder: &str, ending: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let DataRoot::Directory(dir) = self else { return Vec::new() };
        let read = |path: PathBuf| {
            let text = read_within(&path, MAX_SOURCE_BYTES).unwrap_or_default();
            (path.strip_prefix(dir).unwrap_or(&path).to_owned(), text)
        };
        files_below(&dir.join(folder), ending).unwrap_or_default().into_iter().map(read).collect()
    }

    /// Returns the entries in script folders that are not files, with their kind. One in place of a
    /// script is reported by whatever loads that script.
    pub(crate) fn no_scripts(&self) -> Result<Vec<(PathBuf, &'static str)>, ReadError> {
        let DataRoot::Directory(dir) = self else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for (folder, ending) in
            [(dir.clone(), SCRIPT), (dir.join("dlua"), "*"), (dir.join("des"), "*")]
        {
            let failed = |cause| ReadError { path: folder.clone(), cause };
            let walk = walk(&folder, ending, Links::Enter).map_err(failed)?;
            found.extend(walk.skipped.into_iter().map(|skipped| (skipped.path, skipped.why)));
            found.extend(walk.folders.into_iter().map(|path| (path, "a folder")));
        }
        Ok(found)
    }

    /// Returns which `.des` files, tables and definitions are skipped because they are not files or
    /// lead in a circle, and which files of monsters, species and backgrounds because of how their
    /// names end.
    pub fn skipped(&self) -> Result<Vec<Skipped>, ReadError> {
        let DataRoot::Directory(dir) = self else { return Ok(Vec::new()) };
        let mut skipped = Vec::new();
        let others = [("tables", "json"), ("mons", "yaml"), ("species", "yaml"), ("jobs", "yaml")];
        let others = others.map(|(folder, ending)| (dir.join(folder), ending));
        for (folder, ending) in [(des_folder(dir), "des")].into_iter().chain(others) {
            let failed = |cause| ReadError { path: folder.clone(), cause };
            skipped.extend(walk(&folder, ending, Links::Enter).map_err(failed)?.skipped);
        }
        let why = "only files whose names end with .yaml are";
        for folder in ["mons", "species", "jobs"] {
            let files = files_below(&dir.join(folder), "*")?;
            let misnamed = files.into_iter().filter(|path| is_misnamed_data(path));
            skipped.extend(misnamed.map(|path| Skipped { path, why }));
        }
        Ok(skipped)
    }

    /// Returns all `.des` files in load order: sorted bytewise by full path, as an installed Crawl
    /// does. A Crawl that is not installed lists each folder in its place among the files beside
    /// it.
    pub fn des_sources(&self) -> Result<Vec<Source>, ReadError> {
        match self {
            DataRoot::Bare => Ok(Vec::new()),
            DataRoot::Embedded => {
                let source = |(path, text): (&str, &'static str)| {
                    Source::new(format!("starter/{path}"), text.as_bytes())
                };
                Ok(starter::sources().map(source).collect())
            }
            DataRoot::Directory(dir) => {
                let mut files = des_files_below(&des_folder(dir))?;
                if self.lists_folders_in_place() {
                    files.sort_by(|a, b| a.components().cmp(b.components()));
                }
                files.iter().map(|path| read_source(path)).collect()
            }
        }
    }
}

/// Returns whether a file's name ends as those of YAML may, but those of the game do not.
fn is_misnamed_data(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_yaml = ["yml", "yaml"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    is_yaml && ending != "yaml"
}

/// Returns the definition files of a folder of tiles.
pub(crate) fn definitions_in(folder: &Path) -> Result<Vec<TableText>, ReadError> {
    TileDefinitions::files_in(folder).map_err(|cause| ReadError { path: folder.to_owned(), cause })
}

fn embedded((path, text): (&str, &str)) -> (String, Vec<u8>) {
    (path.to_owned(), text.as_bytes().to_vec())
}

/// Returns the files with an extension below a folder, with their names below the root.
fn read_below(
    root: &Path,
    folder: &Path,
    ending: &str,
) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
    read_all(root, files_below(folder, ending)?.iter())
}

/// Returns the texts of files, with their names below the root.
fn read_all<'a>(
    root: &Path,
    files: impl Iterator<Item = &'a PathBuf>,
) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
    let read = |path: &PathBuf| {
        let bytes = read_within(path, MAX_SOURCE_BYTES)
            .map_err(|cause| ReadError { path: path.clone(), cause })?;
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        Ok((name, bytes))
    };
    files.map(read).collect()
}

/// Returns the files that scripts may load besides those with the usual extensions: the files with
/// any other extension in the folders of scripts and vaults.
fn other_scripts(root: &Path) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
    let is_other = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_of_editor = name.starts_with('.') || name.ends_with('~');
        !is_of_editor && !matches!(ending, Some("des" | "lua" | "json" | "yaml"))
    };
    let mut files = Vec::new();
    for folder in ["dlua", "des"] {
        for path in files_below(&root.join(folder), "*")?.into_iter().filter(is_other) {
            // An unreadable file affects nothing.
            let Ok(text) = read_within(&path, MAX_SOURCE_BYTES) else { continue };
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            files.push((name, text));
        }
    }
    Ok(files)
}

/// Returns the folder of the `.des` files of a data folder.
fn des_folder(dir: &Path) -> PathBuf {
    let des = dir.join("des");
    if des.is_dir() { des } else { dir.to_owned() }
}

/// The extension of scripts.
const SCRIPT: &str = "lua";

/// The function that lists the files of a folder for scripts.
const LISTS: &[u8] = b"datadir_files_recursive";

/// The maximum size of a file in a pack, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// Reads a source file.
pub fn read_source(path: &Path) -> Result<Source, ReadError> {
    let text = read_within(path, MAX_SOURCE_BYTES)
        .map_err(|cause| ReadError { path: path.to_owned(), cause })?;
    Ok(Source::new(path.to_string_lossy(), Arc::<[u8]>::from(text)))
}

/// Returns whether this name exists, even if it cannot be read: a folder, a broken link, something
/// without read permission.
fn is_there(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::PermissionDenied,
    }
}

/// Returns the `.des` files below a folder, sorted bytewise by path.
pub fn des_files_below(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let failed = |cause| ReadError { path: folder.to_owned(), cause };
    std::fs::read_dir(folder).map_err(failed)?;
    files_below(folder, "des")
}

/// Returns the files with an extension below a folder, sorted bytewise by path; none if the folder
/// does not exist.
pub fn files_below(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, ReadError> {
    let failed = |cause| ReadError { path: folder.to_owned(), cause };
    Ok(walk(folder, ending, Links::Enter).map_err(failed)?.files)
}

fn read_text(path: &Path) -> Result<String, ReadError> {
    let failed = |cause| ReadError { path: path.to_owned(), cause };
    let bytes = read_regular(path, MAX_SOURCE_BYTES).map_err(failed)?;
    String::from_utf8(bytes).map_err(|error| failed(std::io::Error::other(error)))
}
