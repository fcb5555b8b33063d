//! The whole way: compile, lint, roll.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::lint::lint;
use vaultwright::syntax::Source;
use vaultwright::{Engine, EngineOptions, Limits, MapId};

fuzz_target!(|source: &[u8]| {
    let limits = Limits { instructions: 100_000, ..Limits::default() };
    let options = EngineOptions { limits, ..EngineOptions::default() };
    let Ok(mut engine) = Engine::new(options) else { return };
    let _ = engine.load(vec![Source::new("fuzz.des", source)]);
    let _ = lint(&mut engine, &|_| true);
    for index in 0..engine.library().maps.len().min(3) {
        let _ = engine.resolve(MapId(index), 1);
    }
});
