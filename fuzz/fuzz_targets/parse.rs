//! Parser and translator: any bytes become a tree whose chunks can be written as Lua, and each map
//! of it is the same when it is parsed by itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::syntax::{Grammar, LineIndex, dump_map, parse, parse_map};

fuzz_target!(|source: &[u8]| {
    let file = parse(source);
    let lines = LineIndex::new(source);
    for error in &file.errors {
        let _ = lines.position(error.span.end);
    }
    let mut dump = Vec::new();
    for (map, extent) in file.maps.iter().zip(file.extents(&lines)) {
        dump_map(map, source, &mut dump);
        let alone = parse_map(source, Grammar::default(), &extent);
        assert_eq!(format!("{alone:?}"), format!("{:?}", Some(map)));
    }
});
