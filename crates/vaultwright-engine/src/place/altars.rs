//! The altars that a temple deals to its maps.

use vaultwright_content::FeatureId;
use vaultwright_map::Context;

use crate::state::population::Population;

/// Returns the altar of glyph `B`: the last of the list of the temple, or else of all gods in an
/// order drawn for the map (spec 03 §9.7); floor when a temple has no more.
pub(crate) fn next_altar(population: &mut Population, ctx: &mut Context) -> FeatureId {
    let content = ctx.content;
    let features = content.features();
    if population.altars.is_empty() && population.temple.is_none() {
        population.altars =
            content.names().temple_gods().iter().map(|god| god.altar.clone()).collect();
        ctx.rng.shuffle(&mut population.altars);
    }
    let altar = population.altars.pop();
    altar.and_then(|altar| features.by_name(&altar)).unwrap_or_else(|| features.floor())
}
