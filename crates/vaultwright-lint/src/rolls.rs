//! Rolls of maps with statements that had no effect yet.

use std::sync::Arc;

use foldhash::HashSet;
use vaultwright_engine::{Engine, Library, LibraryMap, Origin};
use vaultwright_syntax::{ChunkKind, Header, Piece, PieceBody};

use crate::missing_slots::{self, MissingOfMaps};
use crate::readings::Readings;
use crate::{View, codes, glyphs, levels};

/// The number of rolls of a map with a statement that has had no effect.
const ROLLS: u64 = 3;
/// The maximum number of rolls if the number of its cells is in question.
const MAX_ROLLS: u64 = 16;

/// The results of rolling maps.
#[derive(Default)]
pub(crate) struct Rolled {
    /// Maps that requested other maps during the rolls.
    pub(crate) dependent: HashSet<Origin>,
    /// Maps without findings about their glyphs. There will be none either, since findings only
    /// decrease with further rolls.
    pub(crate) faultless: HashSet<Origin>,
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
            if found.is_empty() {
                rolled.faultless.insert(entry.origin);
            }
            let open = glyphs::wants_runs(&view, &found);
            if open.is_empty() || (seed >= ROLLS && !open.contains(&codes::TOO_FEW_CELLS)) {
                break;
            }
            if places.is_empty() {
                places = levels::some_of(&entry.selection, engine);
            }
            let place = places[seed as usize % places.len()];
            let roll = |engine: &mut Engine| drop(engine.roll_at(index, place, seed, None));
            if engine.asks_for_maps(roll) {
                rolled.dependent.insert(entry.origin);
            }
        }
        let suspects = missing_slots::suspects(&View::of(engine, library, entry, readings));
        if !suspects.is_empty() {
            let deciding = levels::deciding(&entry.selection);
            let places = levels::allowed_or_start([deciding], engine);
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
