//! The steps of the pipeline on the starter pack: parse, translate, compile, lint, roll.
//! `growing_cave` is drawn by Lua, `moonlit_pond` has none.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use vaultwright::lint::lint;
use vaultwright::syntax::{dump_map, parse};
use vaultwright::{Engine, EngineOptions};

const PACK: &[u8] = vaultwright_packs::file("starter/des/vaults.des").as_bytes();

fn pack_engine() -> Engine {
    let mut engine = Engine::new(EngineOptions::default()).expect("the embedded library loads");
    let sources = engine.pack_sources().expect("the pack is embedded");
    assert!(engine.load(sources).is_empty(), "the pack has no problems");
    engine
}

fn syntax(c: &mut Criterion) {
    c.bench_function("parse the starter pack", |b| b.iter(|| parse(black_box(PACK))));
    let file = parse(PACK);
    c.bench_function("translate the starter pack to Lua", |b| {
        b.iter(|| {
            let mut out = Vec::new();
            for map in &file.maps {
                dump_map(map, PACK, &mut out);
            }
            out
        });
    });
}

fn engine(c: &mut Criterion) {
    c.bench_function("start an engine and compile the starter pack", |b| b.iter(pack_engine));
    let mut engine = pack_engine();
    c.bench_function("lint the starter pack", |b| b.iter(|| lint(&mut engine, &|_| true)));
    for map in ["moonlit_pond", "growing_cave"] {
        let index = engine.library().find(map).expect("a map of the pack");
        let mut seed = 0;
        c.bench_function(&format!("roll {map}"), |b| {
            b.iter(|| {
                seed += 1;
                engine.resolve(index, seed)
            });
        });
    }
}

criterion_group!(benches, syntax, engine);
criterion_main!(benches);
