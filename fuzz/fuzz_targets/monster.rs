//! The monster mini-language (spec 03).
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::map::{parse_fixed_monster_slot, parse_monster_slot};

fuzz_target!(|text: &str| {
    vaultwright_fuzz::with_contexts(|ctx| {
        let _ = match text.len() % 2 {
            0 => parse_fixed_monster_slot(text, ctx),
            _ => parse_monster_slot(text, ctx),
        };
    });
});
