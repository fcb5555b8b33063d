//! Rolls of maps with statements that had no effect yet, and the levels on which maps are rolled.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use vaultwright_engine::{Engine, Library, LibraryMap, Origin, Problem};
use vaultwright_map::{Dungeon, LevelPlace, Selection};
use vaultwright_syntax::{ChunkKind, Header, Piece, PieceBody};

use crate::missing_slots::{self, MissingOfMaps};
use crate::readings::Readings;
use crate::{View, codes, glyphs};

/// The number of rolls of a map with a statement that has had no effect.
const ROLLS: u64 = 3;
/// The maximum number of rolls if the number of its cells is in question.
const MAX_ROLLS: u64 = 16;

/// The results of rolling maps.
#[derive(Default)]
pub(crate) struct Rolled {
    /// Maps that requested other maps during the rolls.
    pub(crate) dependent: HashSet<Origin>,
    /// The findings about glyphs of maps, which no further roll has changed.
    pub(crate) glyphs: HashMap<Origin, Vec<Problem>>,
    /// The slots that maps lack.
    pub(crate) missing: MissingOfMaps,
}

/// Rolls the maps that `wanted` accepts.
pub(crate) fn run(
    engine: &mut Engine,
    library: &Arc<Library>,
    readings: &Readings,
    wanted: &dyn Fn(&LibraryMap) -> bool,
) -> Rolled {
    let mut rolled = Rolled::default();
    for (index, entry) in library.iter().filter(|(_, map)| wanted(map)) {
        let mut places = Vec::new();
        for seed in 0..MAX_ROLLS {
            let view = View::of(engine, library, entry, readings);
            let Some(found) = glyphs::open_findings(&view) else { break };
            let open = glyphs::wants_runs(&view, &found);
            if open.is_empty() || (seed >= ROLLS && !open.contains(&codes::TOO_FEW_CELLS)) {
                rolled.glyphs.insert(entry.origin, found);
                break;
            }
            if places.is_empty() {
                places = places_of(engine, &entry.selection);
            }
            let place = places[seed as usize % places.len()];
            let roll = |engine: &mut Engine| drop(engine.roll_at(index, place, seed, None));
            if engine.asks_for_maps(roll) {
                rolled.dependent.insert(entry.origin);
            }
        }
        let suspects = missing_slots::suspects(&View::of(engine, library, entry, readings));
        if !suspects.is_empty() {
            // More rolls may refute what is found.
            rolled.glyphs.remove(&entry.origin);
            let places = missing_slots::places_of(engine, &entry.selection);
            let mut missing = Vec::new();
            let roll = |engine: &mut Engine| {
                missing = missing_slots::roll(engine, index, &places, &suspects);
            };
            if engine.asks_for_maps(roll) {
                rolled.dependent.insert(entry.origin);
            }
            rolled.missing.insert(entry.origin, missing);
        }
    }
    rolled
}

/// Returns whether the depths of a map are only those of its file. Something else may then request
/// it by tag, and provide what it needs.
pub(crate) fn is_asked_for(entry: &LibraryMap) -> bool {
    let map = entry.syntax();
    let is_depth = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Depth, _));
    let own = map.chunk(ChunkKind::Main).pieces.iter().any(is_depth);
    map.default_depth.is_some() && !own && !entry.selection.tags.is_empty()
}

/// Returns some levels that a map may be on: the first and last level of each branch that its PLACE
/// and DEPTH allow, or the start of the dungeon if they name none.
pub(crate) fn places_of(engine: &Engine, map: &Selection) -> Vec<LevelPlace> {
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
        let ends = ends.into_iter().flatten();
        places.extend(ends.map(|&depth| LevelPlace { branch: branch.id, depth }));
    }
    places.dedup();
    if places.is_empty() {
        places.push(LevelPlace::START);
    }
    places
}
