//! `generate --counted`: levels of a campaign once more, exactly as it has counted them.

use vaultwright::Engine;
use vaultwright::map::LevelPlace;
use vaultwright::stats::{Levels, Plan, Surveyor};

use crate::Failure;
use crate::arguments::GenerateOptions;
use crate::generate::Show;

/// Builds a game as a campaign over these ranges does (all levels, if they are empty), and shows
/// the levels that are wanted of it. Returns whether all of them could be built.
pub fn build(
    engine: &mut Engine,
    ranges: &str,
    wanted: &[LevelPlace],
    options: &GenerateOptions,
    show: &Show,
) -> Result<bool, Failure> {
    let plan = Plan {
        first_seed: options.seed,
        games: 1,
        levels: match ranges.is_empty() {
            true => Levels::All,
            false => Levels::Only(ranges.to_owned()),
        },
        force: options.force.clone(),
        without: options.counted.without.clone(),
        veto_closets: options.counted.veto_closets,
        picks: false,
        kept_games: 0,
    };
    let surveyor = Surveyor::new(&plan, engine)?;
    let mut missing = wanted.to_vec();
    let mut shown = Ok(true);
    surveyor.build_again(engine, options.seed, &mut |place, result| {
        if missing.contains(&place) {
            missing.retain(|other| *other != place);
            match (&mut shown, show(place, result)) {
                (Ok(whole), Ok(built)) => *whole &= built,
                (shown, Err(failure)) => *shown = Err(failure),
                (Err(_), Ok(_)) => {}
            }
        }
        shown.is_ok() && !missing.is_empty()
    });
    let whole = shown?;
    for place in &missing {
        let place = place.name(engine.content().branches());
        let seed = options.seed;
        eprintln!(
            "error: {place} is not among the levels that are counted of the game of seed {seed}"
        );
    }
    Ok(whole && missing.is_empty())
}
