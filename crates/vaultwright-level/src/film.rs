//! What each step of a build changes, cell by cell.

use vaultwright_content::{FeatureId, Features};
use vaultwright_map::Point;

use crate::level::Level;
use crate::occupants::{LevelItem, LevelMonster};

/// The contents of a cell after a step has changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellChange {
    /// The cell.
    pub at: Point,
    /// Its feature.
    pub feature: FeatureId,
    /// Its colour, or the level's floor or rock colour, if it has one.
    pub colour: Option<String>,
    /// The monster on it.
    pub monster: Option<LevelMonster>,
    /// The first item on it.
    pub item: Option<LevelItem>,
}

/// The level after the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Film {
    cells: Vec<CellChange>,
}

impl Film {
    /// Returns what has changed since the last step; the first time, all cells.
    pub(crate) fn changes(&mut self, level: &Level, features: &Features) -> Vec<CellChange> {
        let is_first = self.cells.is_empty();
        let mut changes = Vec::new();
        for (index, at) in level.points().enumerate() {
            if self.cells.get(index).is_some_and(|before| level.is_as(before, features)) {
                continue;
            }
            let now = level.cell(at, features);
            match is_first {
                true => self.cells.push(now.clone()),
                false => self.cells[index] = now.clone(),
            }
            changes.push(now);
        }
        changes
    }
}

impl Level {
    fn cell(&self, at: Point, features: &Features) -> CellChange {
        let feature = self.feature(at).unwrap_or_else(|| features.rock_wall());
        CellChange {
            at,
            feature,
            colour: self.colour_of(at, feature, features).map(str::to_owned),
            monster: self.monsters.get(&at).cloned(),
            item: self.items.get(&at).and_then(|items| items.first()).cloned(),
        }
    }

    fn is_as(&self, before: &CellChange, features: &Features) -> bool {
        let at = before.at;
        self.feature(at) == Some(before.feature)
            && self.colour_of(at, before.feature, features) == before.colour.as_deref()
            && self.monsters.get(&at) == before.monster.as_ref()
            && self.items.get(&at).and_then(|items| items.first()) == before.item.as_ref()
    }

    /// Returns the colour of a cell if it differs from that of its feature.
    pub fn colour_of(&self, at: Point, feature: FeatureId, features: &Features) -> Option<&str> {
        let themed = if feature == features.floor() {
            self.floor_colour.as_deref()
        } else if feature == features.rock_wall() {
            self.rock_colour.as_deref()
        } else {
            None
        };
        self.colours.get(&at).map(String::as_str).or(themed)
    }
}
