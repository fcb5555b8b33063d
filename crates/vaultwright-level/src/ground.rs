//! Checks whether a map may be placed somewhere (spec 04 §6.5, §6.6).

use std::collections::BTreeSet;

use vaultwright_content::{BranchTraits, Content, FeatureId};
use vaultwright_map::position::Ground;
use vaultwright_map::{ADJACENT, Context, Grid, MapDef, ORTHOGONAL, Point};

use crate::level::Level;
use crate::mask;
use crate::occupants::LevelItem;

/// A level as the ground for a map to be placed.
pub struct PlacementGround<'a> {
    /// What the map requires of it.
    pub demands: Demands,
    /// The level.
    pub level: &'a Level,
    /// Its tables.
    pub content: &'a Content,
    /// Whether places are checked; if not, every place is accepted.
    pub checked: bool,
    /// The special traits of the level's branch.
    pub traits: &'a BranchTraits,
    /// Width and height of the area being built.
    pub builder_size: (i32, i32),
    /// The cells with items that block a map, besides corpses; `None` for all. Before a level is
    /// finished no items lie anywhere, unless a script has put one down.
    pub laid_out: Option<&'a BTreeSet<Point>>,
    /// Where floats must put their `@`, if anywhere.
    pub anchors: Option<&'a [Point]>,
    /// Whether any terrain is accepted, except in the outermost two rings (spec 05 §19.6).
    pub new_area: bool,
    /// Cells excluded from this, because they existed before.
    pub kept: &'a BTreeSet<Point>,
}

impl Ground for PlacementGround<'_> {
    fn accepts(&mut self, _: &MapDef, at: Point, _: &mut Context) -> bool {
        !self.checked || self.is_valid(at)
    }

    fn anchors(&self) -> Option<&[Point]> {
        self.anchors
    }

    fn portals(&self) -> Vec<Point> {
        marked_for_portals(self.level)
    }

    fn holds_portal(&self, at: Point) -> bool {
        holds_portal(self.level, self.content, at)
    }

    fn open(&self, at: Point) -> bool {
        if self.new_area {
            return self.is_new(at);
        }
        self.level
            .feature(at)
            .is_some_and(|id| is_overwritable(self.content, id, Overwrite::default()))
    }
}

/// What a map requires of the cells under it, computed once for hundreds of places.
pub struct Demands {
    /// Width and height.
    size: (i32, i32),
    /// Whether every place is accepted.
    anywhere: bool,
    /// The map's own cells, row by row.
    cells: Vec<Point>,
    replaces_portal: bool,
    overwrites_floor: bool,
    water_ok: bool,
    /// The bit of cells that cannot be teleported to.
    no_tele: i64,
}

impl Demands {
    /// Computes what a map requires in a branch with these traits.
    pub fn of(map: &MapDef, content: &Content, traits: &BranchTraits) -> Demands {
        let size = (map.grid.width(), map.grid.height());
        let anywhere = size.0 == 0 || size.1 == 0 || map.has_tag("overwritable");
        Demands {
            size,
            anywhere,
            cells: if anywhere { Vec::new() } else { map.grid.drawn() },
            replaces_portal: map.has_tag("replace_portal"),
            overwrites_floor: map.has_tag("overwrite_floor_cell"),
            water_ok: map.has_tag("water_ok") || traits.swamp,
            no_tele: content.names().properties.get("no_tele_into").unwrap_or(0),
        }
    }
}

/// Most places fail for many of their cells, so every seventh cell is checked first.
const SAMPLED: usize = 7;

impl PlacementGround<'_> {
    fn is_valid(&self, at: Point) -> bool {
        let (w, h) = self.demands.size;
        if self.demands.anywhere {
            return true;
        }
        let (bx, by) = self.builder_size;
        let size = self.level.size();
        if at.x < (size.width() - bx) / 2
            || at.x + w - 1 > (size.width() + bx) / 2
            || at.y < (size.height() - by) / 2
            || at.y + h - 1 > (size.height() + by) / 2
        {
            return false;
        }
        let accepts = |cell: &Point| self.accepts_cell(cell.offset((at.x, at.y)));
        let cells = &self.demands.cells;
        cells.iter().step_by(SAMPLED).all(accepts) && cells.iter().all(accepts)
    }

    fn accepts_cell(&self, p: Point) -> bool {
        let (level, demands) = (self.level, &self.demands);
        if demands.replaces_portal && level.markers.iter().any(|m| m.at == p && m.offered_portal) {
            return true;
        }
        let Some(feature) = level.feature(p) else { return false };
        if demands.overwrites_floor {
            if feature != self.content.features().floor()
                || level.properties(p) & demands.no_tele != 0
                || level.markers.iter().any(|m| m.at == p && m.said_transporter)
            {
                return false;
            }
        } else if level.masks_around(p) & mask::VAULT != 0 {
            return false;
        }
        if self.new_area {
            return self.is_new(p)
                && !level.monsters.contains_key(&p)
                && !level.items.contains_key(&p);
        }
        let next_to_stair = || {
            ADJACENT.iter().any(|&step| {
                let id = level.feature(p.offset(step));
                id.is_some_and(|id| self.content.features().get(id).flags.stair())
            })
        };
        let also = Overwrite { water: demands.water_ok, walls: true };
        let is_in_use = level.monsters.contains_key(&p)
            || self.has_item_in_the_way(p)
            || self.traits.slime && next_to_stair();
        is_overwritable(self.content, feature, also) && !is_in_use
    }

    /// Returns whether a cell is part of the new area, whatever is there.
    fn is_new(&self, p: Point) -> bool {
        p.is_within(self.level.size(), 2) && !self.kept.contains(&p)
    }

    fn has_item_in_the_way(&self, p: Point) -> bool {
        let is_corpse =
            |item: &LevelItem| item.asked.as_ref().is_some_and(|asked| asked.is_corpse());
        self.level.items.get(&p).is_some_and(|items| {
            self.laid_out.is_none_or(|cells| cells.contains(&p)) || items.iter().any(is_corpse)
        })
    }
}

