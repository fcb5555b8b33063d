//! Maps of the reference that its own placement checks exempt.

use serde::Deserialize;

/// A map that the placement test treats differently (spec 08 §8.2).
#[derive(Clone, Debug, Deserialize)]
pub struct PlacementException {
    /// The map.
    pub name: String,
    /// Whether it is not tested.
    #[serde(default)]
    pub skip: bool,
    /// Whether it may consist of several zones.
    #[serde(default)]
    pub zones: bool,
    /// The reason.
    pub reason: String,
}
