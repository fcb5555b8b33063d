//! The item mini-language (spec 03).
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::map::parse_item_slot;

fuzz_target!(|text: &str| {
    vaultwright_fuzz::with_contexts(|ctx| {
        let _ = parse_item_slot(text, text.len() % 2 == 0, ctx);
    });
});
