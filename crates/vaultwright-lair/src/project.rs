//! The scripts of a folder, and the files that they may load.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::LairError;
use crate::library::{DEFAULT_AI, below_share, library_file};

/// The names that a map script goes by.
const MAP_SCRIPTS: [&str; 2] = ["dungeon.lua", "map.lua"];

/// Decides for mobiles.
const AI_SCRIPT: &str = "ai.lua";
/// No version of the original runs it; it has to be Lua all the same (spec 09 §16).
pub(crate) const PLAYER_SCRIPT: &str = "player.lua";

/// Scripts: a folder of them, or texts.
#[derive(Clone, Debug)]
pub struct Project {
    files: Files,
    /// The name of the map script in the folder.
    pub(crate) map_script: String,
    share: Option<PathBuf>,
    /// Files that are not as they lie on the disk, by name.
    edited: BTreeMap<String, Vec<u8>>,
    /// What stands before the names of files in messages.
    prefix: String,
}

/// The script that decides for mobiles.
pub(crate) struct AiScript {
    /// What messages call it.
    pub name: String,
    pub text: Vec<u8>,
}

/// Bytes of a script.
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

    /// Returns the path of a file as errors name it.
    fn path(&self, name: &str) -> String {
        match self {
            Files::Folder(folder) => folder.join(name).display().to_string(),
            Files::Texts(_) => name.to_owned(),
        }
    }
}

impl Project {
    /// Returns the project in a folder that has a `dungeon.lua` or `map.lua`, or whose map script
    /// is named itself. Files of LAIR's share folder are looked for in `share` first.
    ///
    /// # Errors
    ///
    /// If there is no such file or folder, or no map script in the folder.
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

    /// Returns a project of texts, by the names that files would have; `dungeon.lua` is the map
    /// script.
    pub fn of_texts(texts: BTreeMap<String, Vec<u8>>) -> Project {
        let files = Files::Texts(texts);
        let map_script = MAP_SCRIPTS[0].to_owned();
        Project { files, map_script, share: None, edited: BTreeMap::new(), prefix: String::new() }
    }

    /// Returns the same project with another text in the place of a file, by its path in the
    /// folder.
    pub fn with_text(mut self, name: &str, text: Vec<u8>) -> Project {
        self.edited.insert(name.to_owned(), text);
        self
    }

    fn read_file(&self, name: &str) -> io::Result<Vec<u8>> {
        self.edited.get(name).cloned().map_or_else(|| self.files.read(name), Ok)
    }

    /// Sets what stands before the names of files in messages: the folder below a pack, say.
    pub fn with_prefix(self, prefix: String) -> Project {
        Project { prefix, ..self }
    }

    /// Returns what messages call a file of the project.
    pub(crate) fn title(&self, name: &str) -> String {
        if below_share(name).is_some() { name.to_owned() } else { format!("{}{name}", self.prefix) }
    }

    /// Returns whether a folder has a map script of one of the names that are looked for.
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

    /// Returns the AI script: the project's own, or one that lets mobiles wander.
    pub(crate) fn ai_script(&self) -> AiScript {
        match self.read_file(AI_SCRIPT) {
            Ok(text) => AiScript { name: self.title(AI_SCRIPT), text },
            Err(_) => AiScript {
                name: "lua/ai/default.lua".to_owned(),
                text: DEFAULT_AI.as_bytes().to_vec(),
            },
        }
    }

    /// Returns the script of the player, if the project has one.
    pub(crate) fn player_text(&self) -> Option<Vec<u8>> {
        self.read_file(PLAYER_SCRIPT).ok()
    }

    /// Reads a file that a script loads, by the path it gives: one of the share folder, or one
    /// below the project. Nothing else on the disk can be reached.
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

/// Reads a file of a folder: a plain one that lies there, whatever links say, and no larger than
/// scripts are.
fn read_below(folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name).canonicalize()?;
    if !path.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other("a link leads out of the folder of the script"));
    }
    let facts = path.metadata()?;
    if !facts.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    if facts.len() > MAX_FILE {
        return Err(io::Error::other(format!("it has more than {} MiB", MAX_FILE >> 20)));
    }
    std::fs::read(path)
}

/// Returns whether a path only goes down.
fn is_plain(path: &str) -> bool {
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    Path::new(path).components().all(plain)
}
