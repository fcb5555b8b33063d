//! Placing whatever compiles, and playing on it at random; then saving it and taking it up again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::play::{Session, exercise};
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions, Limits, MapId};

fuzz_target!(|source: &[u8]| {
    let limits = Limits { instructions: 100_000, ..Limits::default() };
    let options = EngineOptions { limits, root: DataRoot::Bare, ..EngineOptions::default() };
    let Ok(mut engine) = Engine::new(options) else { return };
    let _ = engine.load(vec![Source::new("fuzz.des", source)]);
    let maps = engine.library().maps.len().min(2);
    let mut session = Session::new(engine, 1);
    for map in 0..maps {
        if exercise(&mut session, MapId(map), 1, 20).is_ok()
            && let Ok(bytes) = session.save()
        {
            assert_eq!(session.load(&bytes), Ok(()));
        }
    }
});
