//! The scripts in a folder, and the files that they may load.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use vaultwright_files::read_regular;

use crate::error::LairError;
use crate::library::{DEFAULT_AI, below_share, library_file};

/// The file names of map scripts.
const MAP_SCRIPTS: [&str; 2] = ["dungeon.lua", "map.lua"];

/// The script that decides for mobiles.
const AI_SCRIPT: &str = "ai.lua";
/// No version of the original runs it, but it must be valid Lua (spec 09 §16).
pub(crate) const PLAYER_SCRIPT: &str = "player.lua";

/// Scripts, either in a folder or as texts.
#[derive(Clone, Debug)]
pub struct Project {
    files: Files,
    /// The file name of the map script.
    pub(crate) map_script: String,
    share: Option<PathBuf>,
    /// Files with a text that differs from the one on disk, by name.
    edited: BTreeMap<String, Vec<u8>>,
    /// The prefix of file names in messages.
    prefix: String,
}

/// The script that decides for mobiles.
pub(crate) struct AiScript {
    /// Its name in messages.
    pub name: String,
    pub text: Vec<u8>,
}

/// The maximum size of a script, in bytes.
const MAX_FILE: u64 = 4 << 20;

/// Where the files of a project are.
#[derive(Clone, Debug)]
enum Files {
    Folder(PathBuf),
    /// By name.
    Texts(BTreeMap<String, Vec<u8>>),
}

impl Files {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match self {
            Files::Folder(folder) => read_below(folder, name),
            Files::Texts(texts) => {
                texts.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }

    /// Returns the path of a file as used in errors.
    fn path(&self, name: &str) -> String {
        match self {
            Files::Folder(folder) => folder.join(name).display().to_string(),
            Files::Texts(_) => name.to_owned(),
        }
    }
}

impl Project {
    /// Opens a project: a folder with a `dungeon.lua` or `map.lua`, or a map script given by its
    /// path. Files of LAIR's share folder are first searched for in `share`.
    ///
    /// # Errors
    ///
    /// If the file or folder does not exist, or the folder has no map script.
    pub fn open(path: &Path, share: Option<PathBuf>) -> Result<Project, LairError> {
        let facts = path.metadata();
        let facts = facts
            .map_err(|error| LairError::Read(path.display().to_string(), error.to_string()))?;
        if facts.is_file() {
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
            let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            let files = Files::Folder(folder);
            return Ok(Project {
                files,
                map_script: name,
                share,
                edited: BTreeMap::new(),
                prefix: String::new(),
            });
        }
        let found = MAP_SCRIPTS.iter().find(|name| path.join(name).is_file());
        match found {
            Some(name) => {
                let files = Files::Folder(path.to_owned());
                let map_script = (*name).to_owned();
                Ok(Project {
                    files,
                    map_script,
                    share,
                    edited: BTreeMap::new(),
                    prefix: String::new(),
                })
            }
            None => Err(LairError::Configuration(format!(
                "{} has no map script: it is called {}",
                path.display(),
                MAP_SCRIPTS.join(" or ")
            ))),
        }
    }

    /// Creates a project from texts, by file name. `dungeon.lua` is the map script.
    pub fn of_texts(texts: BTreeMap<String, Vec<u8>>) -> Project {
        let files = Files::Texts(texts);
        let map_script = MAP_SCRIPTS[0].to_owned();
        Project { files, map_script, share: None, edited: BTreeMap::new(), prefix: String::new() }
    }

    /// Replaces the text of a file, given its path in the folder.
    pub fn with_text(mut self, name: &str, text: Vec<u8>) -> Project {
        self.edited.insert(name.to_owned(), text);
        self
    }

    fn read_file(&self, name: &str) -> io::Result<Vec<u8>> {
        self.edited.get(name).cloned().map_or_else(|| self.files.read(name), Ok)
    }

    /// Sets the prefix of file names in messages, for example the folder below a pack.
    pub fn with_prefix(self, prefix: String) -> Project {
        Project { prefix, ..self }
    }

    /// Returns the name of a file in messages.
    pub(crate) fn title(&self, name: &str) -> String {
        if below_share(name).is_some() { name.to_owned() } else { format!("{}{name}", self.prefix) }
    }

    /// Returns whether a folder has a map script with one of the usual names.
    pub fn is_in(folder: &Path) -> bool {
        MAP_SCRIPTS.iter().any(|name| folder.join(name).is_file())
    }

    /// Returns whether a file of the folder is the map script.
    pub fn is_map_script(&self, name: &str) -> bool {
        self.map_script == name
    }

    /// Returns the text of the map script.
    pub(crate) fn map_text(&self) -> Result<Vec<u8>, LairError> {
        let failed = |error: io::Error| {
            LairError::Read(self.files.path(&self.map_script), error.to_string())
        };
        self.read_file(&self.map_script).map_err(failed)
    }

    /// Returns the AI script: the project's own, or one that makes mobiles wander.
    pub(crate) fn ai_script(&self) -> AiScript {
        match self.read_file(AI_SCRIPT) {
            Ok(text) => AiScript { name: self.title(AI_SCRIPT), text },
            Err(_) => AiScript {
                name: "lua/ai/default.lua".to_owned(),
                text: DEFAULT_AI.as_bytes().to_vec(),
            },
        }
    }

    /// Returns the script of the player, if there is one.
    pub(crate) fn player_text(&self) -> Option<Vec<u8>> {
        self.read_file(PLAYER_SCRIPT).ok()
    }

    /// Reads a file that a script loads, given its path: one in the share folder, or one below the
    /// project. Scripts cannot access other files.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if let Some(name) = below_share(path) {
            let own = self.share.as_ref().filter(|_| is_plain(name));
            if let Some(text) = own.and_then(|folder| read_below(folder, name).ok()) {
                return Ok(text);
            }
            let text = library_file(name).map(|text| text.as_bytes().to_vec());
            return text.ok_or_else(|| format!("the library has no file '{name}'"));
        }
        if !is_plain(path) {
            return Err(format!("'{path}' lies outside the folder of the script"));
        }
        let failed = |error| format!("cannot read {}: {error}", self.files.path(path));
        self.read_file(path).map_err(failed)
    }
}

/// Reads a regular file in a folder, without following links out of it, up to the maximum size of
/// scripts.
fn read_below(folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name).canonicalize()?;
    if !path.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other("a link leads out of the folder of the script"));
    }
    read_regular(&path, MAX_FILE)
}

/// Returns whether a path only leads downwards.
fn is_plain(path: &str) -> bool {
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    Path::new(path).components().all(plain)
}
