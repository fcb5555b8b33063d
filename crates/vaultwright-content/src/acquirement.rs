//! What acquirement gives, and what artefacts it makes of it.

use serde::Deserialize;

use crate::any_item::AnyList;
use crate::looks::LooksRow;

/// A thing that may be given, or a kind of things.
#[derive(Clone, Debug, Deserialize)]
pub struct AcquirementRow {
    /// `class`, `amulet`, `ring`, `wand`, `misc`, `weapon skill`, `armour slot`, the name of a
    /// skill or of a slot, or `brands of` a table of brands.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// How often it is given.
    #[serde(default = "one")]
    pub weight: i32,
    /// Two times in so many less one something else is drawn in its place; 0 never.
    #[serde(default)]
    pub drawn_again: i32,
    /// A skill of close combat.
    #[serde(default)]
    pub melee: bool,
    /// How often a god gives it.
    #[serde(default)]
    pub gift: i32,
    /// The table that its brands are drawn from.
    #[serde(default)]
    pub brands: String,
    /// The player, who has no magic, has no use for it.
    #[serde(default)]
    pub useless: bool,
    /// Nobody of the player's size can use it.
    #[serde(default)]
    pub too_large: bool,
    /// There is a fixed artefact of this kind.
    #[serde(default)]
    pub fixed: bool,
    /// It never is an artefact.
    #[serde(default)]
    pub no_artefact: bool,
}

fn one() -> i32 {
    1
}

/// How much of a property an artefact gets at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the words of the table
pub enum PropertyValue {
    #[default]
    One,
    Attribute,
    Slaying,
}

/// A property that an artefact may get.
#[derive(Clone, Debug, Deserialize)]
pub struct ArtefactProperty {
    /// Its name.
    pub name: String,
    /// How often it is drawn.
    pub weight: i32,
    /// It can do good.
    #[serde(default)]
    pub good: bool,
    /// It can do harm.
    #[serde(default)]
    pub bad: bool,
    /// It grows as long as it is not above this.
    #[serde(default)]
    pub cap: i32,
    /// By how much growing gets less likely each time.
    #[serde(default)]
    pub step: i32,
    /// How much it grows.
    #[serde(default)]
    pub value: PropertyValue,
    /// The only kinds of things that have it; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Things that have it anyway.
    #[serde(default)]
    pub given: Vec<String>,
    /// A property that it does not go with.
    #[serde(default)]
    pub opposite: Option<String>,
}

/// The tables of acquirement.
pub struct Acquirement {
    rows: Vec<AcquirementRow>,
    /// The properties of artefacts in draw order.
    pub properties: Vec<ArtefactProperty>,
    /// How weapons and armour look.
    looks: Vec<LooksRow>,
    /// What any weapon and any armour are.
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

    /// Returns a list of kinds that `any weapon` or `any armour` is drawn from.
    pub fn any_of(&self, list: &str) -> &[(String, i32)] {
        self.any.iter().find(|row| row.list == list).map_or(&[], |row| &row.kinds)
    }

    /// Returns how a kind of weapon or armour looks, if it is another than most weapons.
    pub fn looks(&self, kind: &str) -> Option<&LooksRow> {
        self.looks.iter().find(|row| row.names.iter().any(|name| name == kind))
    }

    /// Returns the brands of a kind with their weights, `none` among them; no list if it has none.
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

    /// Returns the row of a thing.
    pub fn named(&self, name: &str) -> Option<&AcquirementRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Returns the rows of a kind in draw order.
    pub fn of_kind(&self, kind: &str) -> Vec<&AcquirementRow> {
        self.rows.iter().filter(|row| row.kind == kind).collect()
    }
}
