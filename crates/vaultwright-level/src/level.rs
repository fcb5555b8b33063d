//! The level itself: features, masks, properties and everything on it.

mod looks;
mod rows;
mod search;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{Content, FeatureBits, FeatureId, Features, LevelSize, MonsterId};
use vaultwright_map::{ADJACENT, CellTiles, OwnMonsters, Point, Points, ShopSpec, Zones};

use crate::cause::{Cause, Causes};
use crate::markers::{MarkerId, Markers, ScriptValue};
use crate::occupants::{LevelItem, LevelMonster};
use crate::sight::SightMemory;
use crate::vaults::{NO_VAULT, VaultPlacement};
use crate::zones::{PASSING, PassableMemory, ZoneMemory};

/// A level; in Crawl, 80 × 70 cells (spec 04 §1). Serialisation leaves out its placements, which
/// belong to a map library, the values of its Lua markers, the heights that vaults gave, and the
/// causes of its cells. JSON works as well as any other format.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Level {
    size: LevelSize,
    features: Vec<FeatureId>,
    masks: Vec<i64>,
    vault_ids: Vec<u16>,
    /// Empty while no cell has any, as in most levels.
    properties: Vec<i64>,
    /// What it started as, while no cell has been written.
    #[serde(skip)]
    unwritten: Option<Start>,
    /// All features that cells of each row have had since a reset: most features that are searched
    /// for were never in most rows. Empty if not counted.
    #[serde(skip)]
    had: Vec<FeatureBits>,
    #[serde(skip)]
    pub(crate) passable: PassableMemory,
    #[serde(skip)]
    zones: ZoneMemory,
    #[serde(skip)]
    causes: Causes,
    #[serde(skip)]
    written: looks::Written,
    /// What is known about sight. Even a reset keeps it.
    #[serde(skip)]
    pub sight: SightMemory,
    /// Colours of cells that have their own.
    #[serde(with = "crate::by_cell")]
    pub colours: BTreeMap<Point, String>,
    /// Tiles that vaults give to cells.
    #[serde(with = "crate::by_cell")]
    pub tiles: BTreeMap<Point, CellTiles>,
    /// The shops that vaults specify.
    #[serde(with = "crate::by_cell")]
    pub shops: BTreeMap<Point, Arc<ShopSpec>>,
    /// Heights of cells, on levels with heights.
    pub heights: Option<Vec<i32>>,
    /// The heights that vaults have given, with the features that the cells had then.
    #[serde(skip)]
    pub given_heights: BTreeMap<Point, (i32, FeatureId)>,
    /// The height of the tide when it was last applied.
    pub tide: i32,
    /// The markers.
    pub markers: Markers,
    /// The values of Lua markers, by marker, if requested.
    #[serde(skip)]
    pub marker_values: BTreeMap<MarkerId, ScriptValue>,
    /// The monsters, by cell.
    #[serde(with = "crate::by_cell")]
    pub monsters: BTreeMap<Point, LevelMonster>,
    /// The lurking monsters: they are on no cell until the player comes near.
    #[serde(default)]
    pub lurkers: Vec<(Point, LevelMonster)>,
    /// The level's own list for random monsters: one slot, as written.
    pub random_monsters: Option<String>,
    /// The level's own demons, in Pandemonium; some more than once.
    #[serde(default)]
    pub demons: Vec<MonsterId>,
    /// In play, a random monster appears on average once in this many turns; 0 for never.
    pub spawn_rate: i32,
    /// The flags that vaults give to the level, if the rules have them (`LFLAGS`).
    #[serde(default)]
    pub flags: BTreeSet<String>,
    /// The items on the floor, by cell.
    #[serde(with = "crate::by_cell")]
    pub items: BTreeMap<Point, Vec<LevelItem>>,
    /// The registered placements, in order.
    #[serde(skip)]
    pub vaults: Vec<VaultPlacement>,
    /// The layout types of the level.
    pub layout_types: BTreeSet<String>,
    /// The colour of the floor, if set by a vault.
    pub floor_colour: Option<String>,
    /// The colour of the rock, if set by a vault.
    pub rock_colour: Option<String>,
    /// The tile of the floor, if set by a vault.
    pub floor_tile: Option<String>,
    /// The tile of the rock, if set by a vault.
    pub rock_tile: Option<String>,
}

