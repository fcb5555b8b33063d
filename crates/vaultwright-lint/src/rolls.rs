//! Rolls: a few of maps of which some statement has not acted yet, and many of a map that is looked
//! at deeply.

use std::collections::BTreeMap;
use std::sync::Arc;

use vaultwright_engine::{Code, Engine, Library, LibraryMap, Problem, SourceFile};
use vaultwright_map::{Dungeon, LevelPlace, MapDef};
use vaultwright_syntax::{ChunkKind, Header, Piece, PieceBody};

use crate::{View, codes, glyphs};

/// How often a map is rolled of which a statement has not acted.
const ROLLS: u64 = 2;
/// How often at most, if the number of its cells is in question.
const ROLLS_OF_COUNTS: u64 = 32;

pub(crate) fn run(
    engine: &mut Engine,
    library: &Arc<Library>,
    wanted: &dyn Fn(&SourceFile) -> bool,
) {
    for (index, entry) in library.maps.iter().enumerate().filter(|(_, map)| wanted(&map.file)) {
        let mut places = Vec::new();
        for seed in 0..ROLLS_OF_COUNTS {
            let map = entry.syntax();
            let view = View { engine, library, entry, file: &entry.file, map };
            let open = glyphs::wants_runs(&view);
            if open.is_empty() || (seed >= ROLLS && !open.contains(&codes::TOO_FEW_CELLS)) {
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

/// Rolls a map on the levels where it may stand, at least so many times: what went wrong, with the
/// first level and how often. Maps that no level chooses by itself are not rolled: what they need
/// is with those that ask for them.
pub fn roll_everywhere(engine: &mut Engine, index: usize, rolls: u64) -> Vec<Problem> {
    let library = engine.library();
    let Some(entry) = library.maps.get(index) else { return Vec::new() };
    let definition = &entry.definition;
    if definition.depths.is_empty() && definition.place.is_empty() {
        return Vec::new();
    }
    let places = places_of(engine, definition);
    let rolls = rolls.max(places.len() as u64);
    let mut found: BTreeMap<(usize, String), (Problem, LevelPlace, u64)> = BTreeMap::new();
    for seed in 0..rolls {
        let place = places[seed as usize % places.len()];
        let Some(problem) = engine.roll_at(index, place, seed, None).problem else { continue };
        let key = (problem.span.start, problem.message.clone());
        found.entry(key).or_insert((*problem, place, 0)).2 += 1;
    }
    if found.values().any(|(.., times)| *times == rolls) && is_asked_for(entry) {
        return Vec::new();
    }
    let branches = engine.content().branches();
    let told = found.into_values().map(|(problem, place, times)| {
        let place = place.name(branches);
        let message = format!("{} (in {place}; {times} of {rolls} rolls)", problem.message);
        Problem { message, ..problem }
    });
    told.collect()
}

/// Whether the depths of a map are only those of its file: something else may ask for it by a tag,
/// and give it what it needs.
fn is_asked_for(entry: &LibraryMap) -> bool {
    let map = entry.syntax();
    let is_depth = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Depth, _));
    let own = map.chunk(ChunkKind::Main).pieces.iter().any(is_depth);
    map.default_depth.is_some() && !own && !entry.definition.tags.is_empty()
}

/// A finding about an error that a play has shown, at the place that its text names.
pub fn play_problem(engine: &Engine, index: usize, error: &str, when: &str) -> Option<Problem> {
    let library = engine.library();
    let entry = library.maps.get(index)?;
    let base = entry.file.source.base_name();
    let line = error.split(&format!("{base}:")).nth(1).and_then(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    let text = &entry.file.source.text;
    let span = match line {
        Some(line) => {
            let span = entry.file.lines.line(line);
            let lead = text[span.clone()].len() - text[span.clone()].trim_ascii_start().len();
            span.start + lead..span.end
        }
        None => entry.syntax().name.span(),
    };
    Some(Problem {
        code: Code::Lua,
        severity: vaultwright_engine::Severity::Error,
        message: format!("{error} ({when})"),
        hint: None,
        file: Arc::clone(&entry.file),
        span,
        map: Some(entry.definition.name.clone()),
        fix: None,
    })
}

/// Some levels that a map may stand on: of each branch of its PLACE and DEPTH the first and the
/// last that it allows. The start of the dungeon if it names none.
fn places_of(engine: &Engine, map: &MapDef) -> Vec<LevelPlace> {
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
