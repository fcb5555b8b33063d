//! The item mini-language (spec 03).
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::map::{parse_fixed_item_slot, parse_item_slot};

fuzz_target!(|text: &str| {
    vaultwright_fuzz::with_contexts(|ctx| {
        let _ = match text.len() % 2 {
            0 => parse_fixed_item_slot(text, ctx),
            _ => parse_item_slot(text, ctx),
        };
    });
});
