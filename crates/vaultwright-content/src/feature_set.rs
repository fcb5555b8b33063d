//! Sets of features.

use crate::features::{FeatureId, Features};

/// A set of the features of a table.
#[derive(Clone, Debug)]
pub struct FeatureSet(Vec<bool>);

impl FeatureSet {
    /// Returns whether it has a feature.
    #[must_use]
    #[inline]
    pub fn contains(&self, id: FeatureId) -> bool {
        self.0[usize::from(id.0)]
    }

    /// Adds a feature.
    #[inline]
    pub fn insert(&mut self, id: FeatureId) {
        self.0[usize::from(id.0)] = true;
    }
}

impl Features {
    /// Returns the features of which something holds; it is asked once for each of the table.
    #[must_use]
    pub fn set_of(&self, suits: impl Fn(FeatureId) -> bool) -> FeatureSet {
        FeatureSet(self.iter().map(|(id, _)| suits(id)).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Content, Edition, Rules};

    #[test]
    fn a_set_has_what_suits_and_what_is_added() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let mut set = features.set_of(|id| features.get(id).flags.lava());
        let lava = features.by_name("lava").expect("a feature");
        assert!(set.contains(lava) && !set.contains(features.floor()));
        set.insert(features.floor());
        assert!(set.contains(features.floor()));
    }
}
