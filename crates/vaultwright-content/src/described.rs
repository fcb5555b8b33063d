//! The things described in a data folder's description files. They exist in the game, so a name
//! that is in no table is not an error if the tree describes it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use foldhash::{HashSet, HashSetExt};
/// The kinds of things that have descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the kinds of things
pub enum Kind {
    Monster,
    Item,
    Artefact,
    Spell,
}

const KINDS: [Kind; 4] = [Kind::Monster, Kind::Item, Kind::Artefact, Kind::Spell];

impl Kind {
    fn file(self) -> &'static str {
        match self {
            Kind::Monster => "monsters.txt",
            Kind::Item => "items.txt",
            Kind::Artefact => "unrand.txt",
            Kind::Spell => "spells.txt",
        }
    }
}

/// Reads a file if it exists.
type Read = fn(&Path) -> Option<Vec<u8>>;

/// The description files of a data folder. Each is read on first access.
#[derive(Default)]
pub struct Described {
    source: Option<(PathBuf, Read)>,
    names: [OnceLock<HashSet<String>>; KINDS.len()],
}

impl Described {
    /// Returns the files in a folder of `.txt` files, read by `read`.
    pub fn in_folder(folder: PathBuf, read: fn(&Path) -> Option<Vec<u8>>) -> Described {
        Described { source: Some((folder, read)), ..Described::default() }
    }

    /// Returns the names of the files that are used.
    pub fn files() -> impl Iterator<Item = &'static str> {
        KINDS.into_iter().map(Kind::file)
    }

    /// Returns whether there is a folder with descriptions.
    pub fn can_tell(&self) -> bool {
        self.source.is_some()
    }

    /// Returns whether something with this name is described. Names are not case-sensitive. Only
    /// those of items cannot have `_` for a blank.
    pub fn has(&self, kind: Kind, name: &str) -> bool {
        let names = self.names[kind as usize].get_or_init(|| self.read(kind));
        let name = name.to_lowercase();
        match kind {
            Kind::Spell => names.contains(&format!("{} spell", name.replace('_', " "))),
            Kind::Monster => names.contains(&name.replace('_', " ")),
            Kind::Item | Kind::Artefact => names.contains(&name),
        }
    }

    fn read(&self, kind: Kind) -> HashSet<String> {
        let Some((folder, read)) = &self.source else { return HashSet::new() };
        let text = read(&folder.join(kind.file())).unwrap_or_default();
        keys(&String::from_utf8_lossy(&text))
    }
}

/// Returns the keys in a text: the first line with words after each `%%%%`.
fn keys(text: &str) -> HashSet<String> {
    let mut keys = HashSet::new();
    let mut is_next = true;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with("%%%%") {
            is_next = true;
        } else if is_next && !line.trim().is_empty() {
            keys.insert(line.trim().to_lowercase());
            is_next = false;
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_an_entry_is_what_it_describes() {
        let described = Described::in_folder(PathBuf::from("descript"), |path| {
            let name = path.file_name()?.to_str()?;
            Some(match name {
                "monsters.txt" => {
                    b"# words\nMarsh Hag\n\nAn orc, she\n%%%%\n\nmud eel\n\nx\n".into()
                }
                "spells.txt" => b"%%%%\nMud Bath spell\n\nMud.\n%%%%\n".into(),
                "items.txt" => b"%%%%\nmud sword\n\nMud.\n%%%%\n".into(),
                _ => return None,
            })
        });
        assert!(described.has(Kind::Monster, "marsh hag"));
        assert!(described.has(Kind::Monster, "Mud_Eel"));
        assert!(!described.has(Kind::Monster, "An orc, she"));
        assert!(described.has(Kind::Spell, "mud_bath"));
        assert!(!described.has(Kind::Item, "mud eel"));
        assert!(described.has(Kind::Item, "Mud sword") && !described.has(Kind::Item, "mud_sword"));
        assert!(!Described::default().has(Kind::Monster, "marsh hag"));
    }
}
