//! Depth ranges (spec 01): what parses can be asked and printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::map::DepthRanges;

fuzz_target!(|text: &str| {
    vaultwright_fuzz::with_contexts(|ctx| {
        let branches = ctx.content.branches();
        if let Ok(ranges) = DepthRanges::parse(text, branches) {
            let _ = ranges.usable_at(ctx.place, branches, ctx.dungeon);
            let _ = ranges.describe(branches);
        }
    });
});
