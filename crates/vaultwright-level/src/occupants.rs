//! Monsters, items and shops of a level.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{MonsterId, Monsters};
use vaultwright_map::{
    Attitude, ItemAlternative, MonsterAlternative, Point, SpellSlot, ZombieKind,
};

/// A monster as stored in the level: what was requested, resolved to a kind where the level's own
/// generator draws it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelMonster {
    /// The kind; `None` if it is drawn when the creature itself is made.
    pub kind: Option<MonsterId>,
    /// The spec it comes from, empty for a random monster of the level.
    pub spec: String,
    /// The name given to it.
    pub name: Option<String>,
    /// The map that placed it, with the subvaults of the cell.
    pub origin: String,
    /// Awake when the player comes.
    pub awake: bool,
    /// Guards its cell.
    pub patrolling: bool,
    /// What its spec says of it, if it has one.
    pub asked: Option<Arc<MonsterAlternative>>,
    /// Set for zombies, skeletons and the like: the form, and the living kind it was made from
    /// (`None`: decided by the game).
    pub undead: Option<(ZombieKind, Option<MonsterId>)>,
    /// Which of the books of its spec it has.
    pub book: usize,
    /// What it has been given, a choice made among what its spec says.
    pub items: Vec<Arc<ItemAlternative>>,
    /// Where the monster stands that it follows.
    pub leader: Option<Point>,
    /// The kind (for undead: the living kind) was left open by the spec and was drawn because
    /// concrete levels were asked for (`EngineOptions::concrete`).
    pub rolled: bool,
}

impl LevelMonster {
    /// Returns its current kind; for undead, this is the kind of undead, not what it was in life.
    /// `None` under the same conditions as [`kind`](LevelMonster::kind).
    pub fn kind_now(&self, monsters: &Monsters) -> Option<MonsterId> {
        match self.undead {
            Some((undead, _)) => monsters.by_name(undead.name()),
            None => self.kind,
        }
    }

    /// Returns whether its spec makes it peaceful to the player.
    pub fn is_peaceful(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.attitude != Attitude::Hostile)
    }

    /// Returns the spells that its spec gives it.
    pub fn spells(&self) -> &[SpellSlot] {
        let books = self.asked.as_ref().map(|asked| &asked.details.books);
        books.and_then(|books| books.get(self.book)).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether the game cannot be won without an item of this name or spec: a rune or the Orb.
/// Terrain changes never destroy such an item. There are always more of two kinds of runes.
pub fn is_needed_item(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_common = ["abyssal rune", "demonic rune"].iter().any(|rune| name.contains(rune));
    !is_common
        && ["rune of zot", "orb of zot", "any rune"].iter().any(|needed| name.contains(needed))
}

/// An item as stored in the level: the spec that requests it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelItem {
    /// The spec, or a map glyph such as `%`.
    pub spec: String,
    /// The parsed spec, if it is one.
    pub asked: Option<Arc<ItemAlternative>>,
    /// What the item turned out to be, on concrete levels.
    pub made: Option<Arc<ItemAlternative>>,
    /// Whether it is a mimic.
    pub mimic: bool,
}
