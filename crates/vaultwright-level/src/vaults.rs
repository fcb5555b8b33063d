//! A vault placed on a level.

use vaultwright_map::{MapDef, Orient, Point};

use crate::Level;

/// The vault id of a cell that belongs to no placement.
pub const NO_VAULT: u16 = 10_000;

/// A placed map (spec 04 §1.4).
#[derive(Clone, Debug)]
pub struct VaultPlacement {
    /// What is kept of the map: glyphs, tags and texts, but no keyed specs, overlays or markers.
    pub map: MapDef,
    /// The position of its top left cell.
    pub at: Point,
    /// Width and height.
    pub size: (i32, i32),
    /// The final orientation.
    pub orient: Option<Orient>,
    /// The cells where it can be entered.
    pub exits: Vec<Point>,
    /// The parts of its Lua that run when the level is left: `pre_epilogue`, `epilogue`,
    /// `post_epilogue`; empty unless requested.
    pub waiting: Vec<String>,
}

impl Level {
    /// Returns the name given to a cell's feature by the cell's vault, or by the first layout if
    /// the cell belongs to no vault (spec 04 §16.3).
    pub fn renamed_feature(&self, p: Point) -> Option<&str> {
        let layout = || self.vaults.iter().find(|vault| vault.map.has_tag("overwritable"));
        let vault = self.vault_at(p).or_else(layout)?;
        vault.map.feature_names.get(&self.feature(p)?).map(String::as_str)
    }
}

impl VaultPlacement {
    /// Returns the map's name with the names of the subvaults merged into it: `name [sub1, sub2]`
    /// (spec 04 §16.1).
    pub fn described(&self) -> String {
        let subvaults: Vec<&str> =
            self.map.subvaults.iter().map(|subvault| subvault.map.name.as_str()).collect();
        match subvaults.is_empty() {
            true => self.map.name.clone(),
            false => format!("{} [{}]", self.map.name, subvaults.join(", ")),
        }
    }

    /// Returns the level cells of its rectangle that are not blank, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Point> + '_ {
        let grid = &self.map.grid;
        grid.points().filter(|&p| grid.glyph(p) != b' ').map(|p| p.offset((self.at.x, self.at.y)))
    }
}
