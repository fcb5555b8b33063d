//! Makes levels on threads of their own, as a game does that must not wait:
//! `cargo run --example threads -- 2`. The page docs/embedding.md explains it.

mod pool;

use std::thread;

use pool::{Answer, Error, LevelPool};
use vaultwright::{DataRoot, Engine};

fn main() -> Result<(), Error> {
    let threads = std::env::args().nth(1).map_or(Ok(2), |text| text.parse())?;
    let engine = Engine::open(DataRoot::Embedded)?;
    for problem in engine.problems() {
        eprintln!("{}", problem.message);
    }
    let pool = LevelPool::new(engine.share(), threads);
    let wanted = [("D:1", 7), ("D:2", 7), ("D:1", 8), ("D:2", 8)];
    for (place, seed) in wanted {
        pool.request(place, seed);
    }
    let mut lines = Vec::new();
    while lines.len() < wanted.len() {
        for answer in pool.finished() {
            let Answer { place, seed, level } = answer;
            let what = match level {
                Ok(level) => format!("{} vaults", level.vaults.len()),
                Err(error) => error.to_string(),
            };
            lines.push(format!("{place} of game {seed}: {what}"));
        }
        thread::yield_now();
    }
    // The order in which threads finish is nobody's; the levels are the same for any number of
    // them.
    lines.sort();
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}
