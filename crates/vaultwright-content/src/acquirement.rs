//! The items of acquirement, and the artefacts made from them.

use serde::Deserialize;

use crate::any_item::AnyList;
use crate::looks::LooksRow;

/// A thing that may be given, or a kind of thing.
#[derive(Clone, Debug, Deserialize)]
pub struct AcquirementRow {
    /// `class`, `amulet`, `ring`, `wand`, `misc`, `weapon skill`, `armour slot`, the name of a
    /// skill or of a slot, or `brands of` a table of brands.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its weight in the draw.
    #[serde(default = "one")]
    pub weight: i32,
    /// Except for one time in this many, something else is drawn instead; 0 for never.
    #[serde(default)]
    pub drawn_again: i32,
    /// Whether it is a melee skill.
    #[serde(default)]
    pub melee: bool,
    /// Its weight as a gift of a god.
    #[serde(default)]
    pub gift: i32,
    /// The table that its brands are drawn from.
    #[serde(default)]
    pub brands: String,
    /// Whether it is useless to the player, who has no magic.
    #[serde(default)]
    pub useless: bool,
    /// Whether it is too large for the player.
    #[serde(default)]
    pub too_large: bool,
    /// Whether there is a fixed artefact of this kind.
    #[serde(default)]
    pub fixed: bool,
    /// Whether it is never an artefact.
    #[serde(default)]
    pub no_artefact: bool,
}

fn one() -> i32 {
    1
}

/// The amount of a property that an artefact gains at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the words of the table
pub enum PropertyValue {
    #[default]
    One,
    Attribute,
    Slaying,
}

/// A property of artefacts.
#[derive(Clone, Debug, Deserialize)]
pub struct ArtefactProperty {
    /// Its name.
    pub name: String,
    /// Its weight in the draw.
    pub weight: i32,
    /// Whether it can be beneficial.
    #[serde(default)]
    pub good: bool,
    /// Whether it can be harmful.
    #[serde(default)]
    pub bad: bool,
    /// It increases while it is not above this value.
    #[serde(default)]
    pub cap: i32,
    /// How much less likely each further increase is.
    #[serde(default)]
    pub step: i32,
    /// The amount of an increase.
    #[serde(default)]
    pub value: PropertyValue,
    /// The only kinds of things with this property; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Things that have this property anyway.
    #[serde(default)]
    pub given: Vec<String>,
    /// A property that excludes this one.
    #[serde(default)]
    pub opposite: Option<String>,
}

/// The tables of acquirement.
pub struct Acquirement {
    rows: Vec<AcquirementRow>,
    /// The properties of artefacts, in draw order.
    pub properties: Vec<ArtefactProperty>,
    /// The looks of weapons and armour.
    looks: Vec<LooksRow>,
    /// The kinds of `any weapon` and `any armour`.
    any: Vec<AnyList>,
}

impl Acquirement {
    pub(crate) fn new(
        rows: Vec<AcquirementRow>,
        properties: Vec<ArtefactProperty>,
        looks: Vec<LooksRow>,
        any: Vec<AnyList>,
    ) -> Acquirement {
        Acquirement { rows, properties, looks, any }
    }

    /// Returns a list of kinds from which `any weapon` or `any armour` is drawn.
    pub fn any_of(&self, list: &str) -> &[(String, i32)] {
        self.any.iter().find(|row| row.list == list).map_or(&[], |row| &row.kinds)
    }

    /// Returns the looks of a kind of weapon or armour, if they differ from those of most weapons.
    pub fn looks(&self, kind: &str) -> Option<&LooksRow> {
        self.looks.iter().find(|row| row.names.iter().any(|name| name == kind))
    }

    /// Returns the brands of a kind with their weights, including `none`; empty if it has none.
    pub fn brands(&self, kind: &str) -> Vec<(&str, i32)> {
        let looks = self.looks(kind);
        let own = looks.map_or(&[][..], |looks| &looks.brands[..]);
        if !own.is_empty() {
            return own.iter().map(|(brand, weight)| (brand.as_str(), *weight)).collect();
        }
        let table = looks.map(|looks| looks.brands_of.as_str()).filter(|table| !table.is_empty());
        let table = table.or_else(|| self.named(kind).map(|row| row.brands.as_str()));
        let table =
            table.filter(|table| !table.is_empty()).map(|table| format!("brands of {table}"));
        let rows = table.map_or_else(Vec::new, |table| self.of_kind(&table));
        rows.into_iter().map(|row| (row.name.as_str(), row.weight)).collect()
    }

    /// Returns the row with this name.
    pub fn named(&self, name: &str) -> Option<&AcquirementRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Returns the rows of a kind, in draw order.
    pub fn of_kind(&self, kind: &str) -> Vec<&AcquirementRow> {
        self.rows.iter().filter(|row| row.kind == kind).collect()
    }
}
