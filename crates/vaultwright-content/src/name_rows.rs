//! The rows of tables of names, as they are written.

use serde::Deserialize;

use crate::Edition;

/// A name with its number.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct NamedRow {
    pub(crate) name: String,
    pub(crate) id: i64,
}

/// A property or mask of cells.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CellFlagRow {
    pub(crate) name: String,
    pub(crate) value: i64,
    /// Whether KMASK takes it.
    pub(crate) kmask: bool,
    /// The last release with it, if it was removed.
    until: String,
    /// The first release with tables that has it, if it was added later.
    since: String,
}

impl CellFlagRow {
    /// Returns whether an edition has it.
    pub(crate) fn is_known(&self, edition: Edition) -> bool {
        let until = self.until.is_empty() || edition <= Edition::last_of(&self.until);
        until && (self.since.is_empty() || edition >= Edition::last_of(&self.since))
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct ColourRow {
    name: String,
    id: i64,
    aliases: Vec<String>,
    /// It cannot be asked for.
    pub(crate) name_not_found: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct ShopRow {
    name: String,
    id: i64,
    aliases: Vec<String>,
    /// It can be asked for.
    pub(crate) accepted: bool,
}

impl ColourRow {
    /// Returns all its names, each with its number.
    pub(crate) fn names(self) -> impl Iterator<Item = (String, i64)> {
        with_aliases(self.name, self.aliases, self.id)
    }
}

impl ShopRow {
    /// Returns all its names, each with its number.
    pub(crate) fn names(self) -> impl Iterator<Item = (String, i64)> {
        with_aliases(self.name, self.aliases, self.id)
    }
}

fn with_aliases(
    name: String,
    aliases: Vec<String>,
    id: i64,
) -> impl Iterator<Item = (String, i64)> {
    std::iter::once(name).chain(aliases).map(move |name| (name, id))
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct ArtefactPropertyRow {
    pub(crate) name: String,
    pub(crate) id: i64,
    /// What its values may be.
    pub(crate) values: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct SchoolRow {
    pub(crate) name: String,
    pub(crate) short: String,
    pub(crate) id: i64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct TrapRow {
    pub(crate) name: String,
    pub(crate) feature_id: i64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct SpeciesRow {
    pub(crate) name: String,
    pub(crate) id: i64,
    pub(crate) genus: String,
    pub(crate) abbrev: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct SpellRow {
    pub(crate) name: String,
    pub(crate) id: i64,
    pub(crate) level: i32,
    pub(crate) schools: Vec<String>,
    pub(crate) monster_valid: bool,
    /// Players may know it.
    pub(crate) player: bool,
    /// Its name is that of another spell.
    pub(crate) name_resolves_to: Option<serde_json::Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct GodRow {
    pub(crate) name: String,
    pub(crate) altar: String,
    pub(crate) unavailable: bool,
    pub(crate) special: bool,
    pub(crate) temple_order: Option<i32>,
}

/// What is known about spells in books.
#[derive(Deserialize)]
pub(crate) struct BookRow {
    #[serde(default)]
    pub(crate) spell: String,
    #[serde(default = "yes")]
    pub(crate) in_books: bool,
    /// The spell that replaced it in books.
    #[serde(default)]
    pub(crate) replaced_by: Option<String>,
    #[serde(default)]
    pub(crate) parchment: Option<i32>,
    #[serde(default)]
    pub(crate) bookless_god: Option<String>,
}

fn yes() -> bool {
    true
}

/// A name that only 0.28 or only trunk has, in a table of trunk.
#[derive(Deserialize)]
pub(crate) struct Difference {
    pub(crate) table: String,
    pub(crate) name: String,
    pub(crate) only_in: String,
}