/// What the cells of a level are before anything is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Rock(FeatureId),
    /// Floor inside a border of rock.
    Open {
        rock: FeatureId,
        floor: FeatureId,
    },
}

impl Start {
    fn features(self) -> FeatureBits {
        let mut features = FeatureBits::default();
        let (Start::Rock(rock) | Start::Open { rock, .. }) = self;
        features.insert(rock);
        if let Start::Open { floor, .. } = self {
            features.insert(floor);
        }
        features
    }
}

impl Level {
    /// Returns a level of solid rock, in the size of the content's levels.
    pub fn solid(content: &Content) -> Level {
        let mut level = Level::without_cells(content.level_size());
        level.reset(content.features());
        level
    }

    fn without_cells(size: LevelSize) -> Level {
        Level {
            size,
            features: Vec::new(),
            masks: Vec::new(),
            vault_ids: Vec::new(),
            properties: Vec::new(),
            unwritten: None,
            had: Vec::new(),
            passable: PassableMemory::default(),
            zones: ZoneMemory::default(),
            causes: Causes::default(),
            written: looks::Written::default(),
            sight: SightMemory::default(),
            colours: BTreeMap::new(),
            tiles: BTreeMap::new(),
            shops: BTreeMap::new(),
            heights: None,
            given_heights: BTreeMap::new(),
            tide: 0,
            markers: Markers::default(),
            flags: BTreeSet::new(),
            marker_values: BTreeMap::new(),
            monsters: BTreeMap::new(),
            lurkers: Vec::new(),
            random_monsters: None,
            demons: Vec::new(),
            spawn_rate: 0,
            items: BTreeMap::new(),
            vaults: Vec::new(),
            layout_types: BTreeSet::new(),
            floor_colour: None,
            rock_colour: None,
            floor_tile: None,
            rock_tile: None,
        }
    }

    /// Resets it to solid rock with nothing on it (spec 04 §1.5). Only knowledge about sight is
    /// kept.
    pub fn reset(&mut self, features: &Features) {
        self.start_as(Start::Rock(features.rock_wall()));
    }

    /// Resets it to floor inside a border of rock, without knowledge about sight. This is where
    /// single vaults are resolved and placed.
    pub fn reset_open(&mut self, features: &Features) {
        self.sight.forget_all();
        self.start_as(Start::Open { rock: features.rock_wall(), floor: features.floor() });
    }

    /// Returns the level as it is, and leaves solid rock, with knowledge about sight.
    pub fn take(&mut self, features: &Features) -> Level {
        let sight = self.sight.clone();
        let mut rest = Level { sight, ..Level::without_cells(self.size) };
        rest.reset(features);
        std::mem::replace(self, rest)
    }

    fn start_as(&mut self, start: Start) {
        // Of thousands of vaults resolved one after the other, few write to it.
        let is_as_it_was = self.unwritten == Some(start);
        *self = Level {
            sight: std::mem::take(&mut self.sight),
            zones: std::mem::take(&mut self.zones),
            features: std::mem::take(&mut self.features),
            masks: std::mem::take(&mut self.masks),
            vault_ids: std::mem::take(&mut self.vault_ids),
            properties: std::mem::take(&mut self.properties),
            unwritten: Some(start),
            had: std::mem::take(&mut self.had),
            ..Level::without_cells(self.size)
        };
        if is_as_it_was {
            return;
        }
        let cells = self.size.cells();
        let (Start::Rock(rock) | Start::Open { rock, .. }) = start;
        fill(&mut self.features, cells, rock);
        fill(&mut self.masks, cells, 0);
        fill(&mut self.vault_ids, cells, NO_VAULT);
        self.properties.clear();
        fill(&mut self.had, self.size.height() as usize, start.features());
        if let Start::Open { floor, .. } = start {
            let right = self.size.width() - 1;
            for y in 1..self.size.height() - 1 {
                let row = self.index_of(Point::new(1, y))..self.index_of(Point::new(right, y));
                self.features[row].fill(floor);
            }
        }
    }

