//! A vault placed on a level.

use std::sync::Arc;

use vaultwright_map::{MapDef, Orient, Point};

use crate::Level;

/// The vault id of a cell that belongs to no placement.
pub const NO_VAULT: u16 = 10_000;

/// Returns the id of the cells of the placement of an index: [`NO_VAULT`] where there are more
/// placements than ids.
pub fn vault_id(index: usize) -> u16 {
    u16::try_from(index).map_or(NO_VAULT, |id| id.min(NO_VAULT))
}

/// A map that has been placed (spec 04 §1.4).
#[derive(Clone, Debug)]
pub struct VaultPlacement {
    /// What is left of the map: glyphs, tags and texts, no keyed specs, overlays or markers. It is
    /// shared by copies of the level and by scripts that hold the placement.
    pub map: Arc<MapDef>,
    /// Its top left cell.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_last_id_cells_belong_to_no_placement() {
        assert_eq!([0, 9_999].map(vault_id), [0, 9_999]);
        assert_eq!([10_000, 10_001, 65_535, 65_537].map(vault_id), [NO_VAULT; 4]);
    }
}
