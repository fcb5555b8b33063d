//! The altars that a temple deals to its maps.

use vaultwright_content::FeatureId;
use vaultwright_map::Context;

use crate::state::population::Population;

/// Returns the altar of glyph `B`: the last of the list of the temple, or else of all gods in an
/// order drawn for the map (spec 03 §9.7); when a temple has no more, floor or an altar of Xom
/// (spec 04 §8.3).
pub(crate) fn next_altar(population: &mut Population, ctx: &mut Context) -> FeatureId {
    let content = ctx.content;
    let features = content.features();
    if population.altars.is_empty() && population.temple.is_none() {
        population.altars =
            content.names().temple_gods().iter().map(|god| god.altar.clone()).collect();
        ctx.rng.shuffle(&mut population.altars);
    }
    let last = || content.names().god("Xom").map(|god| god.altar.clone());
    let altar = population.altars.pop().or_else(|| last().filter(|_| population.xom_fills_up));
    altar.and_then(|altar| features.by_name(&altar)).unwrap_or_else(|| features.floor())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// Spec 04 §8.3: the gods are shuffled once, whatever maps of a level take them.
    #[test]
    fn maps_take_the_altars_that_others_have_left() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let (dungeon, mut rng) = (Dungeon::standard(content.branches()), Streams::from_seed(1, 43));
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let mut population = Population::default();
        let mut taken = std::collections::BTreeSet::new();
        let gods = content.names().temple_gods().len();
        for _ in 0..gods {
            population.deal_altars();
            taken.insert(next_altar(&mut population, &mut ctx));
        }
        assert_eq!((taken.len(), rng.draws_of(0)), (gods, gods as u64 - 1));
    }

    #[test]
    fn a_temple_that_has_no_more_gods_has_floor_or_xom() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let (dungeon, mut rng) = (Dungeon::standard(content.branches()), Streams::from_seed(1, 46));
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        for (xom_fills_up, last) in [(false, "floor"), (true, "altar_xom")] {
            let temple = Some(vec!["altar_zin".to_owned()]);
            let mut population = Population { temple, xom_fills_up, ..Population::default() };
            population.deal_altars();
            let altars =
                [next_altar(&mut population, &mut ctx), next_altar(&mut population, &mut ctx)];
            let names = altars.map(|id| content.features().get(id).name.as_str());
            assert_eq!(names, ["altar_zin", last]);
        }
    }
}
