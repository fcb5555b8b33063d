//! Questions about games: whatever is asked, it is answered or the column of the fault is told.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::Library;
use vaultwright::stats::Query;
use vaultwright::stats::record::GameRecord;

fuzz_target!(|text: &str| {
    vaultwright_fuzz::with_contexts(|ctx| {
        match Query::parse(text, ctx.content, &Library::default()) {
            Ok(query) => {
                let _ = query.answer(&GameRecord::default(), ctx.content);
            }
            Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column)),
        }
    });
});
