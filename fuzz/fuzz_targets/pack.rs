//! The tables of a pack: each of its kinds from the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vaultwright::content::{Content, Edition, PackTables, Rules, TableText};

fuzz_target!(|text: &str| {
    let table = Some(TableText { file: "fuzz.json".to_owned(), text: text.to_owned() });
    for name in ["branches", "features", "monsters", "monster_populations", "items"] {
        let mut tables = PackTables::default();
        if let Some(slot) = tables.by_name(name) {
            *slot = table.clone();
        }
        if let Ok(content) = Content::with_tables(Rules::of(Edition::Trunk), &tables) {
            let _ = (content.features().len(), content.branches().len(), content.monsters().len());
        }
    }
});
