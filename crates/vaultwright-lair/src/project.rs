//! The scripts of a folder, and the files that they may load.

use std::path::{Component, Path, PathBuf};

use crate::error::LairError;
use crate::library::{DEFAULT_AI, below_share, library_file};

/// The names that a map script goes by.
const MAP_SCRIPTS: [&str; 2] = ["dungeon.lua", "map.lua"];

/// No version of the original runs it; it has to be Lua all the same (spec 09 §16).
pub(crate) const PLAYER_SCRIPT: &str = "player.lua";

/// A folder of scripts.
#[derive(Clone, Debug)]
pub struct Project {
    folder: PathBuf,
    /// The name of the map script in the folder.
    pub(crate) map_script: String,
    share: Option<PathBuf>,
}

impl Project {
    /// The project in a folder that has a `dungeon.lua` or `map.lua`, or whose map script is named itself. Files of
    /// LAIR's share folder are looked for in `share` first.
    pub fn open(path: &Path, share: Option<PathBuf>) -> Result<Project, LairError> {
        if path.is_file() {
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
            let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            return Ok(Project { folder, map_script: name, share });
        }
        let found = MAP_SCRIPTS.iter().find(|name| path.join(name).is_file());
        match found {
            Some(name) => {
                Ok(Project { folder: path.to_owned(), map_script: (*name).to_owned(), share })
            }
            None => Err(LairError::Configuration(format!(
                "{} has no map script: it is called {}",
                path.display(),
                MAP_SCRIPTS.join(" or ")
            ))),
        }
    }

    /// Whether a folder has a map script of one of the names that are looked for.
    pub fn is_in(folder: &Path) -> bool {
        MAP_SCRIPTS.iter().any(|name| folder.join(name).is_file())
    }

    /// The text of the map script.
    pub(crate) fn map_text(&self) -> Result<Vec<u8>, LairError> {
        let path = self.folder.join(&self.map_script);
        std::fs::read(&path)
            .map_err(|error| LairError::Read(path.display().to_string(), error.to_string()))
    }

    /// The AI script: the project's own, or one that lets mobiles wander.
    pub(crate) fn ai_text(&self) -> (String, Vec<u8>) {
        match std::fs::read(self.folder.join("ai.lua")) {
            Ok(text) => ("ai.lua".to_owned(), text),
            Err(_) => ("lua/ai/default.lua".to_owned(), DEFAULT_AI.as_bytes().to_vec()),
        }
    }

    /// The script of the player, if the project has one.
    pub(crate) fn player_text(&self) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(PLAYER_SCRIPT)).ok()
    }

    /// A file that a script loads, by the path it gives: one of the share folder, or one below the project. Nothing
    /// else on the disk can be reached.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if let Some(name) = below_share(path) {
            let own = self.share.as_ref().filter(|_| is_plain(name)).map(|dir| dir.join(name));
            if let Some(text) = own.and_then(|path| std::fs::read(path).ok()) {
                return Ok(text);
            }
            let text = library_file(name).map(|text| text.as_bytes().to_vec());
            return text.ok_or_else(|| format!("the library has no file '{name}'"));
        }
        if !is_plain(path) {
            return Err(format!("'{path}' lies outside the folder of the script"));
        }
        let path = self.folder.join(path);
        std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    }
}

/// Whether a path only goes down.
fn is_plain(path: &str) -> bool {
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    Path::new(path).components().all(plain)
}
