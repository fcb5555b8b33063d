//! Which weapons and armour look special when they are made (packs/tables/common/looks.json).
//! Measured on 0.28.

use serde::Deserialize;

/// The draws made for kinds of weapons and armour that decide how they look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct LooksRow {
    /// The kinds.
    pub names: Vec<String>,
    /// One in this many is of another kind, which is drawn first; 0 makes no draw.
    pub one_in: i32,
    /// Whether it is never an artefact.
    pub no_artefact: bool,
    /// Whether it has neither brands nor numbers, unless it is good.
    pub plain: bool,
    /// Whether a brand does not make it look special.
    pub hide: bool,
    /// Whether it always has a brand.
    pub branded: bool,
    /// Whether it is well-made without a draw. Such a weapon also always draws a brand.
    pub certain: bool,
    /// Whether it may get a second number.
    pub thick: bool,
    /// The minimum number that is kept without a brand; if missing, none is kept.
    pub least: Option<i32>,
    /// Whether a coin is flipped before the brand is drawn.
    pub coin: bool,
    /// Its brands, if they are not from a table of acquirement.
    pub brands: Vec<(String, i32)>,
    /// The table of acquirement for its brands.
    pub brands_of: String,
}