    /// Returns whether it has all cells of the content's levels, with features from its table. A
    /// level read from a file may not.
    pub fn is_whole(&self, content: &Content) -> bool {
        let (cells, features) = (self.size.cells(), content.features().len());
        self.size == content.level_size()
            && self.features.len() == cells
            && [self.masks.len(), self.vault_ids.len()] == [cells; 2]
            && [0, cells].contains(&self.properties.len())
            && self.heights.as_ref().is_none_or(|heights| heights.len() == cells)
            && self.features.iter().all(|feature| usize::from(feature.0) < features)
    }

    /// Returns the size of the level.
    #[inline]
    pub fn size(&self) -> LevelSize {
        self.size
    }

    /// Returns whether a cell is on the level.
    #[inline]
    pub fn holds(&self, p: Point) -> bool {
        p.is_within(self.size, 0)
    }

    /// Returns whether a cell is on the level, but not in its outermost ring.
    #[inline]
    pub fn in_bounds(&self, p: Point) -> bool {
        p.is_within(self.size, 1)
    }

    /// Returns the index of a cell in a list of all cells, row by row.
    #[inline]
    pub fn index_of(&self, p: Point) -> usize {
        (p.y * self.size.width() + p.x) as usize
    }

    /// Returns the cell at an index in such a list.
    #[inline]
    pub fn point_of(&self, index: usize) -> Point {
        let width = self.size.width() as usize;
        Point::new((index % width) as i32, (index / width) as i32)
    }

    #[inline]
    fn cell_of(&self, p: Point) -> Option<usize> {
        self.holds(p).then(|| self.index_of(p))
    }

    /// Returns all cells, row by row from the top.
    #[inline]
    pub fn points(&self) -> Points {
        self.rectangle(Point::new(0, 0), Point::new(self.size.width() - 1, self.size.height() - 1))
    }

    /// Returns the cells of a rectangle that are on the level, row by row. Both corners are
    /// included.
    #[inline]
    pub fn rectangle(&self, a: Point, b: Point) -> Points {
        Points::between(
            Point::new(a.x.max(0), a.y.max(0)),
            Point::new(b.x.min(self.size.width() - 1), b.y.min(self.size.height() - 1)),
        )
    }

    /// Returns the feature of a cell; `None` outside the level.
    #[inline]
    pub fn feature(&self, p: Point) -> Option<FeatureId> {
        self.cell_of(p).map(|at| self.features[at])
    }

    /// Returns the features of all cells, row by row.
    #[inline]
    pub fn features(&self) -> &[FeatureId] {
        &self.features
    }

    /// Returns the zones of the open cells, given as flags row by row. The latest results are
    /// cached.
    pub fn zones(&self, open: &[bool]) -> Arc<Zones> {
        self.zones.of(self.size.width(), open)
    }

    /// Sets the feature of a cell. Returns false if it is outside the level.
    #[inline]
    pub fn set_feature(&mut self, p: Point, feature: FeatureId) -> bool {
        let Some(at) = self.cell_of(p) else { return false };
        self.unwritten = None;
        if std::mem::replace(&mut self.features[at], feature) != feature {
            self.note_feature(p.y, at..at + 1, feature);
        }
        self.causes.write(at);
        true
    }

    /// Records that some cells of a row have a new feature.
    #[inline]
    fn note_feature(&mut self, y: i32, cells: Range<usize>, feature: FeatureId) {
        self.passable.note(cells, &self.features, &self.masks);
        if let Some(had) = self.had.get_mut(y as usize) {
            had.insert(feature);
        }
    }

    /// Returns whether two cells, at most three apart, see each other past solid features,
    /// according to what the level remembers.
    pub fn in_sight(&mut self, from: Point, to: Point, features: &Features) -> bool {
        let Level { size, features: cells, sight, .. } = self;
        let index = |p: Point| (p.y * size.width() + p.x) as usize;
        let is_solid =
            |p: Point| p.is_within(*size, 0) && features.get(cells[index(p)]).flags.solid();
        sight.sees(from, to, *size, is_solid)
    }

    /// Sets the cause of all changes from now on. Returns the previous one, for [`Level::resume`].
    pub fn begin(&mut self, cause: Cause) -> u16 {
        self.causes.begin(cause)
    }

