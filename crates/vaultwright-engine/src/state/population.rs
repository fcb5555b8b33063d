//! Who exists in a game, and what waits to be put onto the level.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use vaultwright_content::{MonsterId, Monsters};
use vaultwright_map::{ItemAlternative, ItemKind, Point};

/// What a game remembers of monsters and altars while its levels are built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Population {
    /// The unique monsters that exist.
    pub(crate) uniques: BTreeSet<MonsterId>,
    /// The fixed artefacts that maps have brought, by name.
    pub(crate) artefacts: BTreeSet<String>,
    /// The altars of the temple that is being built, if one is.
    pub(crate) temple: Option<Vec<String>>,
    /// The altars left for the map that is being placed, and for later ones of the level if no
    /// temple is.
    pub(crate) altars: Vec<String>,
    /// A temple that has more room than gods gets altars of Xom: so it is in statistics, and where
    /// a map is forced, whose altars nobody has counted.
    #[serde(skip)]
    pub(crate) xom_fills_up: bool,
    /// The level is in play: the masks that keep its own monsters out of vaults mean nothing any
    /// more.
    pub(crate) in_play: bool,
    /// Where the player stands on the level that is built, if he is there already.
    #[serde(default, skip)]
    pub(crate) player: Option<Point>,
}

/// The group of unique monsters that are one person at different ages (monster_groups.json).
const ONE_PERSON: &str = "one person";

/// Notes that a unique monster exists, and with it those that are the same person. Returns false if
/// it did before.
pub(crate) fn meet(uniques: &mut BTreeSet<MonsterId>, id: MonsterId, monsters: &Monsters) -> bool {
    let person = monsters.group(ONE_PERSON);
    if person.contains(&id) {
        uniques.extend(person.iter().filter(|&&other| other != id));
    }
    uniques.insert(id)
}

impl Population {
    /// Notes that an item exists, if there can be only one of it.
    pub(crate) fn note_item(&mut self, item: &ItemAlternative) {
        if let ItemKind::Unrand(name) = &item.kind {
            self.artefacts.insert(name.clone());
        }
    }

    /// Gives a map that begins all altars of the temple; without one, what earlier maps of the
    /// level have left.
    pub(crate) fn deal_altars(&mut self) {
        if let Some(temple) = &self.temple {
            self.altars.clone_from(temple);
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};

    use super::*;

    #[test]
    fn who_is_met_young_is_not_met_again() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let monsters = content.monsters();
        let id = |name: &str| monsters.by_name(name).expect("a monster");
        for (first, then) in [("Maggie", "Margery"), ("Margery", "Maggie")] {
            let mut uniques = BTreeSet::new();
            assert!(meet(&mut uniques, id(first), monsters));
            assert!(!meet(&mut uniques, id(then), monsters), "{then} after {first}");
            assert!(!meet(&mut uniques, id(first), monsters));
            assert!(meet(&mut uniques, id("Boris"), monsters));
        }
    }
}
