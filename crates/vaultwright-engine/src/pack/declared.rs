//! A pack's declaration: `pack.json` and its tables (docs/packs.md).

use std::path::Path;

use serde::Deserialize;
use vaultwright_content::{Edition, LevelSize, PackTables, TableError, TableText};
use vaultwright_files::read_regular;

use super::sources::{EngineError, MAX_SOURCE_BYTES};

/// Returns the rules that the declaration in a folder names, if it can be read.
pub(super) fn declared_rules(folder: &Path) -> Option<Edition> {
    let text = read_regular(&folder.join("pack.json"), MAX_SOURCE_BYTES).ok()?;
    let declaration: Declaration = serde_json::from_slice(&text).ok()?;
    Edition::from_name(&declaration.rules?)
}

/// A pack's declaration of itself, beside its vaults.
pub(crate) struct Pack {
    pub(super) name: String,
    pub(crate) edition: Edition,
    pub(crate) tables: PackTables,
}

/// The keys of `pack.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declaration {
    /// The pack's name, for people.
    #[serde(default)]
    name: String,
    /// The name of an edition.
    #[serde(default)]
    rules: Option<String>,
    /// Columns of a level.
    #[serde(default)]
    width: Option<i32>,
    /// Rows of a level.
    #[serde(default)]
    height: Option<i32>,
}

impl Pack {
    pub(super) fn declare(&mut self, file: &str, text: &str) -> Result<(), EngineError> {
        let error =
            |line, column, message| TableError { file: file.to_owned(), line, column, message };
        if text.starts_with('\u{feff}') {
            let message = "the file begins with a byte-order mark: save it as UTF-8 without one";
            return Err(error(1, 1, message.to_owned()).into());
        }
        if text.trim_start().starts_with('[') {
            let message = "the declaration of a pack is an object: {\"name\": …}";
            return Err(error(1, 1, message.to_owned()).into());
        }
        let declaration: Declaration = serde_json::from_str(text).map_err(|json| {
            let message = json.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            error(json.line(), json.column().max(1), message)
        })?;
        self.name = declaration.name;
        let (width, height) = (declaration.width, declaration.height);
        let usual: (i32, i32) = LevelSize::CRAWL.into();
        let size = (width.unwrap_or(usual.0), height.unwrap_or(usual.1));
        self.tables.level_size =
            LevelSize::try_from(size).map_err(|message| error(1, 1, message))?;
        if let Some(rules) = declaration.rules {
            self.edition = Edition::from_name(&rules).ok_or_else(|| {
                error(1, 1, format!("no rules are named '{rules}': write {}", Edition::names()))
            })?;
        }
        Ok(())
    }

    pub(super) fn add_table(&mut self, path: &Path, text: String) -> Result<(), EngineError> {
        let file = path.to_string_lossy().into_owned();
        let name = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        match self.tables.by_name(&name) {
            Some(table) => *table = Some(TableText { file, text }),
            None => {
                let message = "no table has this name (branches, features, monsters, \
                               monster_populations, items, bands, gods, spells, shops)";
                return Err(
                    TableError { file, line: 1, column: 1, message: message.to_owned() }.into()
                );
            }
        }
        Ok(())
    }
}
