//! Prints a level of the starter pack and what stands on it: `cargo run --example level -- D:3 7`.

use std::error::Error;

use vaultwright::render::{level_picture, to_text};
use vaultwright::{DataRoot, Engine};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let place = arguments.next().unwrap_or("D:3".to_owned());
    let seed = arguments.next().map_or(Ok(1), |text| text.parse())?;

    let mut engine = Engine::open(DataRoot::Embedded)?;
    for problem in engine.problems() {
        eprintln!("{}", problem.message);
    }
    let place = engine.level_place(&place)?;
    // The levels of a game that are made before it come first: what they have used is gone.
    let built = engine.level(place, seed)?;

    let level = &built.level;
    print!("{}", to_text(&level_picture(level, engine.content())));
    for vault in &level.vaults {
        println!("{} at {},{}", vault.described(), vault.at.x, vault.at.y);
    }
    println!("{} monsters, {} items", level.monsters.len(), level.items.len());
    Ok(())
}
