//! Connected parts of a level (spec 04 §10.3).

use vaultwright_content::{Content, FeatureId, LevelSize};
use vaultwright_map::{ADJACENT, Point};

use crate::level::Level;
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
    let properties = level.properties(p);
    // Most cells have none at all: the name is looked up for the others only.
    level.mask(p) & mask::MIMIC != 0
        || (properties != 0
            && content.names().properties.get("mimic").is_some_and(|bit| properties & bit != 0))
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

/// For each cell, row by row, whether its feature is one that `suits`; that is asked once for each
/// feature of the table.
pub fn cells_of_features(
    level: &Level,
    content: &Content,
    suits: impl Fn(FeatureId) -> bool,
) -> Vec<bool> {
    let suits: Vec<bool> = content.features().iter().map(|(id, _)| suits(id)).collect();
    level.features().iter().map(|id| suits[usize::from(id.0)]).collect()
}

/// For each cell, row by row, whether connectivity counts may pass it, as [`is_passable`] says.
pub fn passable_cells(level: &Level, content: &Content) -> Vec<bool> {
    let mimic = content.names().properties.get("mimic").unwrap_or(0);
    let mut cells = cells_of_features(level, content, |id| is_travelable(content, id));
    for ((cell, &mask), &properties) in
        cells.iter_mut().zip(level.masks()).zip(level.property_bits())
    {
        let is_mimic = mask & mask::MIMIC != 0 || properties & mimic != 0;
        *cell = mask & mask::PASSABLE != 0 || (mask & mask::OPAQUE == 0 && (*cell || is_mimic));
    }
    cells
}

/// A cell of a zone that has no number yet.
const UNNUMBERED: u16 = u16::MAX;

/// A partition of cells into eight-connected zones, numbered from 1 in the order found.
pub struct Zones {
    size: LevelSize,
    of: Vec<u16>,
    /// The cells of each zone; the first zone is at index 0.
    pub cells: Vec<Vec<Point>>,
}

impl Zones {
    /// The zones of the cells that `passable` accepts, found row by row; it is asked once for each
    /// cell.
    pub fn of(level: &Level, passable: impl Fn(Point) -> bool) -> Zones {
        Zones::of_cells(level.size(), &level.points().map(passable).collect::<Vec<bool>>())
    }

    /// The zones that connectivity counts find: those of [`passable_cells`].
    pub fn passable(level: &Level, content: &Content) -> Zones {
        Zones::of_cells(level.size(), &passable_cells(level, content))
    }

    /// The zones of the cells of a level of a size, of which each says, row by row, whether it can
    /// be passed.
    pub fn of_cells(size: LevelSize, passable: &[bool]) -> Zones {
        let of = passable.iter().map(|&passable| if passable { UNNUMBERED } else { 0 }).collect();
        let mut zones = Zones { size, of, cells: Vec::new() };
        let mut queue = Vec::new();
        for start in 0..passable.len() {
            if zones.of[start] == UNNUMBERED {
                zones.fill(start, &mut queue);
            }
        }
        zones
    }

    fn fill(&mut self, start: usize, queue: &mut Vec<usize>) {
        let number = self.cells.len() as u16 + 1;
        queue.clear();
        queue.push(start);
        self.of[start] = number;
        let mut next = 0;
        while let Some(&here) = queue.get(next) {
            next += 1;
            // Only on the outermost ring can a step lead off the level.
            let p = self.point_of(here);
            let inner = p.is_within(self.size, 1);
            for step in ADJACENT {
                if !inner && !p.offset(step).is_within(self.size, 0) {
                    continue;
                }
                let there =
                    here.wrapping_add_signed((step.1 * self.size.width() + step.0) as isize);
                if self.of[there] == UNNUMBERED {
                    self.of[there] = number;
                    queue.push(there);
                }
            }
        }
        let cells = queue.iter().map(|&cell| self.point_of(cell)).collect();
        self.cells.push(cells);
    }

    /// How many zones there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The zone of a cell, from 1; none for cells in no zone.
    pub fn zone_of(&self, p: Point) -> Option<usize> {
        let index = (p.y * self.size.width() + p.x) as usize;
        p.is_within(self.size, 0).then(|| usize::from(self.of[index])).filter(|&zone| zone > 0)
    }

    fn point_of(&self, cell: usize) -> Point {
        let cell = cell as i32;
        Point::new(cell % self.size.width(), cell / self.size.width())
    }
}
