use vaultwright_content::MonsterId;
use vaultwright_map::{MarkerPayload, Point};

/// A monster as the level knows it: what was asked for, resolved to a kind where that is drawn by the
/// level's own generator.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelItem {
    /// The spec, or a map glyph such as `%`.
    pub spec: String,
}

/// A marker on the level.
#[derive(Clone, Debug)]
pub struct LevelMarker {
    /// Where.
    pub at: Point,
    /// What.
    pub payload: MarkerPayload,
    /// It offers its cell to a portal vault (property `portal`).
    pub portal: bool,
    /// It is an end of a transporter.
    pub transporter: bool,
}
