//! The feature, shop and trap mini-languages (spec 03), keys, masks and weighted lists.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::map::{FeatureSpec, MaskFlags, parse_weighted_list, split_key};

fuzz_target!(|text: &str| {
    let _ = split_key(text.as_bytes());
    let _ = parse_weighted_list(text);
    vaultwright_fuzz::with_contexts(|ctx| {
        let _ = MaskFlags::parse(text, ctx);
        let parsed = match text.len() % 2 {
            0 => FeatureSpec::parse_fixed(text, ctx),
            _ => FeatureSpec::parse(text, ctx),
        };
        if let Ok(spec) = parsed {
            let _ = spec.pick(ctx);
        }
    });
});
