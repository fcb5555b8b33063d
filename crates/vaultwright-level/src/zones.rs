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
    let suits = content.features().set_of(suits);
    level.features().iter().map(|&id| suits.contains(id)).collect()
}

/// For each cell, row by row, whether connectivity counts may pass it, as [`is_passable`] says.
pub fn passable_cells(level: &Level, content: &Content) -> Vec<bool> {
    let mimic = content.names().properties.get("mimic").unwrap_or(0);
    let travelable = content.features().set_of(|id| is_travelable(content, id));
    let flags = level.masks().iter().zip(level.property_bits());
    let cells = level.features().iter().zip(flags).map(|(&id, (&mask, &properties))| {
        let is_mimic = mask & mask::MIMIC != 0 || properties & mimic != 0;
        let is_open = travelable.contains(id) || is_mimic;
        mask & mask::PASSABLE != 0 || (mask & mask::OPAQUE == 0 && is_open)
    });
    cells.collect()
}

/// A cell of a zone that has no number yet.
const UNNUMBERED: u16 = u16::MAX;

/// A partition of cells into eight-connected zones, numbered from 1 in the order found.
pub struct Zones {
    size: LevelSize,
    /// The zone of each cell, row by row, 0 for none; with a ring of such cells around the level,
    /// so that no step leads out of the table.
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
        let (width, stride) = (size.width() as usize, size.width() as usize + 2);
        let mut of = vec![0; stride * (size.height() as usize + 2)];
        for (from, to) in passable.chunks(width).zip(of.chunks_mut(stride).skip(1)) {
            for (&passable, zone) in from.iter().zip(&mut to[1..]) {
                *zone = if passable { UNNUMBERED } else { 0 };
            }
        }
        let mut zones = Zones { size, of, cells: Vec::new() };
        let mut queue = Vec::with_capacity(passable.len());
        for start in level_points(size) {
            if zones.of[zones.index(start)] == UNNUMBERED {
                zones.fill(start, &mut queue);
            }
        }
        zones
    }

    fn fill(&mut self, start: Point, queue: &mut Vec<Point>) {
        let number = self.cells.len() as u16 + 1;
        let stride = self.size.width() as isize + 2;
        let steps = ADJACENT.map(|step| (step, step.1 as isize * stride + step.0 as isize));
        queue.clear();
        queue.push(start);
        let first = self.index(start);
        self.of[first] = number;
        let mut next = 0;
        while let Some(&here) = queue.get(next) {
            next += 1;
            let index = self.index(here);
            for (step, to) in steps {
                let zone = &mut self.of[index.wrapping_add_signed(to)];
                if *zone == UNNUMBERED {
                    *zone = number;
                    queue.push(here.offset(step));
                }
            }
        }
        self.cells.push(queue.clone());
    }

    /// How many zones there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The zone of a cell, from 1; none for cells in no zone.
    pub fn zone_of(&self, p: Point) -> Option<usize> {
        let zone = p.is_within(self.size, 0).then(|| usize::from(self.of[self.index(p)]));
        zone.filter(|&zone| zone > 0)
    }

    /// Where the table has a cell of the level.
    fn index(&self, p: Point) -> usize {
        ((p.y + 1) * (self.size.width() + 2) + p.x + 1) as usize
    }
}

fn level_points(size: LevelSize) -> impl Iterator<Item = Point> {
    (0..size.height()).flat_map(move |y| (0..size.width()).map(move |x| Point::new(x, y)))
}
