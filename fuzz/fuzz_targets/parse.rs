//! Parser and translator: any bytes become a tree whose chunks can be written as Lua.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::syntax::{LineIndex, dump_map, parse};

fuzz_target!(|source: &[u8]| {
    let file = parse(source);
    let lines = LineIndex::new(source);
    for error in &file.errors {
        let _ = lines.position(error.span.end);
    }
    let mut dump = Vec::new();
    for map in &file.maps {
        dump_map(map, source, &mut dump);
    }
});
