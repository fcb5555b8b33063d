//! The Abyss of a game: where its window lies, and what shines through.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use vaultwright_content::{FeatureId, LevelSize};
use vaultwright_map::{LevelPlace, Point};

/// The Abyss of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AbyssState {
    /// The point under the cell 0,0.
    pub(crate) major: Point,
    /// The time.
    pub(crate) depth: u32,
    /// Where its beat is.
    pub(crate) phase: f32,
    /// A level of the game that shines through.
    pub(crate) copied: Option<CopiedLevel>,
    /// When the terrain of a point may be something else, and the point.
    pub(crate) changes: BTreeSet<(u32, Point)>,
}

/// The features of a level, as far as they are not cut out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CopiedLevel {
    /// Which level it is.
    pub(crate) place: LevelPlace,
    pub(crate) size: LevelSize,
    pub(crate) features: Vec<Option<FeatureId>>,
}
