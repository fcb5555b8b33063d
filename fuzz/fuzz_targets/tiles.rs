//! Definition files of tiles: whatever they say, each tile has few variants of few pictures.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::content::{TableText, TileDefinitions};

fuzz_target!(|text: &str| {
    let file = TableText { file: "dc-fuzz.txt".to_owned(), text: text.to_owned() };
    let definitions = TileDefinitions::parse([&file]);
    for name in definitions.names() {
        let variants = definitions.get(name).unwrap_or_default();
        assert!(variants.len() <= 256);
        assert!(variants.iter().all(|variant| variant.layers.len() <= 32));
    }
});
