//! What an item spec contains besides the kind, for the game that creates the item (spec 03 §7.1).

use serde::{Deserialize, Serialize};

use crate::spec_text::SpecText;

/// Details of the item itself. Anything not given has its usual value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemDetails {
    /// A name that replaces that of its kind.
    pub name: Option<String>,
    /// Whether it is neither branded nor an artefact.
    pub mundane: bool,
    /// The properties of an artefact, in written order.
    pub properties: Vec<(String, i32)>,
    /// The charges of a wand.
    pub charges: Option<i32>,
    /// A number specific to the kind: how fresh a corpse is.
    pub special: Option<i32>,
    /// What is identified, in releases where this is given part by part.
    pub identified: Option<String>,
    /// The tile of the item on the floor.
    pub tile: Option<String>,
    /// The tile shown on whoever wears it.
    pub worn_tile: Option<String>,
    /// `identified`, `cursed`, `useful`, `unobtainable`, `chaotic`, `no_pickup`, `no_uniq`.
    pub flags: Vec<String>,
}

impl ItemDetails {
    pub(crate) fn flag(&mut self, flag: &str) {
        self.flags.push(flag.to_owned());
    }

    /// Records a flag if its word is in the text, and removes the word.
    pub(crate) fn take_flag(&mut self, text: &mut SpecText, word: &str, flag: &str) {
        if text.strip(word) {
            self.flag(flag);
        }
    }

    /// Adds a property of an artefact. If a name is repeated, the first one counts.
    pub(crate) fn add_property(&mut self, name: &str, value: i32) {
        if !self.properties.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            self.properties.push((name.to_owned(), value));
        }
    }
}
