//! Shards with a right checksum and anything inside: they are refused or summed up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::stats::{Observations, Summary, compare, unpack_shard};

fuzz_target!(|plain: &[u8]| {
    let Some(shard) = unpack_shard(plain) else { return };
    vaultwright_fuzz::with_contexts(|ctx| {
        let mut summary = Summary::default();
        summary.add(&shard, ctx.content);
        let mut observations = Observations::default();
        observations.add(&shard);
        compare(&observations, &observations.clone());
    });
});
