//! Connected parts of a level (spec 04 §10.3).

use vaultwright_content::{Content, FeatureId};
use vaultwright_map::{ADJACENT, Point};

use crate::level::{Level, cell_index, on_map};
use crate::mask;

/// Whether connectivity counts may pass a cell.
pub fn is_passable(level: &Level, content: &Content, p: Point) -> bool {
    let mask = level.mask(p);
    if mask & mask::PASSABLE != 0 {
        return true;
    }
    if mask & mask::OPAQUE != 0 {
        return false;
    }
    // A mimic is taken for the floor that it will leave.
    level.feature(p).is_some_and(|id| is_travelable(content, id)) || is_mimic(level, content, p)
}

/// Whether what stands on a cell is a mimic.
pub fn is_mimic(level: &Level, content: &Content, p: Point) -> bool {
    let property = content.names().properties.get("mimic").unwrap_or(0);
    level.mask(p) & mask::MIMIC != 0 || level.properties(p) & property != 0
}

/// Whether a traveller may walk over a feature, through doors (spec 08 §8.4).
pub fn is_travelable(content: &Content, id: FeatureId) -> bool {
    let feature = content.features().get(id);
    if !feature.flags.trap() {
        return feature.flags.traversable();
    }
    let moves_away = matches!(feature.name.as_str(), "trap_teleport_permanent" | "trap_dispersal");
    (feature.flags.traversable() || !content.rules.traps_block_travel) && !moves_away
}

/// The zones that a teleport can end in: what a traveller can walk over, but for cells that are
/// protected; the walls and doors of those are, too, if the whole vault is (spec 08 §8.4).
pub fn teleport_zones(level: &Level, content: &Content) -> Zones {
    let names = ["no_tele_into", "no_rtele_into"];
    let bits = names.iter().filter_map(|name| content.names().properties.get(name));
    let no_tele = bits.fold(0, |bits, bit| bits | bit);
    Zones::of(level, |p| {
        let Some(id) = level.feature(p) else { return false };
        let protected = level.properties(p) & no_tele != 0;
        let kept_out = level.vault_at(p).is_some_and(|vault| vault.map.has_tag("no_tele_into"));
        let solid = content.features().get(id).flags.solid();
        is_travelable(content, id) && (!protected || (solid && !kept_out))
    })
}

/// A cell of a zone that has no number yet.
const UNNUMBERED: u16 = u16::MAX;

/// A partition of cells into eight-connected zones, numbered from 1 in the order found.
pub struct Zones {
    of: Vec<u16>,
    /// The cells of each zone; the first zone is at index 0.
    pub cells: Vec<Vec<Point>>,
}

impl Zones {
    /// The zones of the cells that `passable` accepts, found row by row; it is asked once for each
    /// cell.
    pub fn of(level: &Level, passable: impl Fn(Point) -> bool) -> Zones {
        let of = level.points().map(|p| if passable(p) { UNNUMBERED } else { 0 }).collect();
        let mut zones = Zones { of, cells: Vec::new() };
        for start in level.points() {
            if zones.of[cell_index(start)] == UNNUMBERED {
                zones.fill(start);
            }
        }
        zones
    }

    fn fill(&mut self, start: Point) {
        let number = self.cells.len() as u16 + 1;
        let mut cells = vec![start];
        self.of[cell_index(start)] = number;
        let mut next = 0;
        while let Some(&p) = cells.get(next) {
            next += 1;
            for q in ADJACENT.map(|step| p.offset(step)) {
                if on_map(q) && self.of[cell_index(q)] == UNNUMBERED {
                    self.of[cell_index(q)] = number;
                    cells.push(q);
                }
            }
        }
        self.cells.push(cells);
    }

    /// How many zones there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The zone of a cell, from 1; none for cells in no zone.
    pub fn zone_of(&self, p: Point) -> Option<usize> {
        on_map(p).then(|| usize::from(self.of[cell_index(p)])).filter(|&zone| zone > 0)
    }
}
