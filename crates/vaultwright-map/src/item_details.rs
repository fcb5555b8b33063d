//! What an item spec says beyond its kind: for the game that makes the item (spec 03 §7.1).

use serde::{Deserialize, Serialize};

use crate::spec_text::SpecText;

/// What is said of the item itself; what is not said has its usual value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemDetails {
    /// The name of its kind is replaced by this one.
    pub name: Option<String>,
    /// Neither brand nor artefact.
    pub mundane: bool,
    /// Properties of an artefact, in written order.
    pub properties: Vec<(String, i32)>,
    /// Charges of a wand.
    pub charges: Option<i32>,
    /// A number of its own: how fresh a corpse is.
    pub special: Option<i32>,
    /// What is known of it, in releases where that is said part by part.
    pub identified: Option<String>,
    /// The tile of the item that lies there.
    pub tile: Option<String>,
    /// The tile of whoever wears it.
    pub worn_tile: Option<String>,
    /// `identified`, `cursed`, `useful`, `unobtainable`, `chaotic`, `no_pickup`, `no_uniq`.
    pub flags: Vec<String>,
}

impl ItemDetails {
    pub(crate) fn flag(&mut self, flag: &str) {
        self.flags.push(flag.to_owned());
    }

    /// Notes a flag if its word is in the text, and takes the word away.
    pub(crate) fn take_flag(&mut self, text: &mut SpecText, word: &str, flag: &str) {
        if text.strip(word) {
            self.flag(flag);
        }
    }

    /// Adds a property of an artefact; the first of equal names counts.
    pub(crate) fn add_property(&mut self, name: &str, value: i32) {
        if !self.properties.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            self.properties.push((name.to_owned(), value));
        }
    }
}
