//! More runs of the maps with Lua of which some statement has not acted yet.

use std::sync::Arc;

use vaultwright_engine::{Engine, Library, SourceFile};
use vaultwright_map::{Dungeon, LevelPlace};

use crate::{View, glyphs};

/// How often such a map is rolled.
const ROLLS: u64 = 2;

pub(crate) fn run(
    engine: &mut Engine,
    library: &Arc<Library>,
    wanted: &dyn Fn(&SourceFile) -> bool,
) {
    for (index, entry) in library.maps.iter().enumerate().filter(|(_, map)| wanted(&map.file)) {
        let mut places = Vec::new();
        for seed in 0..ROLLS {
            let map = entry.syntax();
            let view = View { engine, library, entry, file: &entry.file, map };
            if !glyphs::wants_runs(&view) {
                break;
            }
            if places.is_empty() {
                places = places_of(engine, &entry.definition);
            }
            let place = places[seed as usize % places.len()];
            let _ = engine.roll_at(index, place, seed, None);
        }
    }
}

/// Some levels that a map may stand on: of each branch of its PLACE and DEPTH the first and the
/// last that it allows. The start of the dungeon if it names none.
pub(crate) fn places_of(engine: &Engine, map: &vaultwright_map::MapDef) -> Vec<LevelPlace> {
    let branches = engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let ranges = if map.place.is_empty() { &map.depths } else { &map.place };
    let mut places = Vec::new();
    for branch in branches.iter() {
        let levels = 1..=dungeon.levels(branch.id).max(1);
        let usable = |&depth: &i32| {
            ranges.usable_at(LevelPlace { branch: branch.id, depth }, branches, &dungeon)
        };
        let depths: Vec<i32> = levels.filter(usable).collect();
        let ends = [depths.first(), depths.last()];
        places.extend(
            ends.into_iter().flatten().map(|&depth| LevelPlace { branch: branch.id, depth }),
        );
    }
    places.dedup();
    if places.is_empty() {
        places.push(LevelPlace::START);
    }
    places
}
