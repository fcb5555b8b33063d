//! Who exists in a game, and what waits to be put onto the level.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use vaultwright_content::MonsterId;

/// What a game remembers of monsters and altars while its levels are built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Population {
    /// The unique monsters that exist.
    pub(crate) uniques: BTreeSet<MonsterId>,
    /// The altars of the temple that is being built, if one is.
    pub(crate) temple: Option<Vec<String>>,
    /// The altars left for the map that is being placed.
    pub(crate) altars: Vec<String>,
    /// The level is in play: the masks that keep its own monsters out of vaults mean nothing any more.
    pub(crate) in_play: bool,
}

impl Population {
    /// A map begins with all altars of the temple, or with none.
    pub(crate) fn deal_altars(&mut self) {
        self.altars = self.temple.clone().unwrap_or_default();
    }
}
