//! The layouts of docs/layouts.md, which are made with the engines of the embedded library: they
//! make levels that can be walked through.

use vaultwright::Engine;
use vaultwright::content::Edition;
use vaultwright::level::{Level, is_passable, zones_of};

use crate::engine_of;

const DOCUMENT: &str = include_str!("../../../../docs/layouts.md");

/// The files in the document: the text of each block, and the name of its map.
fn examples() -> Vec<(&'static str, &'static str)> {
    let blocks = DOCUMENT.split("```des\n").skip(1).map(|rest| {
        let block = rest.split("```").next().expect("the end of the block");
        let name = block.split("NAME:").nth(1).and_then(|rest| rest.split_whitespace().next());
        (name.expect("a name"), block)
    });
    blocks.collect()
}

fn build(engine: &mut Engine, place: &str, seed: u64) -> Level {
    let place = engine.level_place(place).expect("a place");
    engine.build(place, seed).expect("a level").level
}

#[test]
fn layouts_of_the_document_make_levels() {
    assert_eq!(examples().len(), 13);
    for (name, text) in examples() {
        let mut engine = engine_of(Edition::Trunk, text);
        for seed in 1..=6 {
            let level = build(&mut engine, "D:2", seed);
            assert!(level.vaults.iter().any(|vault| vault.map.name == name), "{name}, seed {seed}");
            let features = engine.content().features();
            let is_trap =
                |p| level.feature(p).is_some_and(|id| features.get(id).name.starts_with("trap_"));
            let zones =
                zones_of(&level, |p| is_passable(&level, engine.content(), p) || is_trap(p));
            assert_eq!(zones.count(), 1, "{name}, seed {seed}");
            let stairs = level.points().filter(|&p| {
                level.feature(p).is_some_and(|id| features.get(id).name.starts_with("stone_stairs"))
            });
            assert_eq!(stairs.count(), 6, "{name}, seed {seed}");
        }
    }
}

/// What a layout draws depends on the seed alone, although scripts keep tables of rooms and cells.
#[test]
fn layouts_are_the_same_in_every_engine() {
    for (name, text) in examples() {
        let mut engines = [engine_of(Edition::Trunk, text), engine_of(Edition::Trunk, text)];
        // The second one has made another level before.
        build(&mut engines[1], "D:3", 9);
        let [first, second] = engines.each_mut().map(|engine| build(engine, "D:2", 4));
        assert!(first.points().all(|p| first.feature(p) == second.feature(p)), "{name}");
    }
}
