//! Maps of the reference that its own placement checks spare.

use serde::Deserialize;

/// A map that the placement test treats differently (spec 08 §8.2).
#[derive(Clone, Debug, Deserialize)]
pub struct PlacementException {
    /// The map.
    pub name: String,
    /// It is not tested.
    #[serde(default)]
    pub skip: bool,
    /// It may fall apart into zones.
    #[serde(default)]
    pub zones: bool,
    /// Why.
    pub reason: String,
}
