//! Which cells of a level have certain features.

use vaultwright_content::{FeatureBits, FeatureId, FeatureSet, Features};
use vaultwright_map::Point;

use super::Level;

impl Level {
    /// Returns those features that cells may have and for which `suits` is true.
    pub fn features_where(
        &self,
        features: &Features,
        suits: impl Fn(FeatureId) -> bool,
    ) -> FeatureSet {
        if self.had.is_empty() {
            return features.set_of(suits);
        }
        let mut had = FeatureBits::default();
        self.had.iter().for_each(|row| had.add(row));
        let mut set = FeatureSet::default();
        had.ids().filter(|&id| suits(id)).for_each(|id| set.insert(id));
        set
    }

    /// Returns the cells whose feature is in a set, row by row.
    pub fn cells_with(&self, features: &FeatureSet) -> Vec<Point> {
        let mut cells = Vec::new();
        for (y, row) in self.rows_that_may_have(features) {
            features.each_in(row, |x| cells.push(Point::new(x as i32, y)));
        }
        cells
    }

    /// Returns the rows, with their numbers, in which any cell may have a feature of the set.
    fn rows_that_may_have(
        &self,
        features: &FeatureSet,
    ) -> impl Iterator<Item = (i32, &[FeatureId])> {
        let rows = (0..).zip(self.features.chunks(self.size.width().max(1) as usize));
        rows.filter(|&(y, _)| {
            let had = self.had.get(y as usize);
            had.is_none_or(|had| !features.bits().is_disjoint(had))
        })
    }

    /// Returns whether any cell has a feature of the set.
    pub fn has_any(&self, features: &FeatureSet) -> bool {
        self.rows_that_may_have(features).any(|(_, row)| features.has_any_of(row))
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};

    use super::*;

    #[test]
    fn features_are_found_however_they_came_there() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let lava = features.by_name("lava").expect("a feature");
        let mut level = Level::solid(&content);
        let found = |level: &Level| level.cells_with(&features.set_of(|id| id == lava));
        assert_eq!(found(&level), []);
        level.set_features(Point::new(7, 9), 2, lava);
        level.set_feature(Point::new(3, 12), lava);
        let cells = [Point::new(7, 9), Point::new(8, 9), Point::new(3, 12)];
        assert_eq!(found(&level), cells);
        let saved = serde_json::to_string(&level).expect("a level is JSON");
        assert_eq!(found(&serde_json::from_str(&saved).expect("a level")), cells);
        level.reset_open(features);
        assert_eq!(found(&level), []);
        assert_eq!(level.cells_with(&features.set_of(|id| id == features.floor())).len(), 78 * 68);
    }

    #[test]
    fn of_features_that_suit_only_those_count_that_a_level_has_had() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let mut level = Level::solid(&content);
        level.set_feature(Point::new(7, 9), features.floor());
        let [rock, floor] = [features.rock_wall(), features.floor()];
        let lava = features.by_name("lava").expect("a feature");
        let found = |level: &Level| {
            let set = level.features_where(features, |id| id != rock);
            [rock, floor, lava].map(|id| set.contains(id))
        };
        assert_eq!(found(&level), [false, true, false]);
        let saved = serde_json::to_string(&level).expect("a level is JSON");
        let read = serde_json::from_str(&saved).expect("a level");
        assert_eq!(found(&read), [false, true, true], "nobody has counted");
    }
}
