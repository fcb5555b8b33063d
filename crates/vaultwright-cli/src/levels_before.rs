//! Recorded levels that depend on those recorded before them.
//!
//! Between two levels the reference begins a new game, but since 0.34 it keeps the used `buniq_`
//! tags of each branch and the number of areas of the Abyss, and draws the items of each set before
//! it seeds its generators (spec 10 §16). What it has kept can be read from the table: the vaults
//! of the rows before, and what the last of them has drawn.

use std::collections::HashMap;

use vaultwright::map::{Dungeon, LevelPlace};
use vaultwright::{Engine, LevelsBefore};

use crate::recorded::{self, Key};

/// The column of what a level has drawn.
const DRAWS: usize = 7;

/// Returns for each row of a table of levels, in the order in which they were recorded, what those
/// before it have left; for none where a game is begun anew as it should be.
pub fn left_before(table: &[u8], engine: &Engine) -> HashMap<Key, LevelsBefore> {
    let (content, library) = (engine.content(), engine.library());
    let mut before = HashMap::new();
    if !content.rules.branch_unique_tags {
        return before;
    }
    let branches = content.branches();
    let dungeon = Dungeon::standard(branches);
    let mut left: HashMap<_, LevelsBefore> = HashMap::new();
    let mut gameplay = None;
    for row in recorded::lines(table) {
        let place = LevelPlace::parse(&String::from_utf8_lossy(row[0]), branches, &dungeon);
        let behind = std::mem::replace(&mut gameplay, gameplay_of(&row));
        let Ok(place) = place else { continue };
        let of_branch = left.entry(place.branch).or_default();
        let own = LevelsBefore { gameplay: behind, ..of_branch.clone() };
        before.insert(recorded::key_of(&row), own);
        if branches.traits(place.branch).abyss {
            of_branch.abyss_areas += 1;
        }
        if row[2] != b"ok" {
            continue;
        }
        for name in vaults_in(&String::from_utf8_lossy(row[3])) {
            let tags = library.find(name).into_iter().flat_map(|map| &library[map].selection.tags);
            let tags = tags.filter(|tag| tag.starts_with("buniq_")).cloned();
            of_branch.branch_tags.extend(tags);
        }
    }
    before
}

/// Returns the seed of a row and the number of words of the gameplay generator; `None` if the row
/// does not tell.
fn gameplay_of(row: &[&[u8]]) -> Option<(u64, u64)> {
    let text = |column: usize| std::str::from_utf8(row.get(column)?).ok();
    let (seed, status, draws) = (text(1)?.parse().ok()?, text(2)?, text(DRAWS)?);
    let words = draws.split(',').find_map(|part| part.strip_prefix("0:"));
    (status == "ok").then_some((seed, words.map_or(Ok(0), str::parse).ok()?))
}

/// Returns the names in `outer [inner, inner], other`.
fn vaults_in(vaults: &str) -> impl Iterator<Item = &str> {
    vaults.split([',', '[', ']']).map(str::trim).filter(|name| !name.is_empty())
}