    /// Returns to the previous cause.
    pub fn resume(&mut self, before: u16) {
        self.causes.resume(before);
    }

    /// Returns what wrote the feature of a cell.
    pub fn cause(&self, p: Point) -> &Cause {
        self.cell_of(p).map_or(&Cause::Start, |at| self.causes.of(at))
    }

    /// Returns the mask bits of a cell; 0 outside the level.
    #[inline]
    pub fn mask(&self, p: Point) -> i64 {
        self.cell_of(p).map_or(0, |at| self.masks[at])
    }

    /// Returns the mask bits that any of the eight cells around a cell has.
    pub(crate) fn masks_around(&self, p: Point) -> i64 {
        let all = |cells: &[i64]| cells.iter().fold(0, |all, mask| all | mask);
        if !p.is_within(self.size, 1) {
            return ADJACENT.iter().fold(0, |all, &step| all | self.mask(p.offset(step)));
        }
        let (at, width) = (self.index_of(p), self.size.width() as usize);
        let row = |middle: usize| all(&self.masks[middle - 1..=middle + 1]);
        row(at - width) | self.masks[at - 1] | self.masks[at + 1] | row(at + width)
    }

    /// Sets and clears mask bits of a cell.
    #[inline]
    pub fn change_mask(&mut self, p: Point, set: i64, clear: i64) {
        if let Some(at) = self.cell_of(p) {
            self.unwritten = None;
            let mask = &mut self.masks[at];
            let before = std::mem::replace(mask, (*mask | set) & !clear);
            if (before ^ *mask) & PASSING != 0 {
                self.passable.note(at..at + 1, &self.features, &self.masks);
            }
        }
    }

    /// Returns the property bits of a cell; 0 outside the level.
    #[inline]
    pub fn properties(&self, p: Point) -> i64 {
        self.cell_of(p).and_then(|at| self.properties.get(at).copied()).unwrap_or(0)
    }

    /// Sets and clears properties of a cell.
    #[inline]
    pub fn change_properties(&mut self, p: Point, set: i64, clear: i64) {
        if let Some(at) = self.cell_of(p) {
            self.unwritten = None;
            if self.properties.is_empty() {
                if set & !clear == 0 {
                    return;
                }
                self.properties.resize(self.size.cells(), 0);
            }
            let properties = &mut self.properties[at];
            *properties = (*properties | set) & !clear;
        }
    }

    /// Returns the placement that a cell belongs to.
    #[inline]
    pub fn vault_at(&self, p: Point) -> Option<&VaultPlacement> {
        let id = self.vault_ids[self.cell_of(p)?];
        self.vaults.get(usize::from(id)).filter(|_| id != NO_VAULT)
    }

    /// Returns the placement that a cell belongs to, mutably.
    pub fn vault_at_mut(&mut self, p: Point) -> Option<&mut VaultPlacement> {
        let id = self.vault_ids[self.cell_of(p)?];
        self.vaults.get_mut(usize::from(id)).filter(|_| id != NO_VAULT)
    }

    /// Returns the level's own settings for random monsters.
    pub fn own_monsters(&self) -> OwnMonsters<'_> {
        OwnMonsters { demons: &self.demons, list: self.random_monsters.as_deref() }
    }

    /// Returns the index of each cell's placement, row by row; [`NO_VAULT`] for none.
    #[inline]
    pub fn vault_ids(&self) -> &[u16] {
        &self.vault_ids
    }

    /// Returns the mask bits of all cells, row by row.
    #[inline]
    pub fn masks(&self) -> &[i64] {
        &self.masks
    }

    /// Returns the property bits of all cells, row by row.
    #[inline]
    pub fn property_bits(&self) -> Cow<'_, [i64]> {
        match self.properties.is_empty() {
            true => Cow::Owned(vec![0; self.size.cells()]),
            false => Cow::Borrowed(&self.properties),
        }
    }

    /// Assigns a cell to the placement with this index.
    pub fn set_vault(&mut self, p: Point, vault: u16) {
        if let Some(at) = self.cell_of(p) {
            self.unwritten = None;
            self.vault_ids[at] = vault;
        }
    }

    /// Returns the height of a cell, or 0 if it has none.
    #[inline]
    pub fn height(&self, p: Point) -> i32 {
        let heights = self.heights.as_ref();
        heights.zip(self.cell_of(p)).map_or(0, |(heights, at)| heights[at])
    }

    /// Sets the height of a cell. If the level has no heights yet, it gets them.
    pub fn set_height(&mut self, p: Point, height: i32) {
        if let Some(at) = self.cell_of(p) {
            let cells = self.features.len();
            self.heights.get_or_insert_with(|| vec![0; cells])[at] = height;
        }
    }
}

