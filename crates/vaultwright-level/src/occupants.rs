//! Monsters and items of a level.

use serde::{Deserialize, Serialize};
use vaultwright_content::MonsterId;

/// A monster as the level knows it: what was asked for, resolved to a kind where that is drawn by
/// the level's own generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelMonster {
    /// The kind; none if it is drawn when the creature itself is made.
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
}

/// An item as the level knows it: the spec that asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelItem {
    /// The spec, or a map glyph such as `%`.
    pub spec: String,
}
