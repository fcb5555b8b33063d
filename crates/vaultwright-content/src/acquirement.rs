//! What acquirement gives, and what artefacts it makes of it.

use serde::Deserialize;

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
}

impl Acquirement {
    pub(crate) fn new(rows: Vec<AcquirementRow>, properties: Vec<ArtefactProperty>) -> Acquirement {
        Acquirement { rows, properties }
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
