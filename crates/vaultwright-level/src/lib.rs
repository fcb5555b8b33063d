//! The level as plain data: what stands where.

use vaultwright_content::{Content, FeatureId, Features};
use vaultwright_map::position::{Ground, LEVEL_HEIGHT, LEVEL_WIDTH};
use vaultwright_map::{MapDef, Point};

/// The cell belongs to a vault.
pub const MASK_VAULT: i64 = 1;

/// A level: 80 × 70 cells (spec 04 §1.1).
#[derive(Clone, Debug)]
pub struct Level {
    features: Vec<FeatureId>,
    masks: Vec<i64>,
}

impl Level {
    /// Solid rock.
    pub fn solid(features: &Features) -> Level {
        let cells = (LEVEL_WIDTH * LEVEL_HEIGHT) as usize;
        Level { features: vec![features.rock_wall(); cells], masks: vec![0; cells] }
    }

    /// Floor inside a border of rock: where vaults are resolved and placed alone.
    pub fn open(features: &Features) -> Level {
        let mut level = Level::solid(features);
        level.reopen(features);
        level
    }

    /// Makes it what [`Level::open`] gives.
    pub fn reopen(&mut self, features: &Features) {
        self.features.fill(features.rock_wall());
        self.masks.fill(0);
        let floor = features.floor();
        for y in 1..LEVEL_HEIGHT - 1 {
            let row = index(Point::new(1, y))..index(Point::new(LEVEL_WIDTH - 1, y));
            self.features[row].fill(floor);
        }
    }

    /// All cells, row by row from the top.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        (0..LEVEL_HEIGHT).flat_map(|y| (0..LEVEL_WIDTH).map(move |x| Point::new(x, y)))
    }

    /// The feature of a cell; none outside the level.
    pub fn feature(&self, p: Point) -> Option<FeatureId> {
        on_map(p).then(|| self.features[index(p)])
    }

    /// Sets the feature of a cell; false outside the level.
    pub fn set_feature(&mut self, p: Point, feature: FeatureId) -> bool {
        let inside = on_map(p);
        if inside {
            self.features[index(p)] = feature;
        }
        inside
    }

    /// The mask bits of a cell (spec 04 §10.2), 0 outside the level.
    pub fn mask(&self, p: Point) -> i64 {
        if on_map(p) { self.masks[index(p)] } else { 0 }
    }

    /// Sets and clears mask bits of a cell.
    pub fn change_mask(&mut self, p: Point, set: i64, clear: i64) {
        if on_map(p) {
            let mask = &mut self.masks[index(p)];
            *mask = (*mask | set) & !clear;
        }
    }
}

/// 0 … 79 × 0 … 69.
pub fn on_map(p: Point) -> bool {
    (0..LEVEL_WIDTH).contains(&p.x) && (0..LEVEL_HEIGHT).contains(&p.y)
}

/// All but the outermost ring.
pub fn in_bounds(p: Point) -> bool {
    (1..LEVEL_WIDTH - 1).contains(&p.x) && (1..LEVEL_HEIGHT - 1).contains(&p.y)
}

fn index(p: Point) -> usize {
    (p.y * LEVEL_WIDTH + p.x) as usize
}

/// A level as ground for maps whose place is not checked (spec 04 §6).
pub struct UncheckedGround<'a> {
    /// The level.
    pub level: &'a Level,
    /// Its tables.
    pub content: &'a Content,
}

impl Ground for UncheckedGround<'_> {
    fn accepts(&self, _: &MapDef, _: Point) -> bool {
        true
    }

    fn open(&self, at: Point) -> bool {
        self.level.feature(at).is_some_and(|id| {
            let flags = self.content.features().get(id).flags;
            if flags.deep_water() || flags.wall() || flags.tree() {
                return false;
            }
            flags.opaque() || flags.floor() || flags.shallow_water() || flags.door()
        })
    }
}
