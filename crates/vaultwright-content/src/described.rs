//! The things described in a data folder's description files. They exist in the game, so a name
//! that is in no table is not an error if the tree describes it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use foldhash::{HashSet, HashSetExt};
use serde::Deserialize;

use crate::differences::{embedded, table};

/// The kinds of things that have descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    leaves_out_mere_texts: bool,
}

/// What has a description and does not exist.
#[derive(Deserialize)]
struct MereText {
    kind: Kind,
    name: String,
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
    pub(crate) fn can_tell(&self) -> bool {
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

    /// Forgets names whose descriptions 0.28 has for what vaults call so by `dbname:`, and for what
    /// it has no more: each was offered to it, and refused.
    pub(crate) fn without_mere_texts(mut self) -> Described {
        self.leaves_out_mere_texts = true;
        self
    }

    fn read(&self, kind: Kind) -> HashSet<String> {
        let Some((folder, read)) = &self.source else { return HashSet::new() };
        let text = read(&folder.join(kind.file())).unwrap_or_default();
        let mut keys = keys(&String::from_utf8_lossy(&text));
        if self.leaves_out_mere_texts {
            let mere = table::<MereText>(embedded!("common", "described_only"));
            for row in mere.iter().filter(|row| row.kind == kind) {
                keys.remove(&row.name);
            }
        }
        keys
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

    #[test]
    fn what_has_no_more_than_a_text_is_none() {
        let texts = || {
            Described::in_folder(PathBuf::from("descript"), |_| {
                Some(b"%%%%\npetrified plant\n\nX\n%%%%\nmud eel\n\nx\n".into())
            })
        };
        let known = texts().without_mere_texts();
        assert!(texts().has(Kind::Monster, "petrified plant"));
        assert!(!known.has(Kind::Monster, "Petrified_plant"));
        assert!(known.has(Kind::Monster, "mud eel") && known.has(Kind::Item, "petrified plant"));
    }
}
