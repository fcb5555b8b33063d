use vaultwright_content::FeatureId;
use vaultwright_map::Context;

use super::monsters::Population;

/// The altar of glyph `B`: the last of the temple's list; floor when it is empty (spec 04 §8.3).
pub(super) fn next_altar(population: &mut Population, ctx: &mut Context) -> FeatureId {
    let content = ctx.content;
    let features = content.features();
    if population.altars.is_none() {
        let mut gods: Vec<String> =
            content.names().temple_gods().iter().map(|god| god.altar.clone()).collect();
        ctx.rng.shuffle(&mut gods);
        population.altars = Some(gods);
    }
    let altar = population.altars.as_mut().and_then(Vec::pop);
    altar.and_then(|altar| features.by_name(&altar)).unwrap_or_else(|| features.floor())
}
