//! The formatter: the meaning stays, and a second run changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::syntax::{dump_map, format, parse};

fuzz_target!(|source: &[u8]| {
    let once = format(source);
    assert!(meaning(source) == meaning(&once), "the formatter changed what the file means");
    assert!(format(&once) == once, "the formatter changed its own output");
});

fn meaning(source: &[u8]) -> Vec<u8> {
    let mut dump = Vec::new();
    for map in &parse(source).maps {
        dump_map(map, source, &mut dump);
    }
    dump
}
