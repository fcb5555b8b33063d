//! Which weapons and armour look special as they are made (packs/tables/common/looks.json).
//! Measured on 0.28.

use serde::Deserialize;

/// What making kinds of weapons and armour draws that decides how they look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct LooksRow {
    /// The kinds.
    pub names: Vec<String>,
    /// One in so many is of another kind, which is drawn before; 0 draws nothing.
    pub one_in: i32,
    /// Never an artefact.
    pub no_artefact: bool,
    /// Neither brands nor numbers, unless it is good.
    pub plain: bool,
    /// A brand does not make it look special.
    pub hide: bool,
    /// Always has a brand.
    pub branded: bool,
    /// Made with care without a draw; a weapon also always draws a brand.
    pub certain: bool,
    /// May get a second number.
    pub thick: bool,
    /// The least number that is kept without a brand; none is if this is missing.
    pub least: Option<i32>,
    /// A coin is thrown before the brand is drawn.
    pub coin: bool,
    /// Its brands, where they are no table of acquirement.
    pub brands: Vec<(String, i32)>,
    /// The table of acquirement that its brands are drawn from.
    pub brands_of: String,
}