/// Sets a list to this many copies of one value, reusing its memory.
fn fill<T: Copy>(list: &mut Vec<T>, cells: usize, value: T) {
    list.clear();
    list.resize(cells, value);
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;
    use crate::mask;

    #[test]
    fn a_level_that_is_opened_again_is_as_one_opened_anew() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let opened = |mut level: Level| {
            level.reset_open(features);
            serde_json::to_string(&level).expect("a level is JSON")
        };
        let new = opened(Level::solid(&content));
        let at = Point::new(7, 9);
        let changes: [fn(&mut Level, Point); 8] = [
            |_, _| {},
            |level, at| drop(level.colours.insert(at, "red".to_owned())),
            |level, at| assert!(level.set_feature(at, FeatureId(0))),
            |level, at| level.change_mask(at, mask::VAULT, 0),
            |level, at| level.change_properties(at, 1, 0),
            |level, at| level.set_vault(at, 0),
            |level, at| level.set_features(at, 3, FeatureId(0)),
            |level, _| level.reset(Content::new(Rules::of(Edition::V0_28)).features()),
        ];
        let mut level = Level::solid(&content);
        for change in changes {
            level.reset_open(features);
            change(&mut level, at);
            assert_eq!(opened(level.clone()), new);
        }
    }

    #[test]
    fn properties_are_none_until_a_cell_has_some() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let (mut level, p) = (Level::solid(&content), Point::new(7, 9));
        let bits = |level: &Level| level.property_bits().iter().filter(|&&bits| bits != 0).count();
        level.change_properties(p, 0, 1);
        level.bare(p, 3, 0);
        assert_eq!((level.properties(p), bits(&level), level.properties.len()), (0, 0, 0));
        assert_eq!(level.property_bits().len(), level.features().len());
        level.change_properties(p, 5, 1);
        assert_eq!((level.properties(p), bits(&level), level.is_whole(&content)), (4, 1, true));
        let saved = serde_json::to_string(&level).expect("a level is JSON");
        let read: Level = serde_json::from_str(&saved).expect("a level");
        assert_eq!((read.properties(p), read.is_whole(&content)), (4, true));
        level.reset(content.features());
        assert_eq!((level.properties(p), bits(&level)), (0, 0));
    }

    #[test]
    fn a_level_that_is_handed_out_leaves_rock_and_what_is_known_of_sight() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let mut level = Level::solid(&content);
        let [from, to] = [Point::new(20, 20), Point::new(22, 20)];
        level.set_features(from, 3, features.floor());
        level.change_mask(from, mask::VAULT, 0);
        assert!(level.in_sight(from, to, features));
        let taken = level.take(features);
        assert_eq!((taken.feature(from), taken.mask(from)), (Some(features.floor()), mask::VAULT));
        let solid = Level::solid(&content);
        let text = |level: &Level| serde_json::to_string(level).expect("a level is JSON");
        assert_eq!(text(&level), text(&solid));
        assert!(level.in_sight(from, to, features), "though there is rock now");
    }

    #[test]
    fn masks_around_a_cell_are_those_of_its_neighbours() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut level = Level::solid(&content);
        for (at, bit) in [((0, 0), 1), ((1, 0), 2), ((79, 69), 4), ((40, 30), 8)] {
            level.change_mask(Point::new(at.0, at.1), bit, 0);
        }
        let around = |x, y| level.masks_around(Point::new(x, y));
        assert_eq!([around(0, 0), around(1, 1), around(0, 1), around(-1, 0)], [2, 3, 3, 1]);
        assert_eq!([around(79, 69), around(78, 68), around(40, 30)], [0, 4, 0]);
        assert!(ADJACENT.iter().all(|step| around(40 + step.0, 30 + step.1) == 8));
    }
}
