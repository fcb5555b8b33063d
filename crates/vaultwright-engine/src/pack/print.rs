//! The files that a game was played with: a saved one goes on with no others. What the program
//! itself has (its Lua library, its tables) is left out, since its patches must read old saves.

use std::path::Path;
use std::sync::Arc;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use vaultwright_content::Content;

use super::source_file::SourceFile;
use super::sources::DataRoot;

/// Checksums of the parts of a pack that levels and their play depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PackPrint {
    /// The edition and the size of levels.
    rules: u32,
    files: FilesPrint,
    vaults: u32,
}

/// The same of its files beside the vaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilesPrint {
    /// The tables, also those in YAML, and the names of what a saved game refers to by number.
    tables: u32,
    /// The texts that names and speeches are made from.
    texts: u32,
    /// The library Lua, and LAIR scripts.
    scripts: u32,
}

impl PackPrint {
    pub(crate) fn of(
        content: &Content,
        files: FilesPrint,
        vaults: &[Arc<SourceFile>],
    ) -> PackPrint {
        let mut rules = Hasher::new();
        let (width, height) = content.level_size().into();
        add(&mut rules, content.rules.edition.name().as_bytes());
        add(&mut rules, format!("{width}x{height}").as_bytes());
        let mut texts = Hasher::new();
        vaults.iter().for_each(|file| add(&mut texts, &file.source.text));
        PackPrint { rules: rules.finalize(), files, vaults: texts.finalize() }
    }

    /// Returns what of this pack another one has otherwise, in words; `None` if nothing.
    pub(crate) fn other_than(&self, now: &PackPrint) -> Option<String> {
        let (files, others) = (&self.files, &now.files);
        let parts = [
            ("rules", self.rules != now.rules),
            ("tables", files.tables != others.tables),
            ("texts", files.texts != others.texts),
            ("scripts", files.scripts != others.scripts),
            ("vaults", self.vaults != now.vaults),
        ];
        let changed: Vec<&str> =
            parts.into_iter().filter(|part| part.1).map(|part| part.0).collect();
        match changed.split_last()? {
            (last, []) => Some((*last).to_owned()),
            (last, first) => Some(format!("{} and {last}", first.join(", "))),
        }
    }
}

impl FilesPrint {
    /// Reads the files of a pack. One that cannot be read counts as its name alone.
    pub(crate) fn of(root: &DataRoot, content: &Content) -> FilesPrint {
        let [mut tables, mut texts, mut scripts] = [(); 3].map(|()| Hasher::new());
        for (_, feature) in content.features().iter() {
            add(&mut tables, feature.name.as_bytes());
        }
        let branches = content.branches().iter().map(|branch| branch.name.as_str());
        let monsters = content.monsters().iter().map(|(_, monster)| monster.name.as_str());
        let items =
            content.items().classes.iter().flat_map(|class| content.items().of_class(class));
        let items = items.map(|item| item.name.as_str());
        branches.chain(monsters).chain(items).for_each(|name| add(&mut tables, name.as_bytes()));
        for (name, text) in root.tables() {
            add_file(&mut tables, &name, &text);
        }
        for (name, text) in root.files_in("database", "txt") {
            add_file(&mut texts, &name, &text);
        }
        let towers = content.branches().iter().filter_map(|branch| branch.lair.as_ref());
        let towers = towers.map(|lair| lair.scripts.as_str());
        for folder in ["dlua", "des"].into_iter().chain(towers) {
            for (name, text) in root.files_in(folder, "lua") {
                add_file(&mut scripts, &name, &text);
            }
        }
        let [tables, texts, scripts] = [tables, texts, scripts].map(Hasher::finalize);
        FilesPrint { tables, texts, scripts }
    }
}

fn add_file(hasher: &mut Hasher, name: &Path, text: &[u8]) {
    add(hasher, name.as_os_str().as_encoded_bytes());
    add(hasher, text);
}

/// Adds a text with its length: where one ends the next begins.
fn add(hasher: &mut Hasher, text: &[u8]) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text);
}