/// Returns the cells that markers offer to portals and that have none yet, column by column.
pub fn portal_places(level: &Level, content: &Content) -> Vec<Point> {
    let mut places = marked_for_portals(level);
    places.retain(|&p| !holds_portal(level, content, p));
    places
}

/// Returns the cells that markers offer to portals, column by column.
pub fn marked_for_portals(level: &Level) -> Vec<Point> {
    let marked = level.markers.iter().filter(|marker| marker.offered_portal);
    let mut places: Vec<Point> = marked.map(|marker| marker.at).collect();
    places.sort_by_key(|p| (p.x, p.y));
    places
}

/// Returns whether a cell has a gate or a branch entrance.
pub fn holds_portal(level: &Level, content: &Content, p: Point) -> bool {
    level.feature(p).is_some_and(|id| {
        let flags = content.features().get(id).flags;
        flags.gate() || flags.branch_entrance()
    })
}

/// What may be built over next to open ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overwrite {
    /// Deep water.
    pub water: bool,
    /// Walls and trees.
    pub walls: bool,
}

/// Returns whether a feature may be built over.
#[must_use]
pub fn is_overwritable(content: &Content, id: FeatureId, also: Overwrite) -> bool {
    let flags = content.features().get(id).flags;
    // The open sea is not water that a map can be placed in.
    if flags.deep_water() && !flags.solid() {
        return also.water;
    }
    // Fountains count as floor, but nothing is built over them.
    let (floor, shallow) = (content.features().floor(), content.features().known().shallow_water);
    if !(flags.opaque() || id == floor || id == shallow || flags.door()) {
        return false;
    }
    if flags.wall() || flags.tree() { also.walls } else { true }
}

/// Returns the edge cells of a grid: cells that are not blank and have a blank or the outside
/// beside them (spec 04 §9.1).
pub fn edge_cells(grid: &Grid) -> impl Iterator<Item = Point> + '_ {
    grid.points().filter(|&p| is_edge_cell(grid, p))
}

/// Returns whether a cell of a map is an edge cell.
pub fn is_edge_cell(grid: &Grid, p: Point) -> bool {
    let inside = |p: Point| grid.get(p).is_some_and(|glyph| glyph != b' ');
    inside(p) && ORTHOGONAL.iter().any(|&step| !inside(p.offset(step)))
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;
    use crate::markers::MarkerKind;

    #[test]
    fn items_are_in_the_way_only_where_they_lie_and_fountains_always() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let (features, mut level) = (content.features(), Level::solid(&content));
        let (item, fountain, wall) = (Point::new(20, 20), Point::new(30, 20), Point::new(40, 20));
        level.set_feature(item, features.floor());
        level.items.insert(item, Vec::new());
        level.set_feature(fountain, features.by_name("fountain_blue").expect("a feature"));
        let traits = BranchTraits::default();
        let mut map = MapDef::new("one_cell");
        map.grid = Grid::from_rows(["."]);
        let none = BTreeSet::new();
        let accepted = |laid_out: Option<&BTreeSet<Point>>| {
            let ground = PlacementGround {
                demands: Demands::of(&map, &content, &traits),
                level: &level,
                content: &content,
                checked: true,
                traits: &traits,
                builder_size: (80, 70),
                laid_out,
                anchors: None,
                new_area: false,
                kept: &none,
            };
            [item, fountain, wall].map(|at| ground.is_valid(at))
        };
        assert_eq!(accepted(Some(&none)), [true, false, true]);
        assert_eq!(accepted(Some(&BTreeSet::from([item]))), [false, false, true]);
        assert_eq!(accepted(None), [false, false, true]);
    }

    #[test]
    fn maps_that_may_stand_in_water_do_not_stand_in_the_open_sea() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let in_water = Overwrite { water: true, walls: true };
        let overwritable = |name: &str| {
            let id = content.features().by_name(name).expect("a feature");
            is_overwritable(&content, id, in_water)
        };
        let water = ["deep_water", "shallow_water", "open_sea", "endless_lava"].map(overwritable);
        assert_eq!(water, [true, true, false, false]);
    }

    #[test]
    fn places_for_portals_come_column_by_column() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut level = Level::solid(&content);
        for at in [(52, 59), (12, 35), (51, 10), (36, 42), (49, 34), (35, 27)] {
            let at = Point::new(at.0, at.1);
            let id = level.markers.add(at, MarkerKind::Lua(0));
            level.markers.note_portal(id, true);
        }
        let zot = content.features().by_name("enter_zot").expect("a feature");
        level.set_feature(Point::new(35, 27), zot);
        let places: Vec<(i32, i32)> =
            portal_places(&level, &content).iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(places, [(12, 35), (36, 42), (49, 34), (51, 10), (52, 59)]);
    }
}
