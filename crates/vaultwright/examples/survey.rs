//! Which vaults do twenty games use most? What `mapstat` does, in one process and few lines.

use std::collections::BTreeMap;

use vaultwright::stats::{LeftOut, Levels, Plan, Surveyor, Unwatched};
use vaultwright::{Engine, EngineOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new(EngineOptions::default())?;
    let problems = engine.load(engine.pack_sources()?);
    assert!(problems.is_empty(), "the pack has errors");
    let plan = Plan {
        first_seed: 1,
        games: 20,
        levels: Levels::Only("D:1-5".to_owned()),
        force: None,
        veto_closets: false,
        without: Vec::new(),
        picks: false,
        kept_games: 0,
    };
    let surveyor = Surveyor::new(&plan, &engine)?;
    let mut uses: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 1..=plan.games {
        let surveyed = surveyor.survey(&mut engine, seed, &LeftOut::default(), &Unwatched);
        for level in &surveyed.game.levels {
            for vault in level.own_vaults() {
                *uses.entry(vault.map.clone()).or_default() += 1;
            }
        }
    }
    let mut uses: Vec<_> = uses.into_iter().collect();
    uses.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (name, count) in uses.iter().take(10) {
        println!("{count:4} {name}");
    }
    Ok(())
}
