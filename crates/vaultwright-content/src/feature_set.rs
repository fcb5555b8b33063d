//! Sets of features.

use crate::features::{FeatureId, Features};

/// A set of the features of a table.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    has: [bool; FeatureSet::MAX_FEATURES],
    /// Its features, while there are few.
    few: [FeatureId; FEW],
    count: usize,
    bits: FeatureBits,
}

/// A compact form, for checking whether anything of a set is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureBits([u64; FeatureSet::MAX_FEATURES / 64]);

impl FeatureBits {
    /// Adds a feature.
    #[inline]
    pub fn insert(&mut self, id: FeatureId) {
        let bit = usize::from(id.0) % FeatureSet::MAX_FEATURES;
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Adds the features of another set.
    #[inline]
    pub fn add(&mut self, other: &FeatureBits) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    /// Returns the features, in their order.
    pub fn ids(&self) -> impl Iterator<Item = FeatureId> {
        self.0.iter().zip((0..).step_by(64)).flat_map(|(&bits, first)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let next = (left != 0).then(|| FeatureId(first + left.trailing_zeros() as u16))?;
                left &= left - 1;
                Some(next)
            })
        })
    }

    /// Returns whether no feature is in both.
    #[must_use]
    #[inline]
    pub fn is_disjoint(&self, other: &FeatureBits) -> bool {
        self.0.iter().zip(&other.0).fold(0, |both, (own, other)| both | (own & other)) == 0
    }
}

/// Up to this many features, searching for each of them in many cells at once is faster.
const FEW: usize = 8;

/// The number of cells examined at once.
const TOGETHER: usize = 16;

impl FeatureSet {
    /// More features than a table has: cells of whole levels are looked up without a bounds check.
    const MAX_FEATURES: usize = 512;

    /// Returns whether the set contains a feature.
    #[must_use]
    #[inline]
    pub fn contains(&self, id: FeatureId) -> bool {
        self.has[usize::from(id.0) % FeatureSet::MAX_FEATURES]
    }

    /// Calls `found` with the index of each feature of a list that is in the set, in order.
    pub fn each_in(&self, list: &[FeatureId], mut found: impl FnMut(usize)) {
        let mut look = |part: &[FeatureId], start: usize| {
            let within = part.iter().zip(start..).filter(|&(&id, _)| self.contains(id));
            within.for_each(|(_, place)| found(place));
        };
        let (parts, rest) = list.as_chunks();
        for (part, start) in parts.iter().zip((0..).step_by(TOGETHER)) {
            // In most lists, few features are in the set.
            if self.has_any(part) {
                look(part, start);
            }
        }
        look(rest, list.len() - rest.len());
    }

    /// Returns whether any feature of a list is in the set.
    #[must_use]
    pub fn has_any_of(&self, list: &[FeatureId]) -> bool {
        let (parts, rest) = list.as_chunks();
        parts.iter().any(|part| self.has_any(part)) || rest.iter().any(|&id| self.contains(id))
    }

    /// Returns the set in its compact form.
    #[must_use]
    pub fn bits(&self) -> &FeatureBits {
        &self.bits
    }

    /// Adds a feature.
    #[inline]
    pub fn insert(&mut self, id: FeatureId) {
        if !std::mem::replace(&mut self.has[usize::from(id.0) % FeatureSet::MAX_FEATURES], true) {
            if let Some(place) = self.few.get_mut(self.count) {
                *place = id;
            }
            self.count += 1;
            self.bits.insert(id);
        }
    }

    /// Returns whether any of these features is in the set.
    #[inline]
    fn has_any(&self, of: &[FeatureId; TOGETHER]) -> bool {
        match self.few.get(..self.count) {
            Some(few) => {
                let is_there = |own: FeatureId| of.iter().fold(false, |any, &id| any | (id == own));
                few.iter().fold(false, |any, &own| any | is_there(own))
            }
            None => of.iter().fold(false, |any, &id| any | self.contains(id)),
        }
    }
}

impl Default for FeatureSet {
    fn default() -> FeatureSet {
        let few = [FeatureId::default(); FEW];
        let bits = FeatureBits::default();
        FeatureSet { has: [false; FeatureSet::MAX_FEATURES], few, count: 0, bits }
    }
}

impl Features {
    /// Returns the features for which `suits` is true. It is called once for each feature of the
    /// table.
    #[must_use]
    pub fn set_of(&self, suits: impl Fn(FeatureId) -> bool) -> FeatureSet {
        debug_assert!(
            self.len() <= FeatureSet::MAX_FEATURES,
            "two features would be taken for one"
        );
        let mut set = FeatureSet::default();
        self.iter().filter(|&(id, _)| suits(id)).for_each(|(id, _)| set.insert(id));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::FeatureBits;
    use crate::{Content, Edition, FeatureId, Rules};

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
        assert!(usize::from(last.0) < super::FeatureSet::MAX_FEATURES);
    }

    #[test]
    fn few_features_are_found_where_many_are() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let all: Vec<FeatureId> = features.iter().map(|(id, _)| id).collect();
        for count in 0..12 {
            let set = features.set_of(|id| usize::from(id.0) % 7 < count % 3 && id.0 < 30);
            let mut wanted = set.clone();
            all.iter().rev().take(count).for_each(|&id| wanted.insert(id));
            for length in [0, 1, 15, 16, 17, 100] {
                let cells: Vec<FeatureId> =
                    (0..length).map(|cell| all[cell * 31 % all.len()]).collect();
                let mut found = Vec::new();
                wanted.each_in(&cells, |place| found.push(place));
                let expected = (0..length).filter(|&cell| wanted.contains(cells[cell]));
                assert_eq!(found, expected.collect::<Vec<_>>());
                assert_eq!(wanted.has_any_of(&cells), !found.is_empty());
                let mut others = FeatureBits::default();
                assert!(wanted.bits().is_disjoint(&others));
                cells.iter().for_each(|&id| others.insert(id));
                let mut both = FeatureBits::default();
                both.add(&others);
                both.add(wanted.bits());
                let listed = all.iter().filter(|id| wanted.contains(**id) || cells.contains(id));
                assert!(both.ids().eq(listed.copied()));
                assert_eq!(wanted.bits().is_disjoint(&others), found.is_empty());
            }
        }
    }
}
