//! The levels that a map may stand on, as its PLACE and DEPTH name them.

use vaultwright_content::Branches;
use vaultwright_engine::Engine;
use vaultwright_map::{DepthRanges, Dungeon, LevelPlace, Selection};

/// Returns the ranges that decide where a map stands: those of PLACE, or else those of DEPTH.
pub(crate) fn deciding(map: &Selection) -> &DepthRanges {
    if map.place.is_empty() { &map.depths } else { &map.place }
}

/// Returns the levels that any of these ranges allows, in the order of the branches.
pub(crate) fn allowed<'r, const N: usize>(
    ranges: [&'r DepthRanges; N],
    branches: &'r Branches,
) -> impl Iterator<Item = LevelPlace> + 'r {
    let dungeon = Dungeon::standard(branches);
    let all = branches.iter().flat_map(|branch| {
        let depths = 1..=branch.levels.max(1);
        depths.map(|depth| LevelPlace { branch: branch.id, depth })
    });
    all.filter(move |&place| {
        ranges.iter().any(|ranges| ranges.usable_at(place, branches, &dungeon))
    })
}

/// Returns the levels that the ranges allow; the start of the dungeon if there are none.
pub(crate) fn allowed_or_start<const N: usize>(
    ranges: [&DepthRanges; N],
    engine: &Engine,
) -> Vec<LevelPlace> {
    let mut levels: Vec<LevelPlace> = allowed(ranges, engine.content().branches()).collect();
    if levels.is_empty() {
        levels.push(LevelPlace::START);
    }
    levels
}

/// Returns some levels that a map may stand on: the first and the last of each branch; the start of
/// the dungeon if it names none.
pub(crate) fn some_of(map: &Selection, engine: &Engine) -> Vec<LevelPlace> {
    let levels = allowed_or_start([deciding(map)], engine);
    let branches = levels.chunk_by(|a, b| a.branch == b.branch);
    let ends = branches.flat_map(|levels| [levels[0], levels[levels.len() - 1]]);
    let mut ends: Vec<LevelPlace> = ends.collect();
    ends.dedup();
    ends
}
