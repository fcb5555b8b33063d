//! Levels that the library makes, and that are played. One program, so that it is linked once.

mod abyss;
mod failures;
mod game;
mod lair_levels;
mod layouts;
mod placing;
mod random_monsters;
mod tides;
mod trunk_builder;

use vaultwright::content::Edition;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions};

/// An engine with the maps of a text and nothing else, under the rules of an edition.
fn engine_of(edition: Edition, maps: &str) -> Engine {
    let options =
        EngineOptions { root: DataRoot::Bare, edition: Some(edition), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let problems = engine.load(vec![Source::new("maps.des", maps.as_bytes())]);
    assert!(problems.is_empty(), "{:?}", problems[0].message);
    engine
}
