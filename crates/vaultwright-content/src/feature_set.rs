//! Sets of features.

use crate::features::{FeatureId, Features};

/// A set of the features of a table.
#[derive(Clone, Debug)]
pub struct FeatureSet([bool; FeatureSet::MOST]);

impl FeatureSet {
    /// More features than a table has: whole levels are looked up in a set, without asking whether
    /// a feature is in it at all.
    const MOST: usize = 512;

    /// Returns whether it has a feature.
    #[must_use]
    #[inline]
    pub fn contains(&self, id: FeatureId) -> bool {
        self.0[usize::from(id.0) % FeatureSet::MOST]
    }

    /// Adds a feature.
    #[inline]
    pub fn insert(&mut self, id: FeatureId) {
        self.0[usize::from(id.0) % FeatureSet::MOST] = true;
    }
}

impl Features {
    /// Returns the features of which something holds; it is asked once for each of the table.
    #[must_use]
    pub fn set_of(&self, suits: impl Fn(FeatureId) -> bool) -> FeatureSet {
        debug_assert!(self.len() <= FeatureSet::MOST, "two features would be taken for one");
        let mut set = FeatureSet([false; FeatureSet::MOST]);
        self.iter().filter(|&(id, _)| suits(id)).for_each(|(id, _)| set.insert(id));
        set
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
        let last = features.iter().map(|(id, _)| id).last().expect("features");
        assert!(usize::from(last.0) < super::FeatureSet::MOST);
    }
}
