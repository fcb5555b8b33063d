//! MONS and ITEM slots that are missing (VW315), as rolls of a map show: those of maps whose Lua
//! adds slots, and of glyphs that come only by chance.

use std::ops::Range;

use foldhash::HashMap;
use vaultwright_engine::{Engine, Origin, Problem};
use vaultwright_map::{Count, Dungeon, LevelPlace, MapDef, MapId, Selection, Transform};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::glyphs::{glued_weight, has_key, key_of, weight_in_front};
use crate::{View, codes};

/// The number of rolls of a map that may lack a slot.
const ROLLS: usize = 10;
/// The maximum number of rolls if the map has more levels.
const MAX_ROLLS: usize = 12;

/// Glyphs without their slots, with the number of slots.
pub(crate) type Missing = Vec<(u8, usize)>;

/// The slots that maps lack in rolls.
pub(crate) type MissingOfMaps = HashMap<Origin, Missing>;

struct Kind {
    name: &'static str,
    header: Header,
    first: u8,
    last: u8,
}

const KINDS: [Kind; 2] = [
    Kind { name: "MONS", header: Header::Mons, first: b'1', last: b'7' },
    Kind { name: "ITEM", header: Header::Item, first: b'd', last: b'k' },
];

impl Kind {
    /// Returns the number of the slot of a glyph, from 0.
    fn slot(&self, glyph: u8) -> Option<usize> {
        (self.first..=self.last).contains(&glyph).then(|| usize::from(glyph - self.first))
    }

    fn slots(&self, def: &MapDef) -> usize {
        if self.header == Header::Mons { def.monsters.len() } else { def.items.len() }
    }
}

/// Returns glyphs that a map may show though their slot does not exist, which its first roll alone
/// does not tell.
pub(crate) fn suspects(view: &View) -> Vec<u8> {
    let Some(notes) = view.engine.glyph_notes(view.entry.origin) else { return Vec::new() };
    let missing = notes.missing.iter().map(|(glyph, _)| *glyph);
    let mut suspects: Vec<u8> = match view.has_lua() {
        true => missing.collect(),
        // What the first roll shows of them is told.
        false if !notes.missing.is_empty() => return Vec::new(),
        false => Vec::new(),
    };
    let pieces = &view.map.chunk(ChunkKind::Main).pieces;
    for piece in pieces {
        suspects.extend(brought(view, piece));
    }
    if suspects.is_empty() {
        return suspects;
    }
    suspects.sort_unstable();
    suspects.dedup();
    let given = |header: Header| {
        let is_given =
            |piece: &&Piece| matches!(piece.body, PieceBody::Call(own, _) if own == header);
        pieces.iter().filter(is_given).count()
    };
    let counts = KINDS.map(|kind| given(kind.header));
    // Entries that a branch of Lua passes over may be used on another level.
    suspects.retain(|&glyph| {
        let mut kinds = KINDS.iter().zip(counts);
        kinds.any(|(kind, count)| kind.slot(glyph).is_some_and(|slot| slot >= count))
    });
    suspects.retain(|glyph| !pieces.iter().any(|piece| names(view, piece, *glyph)));
    // What a map without any entry shows is meant to be anybody or nothing, unless it is a weight.
    suspects.retain(|&glyph| {
        let mut kinds = KINDS.iter().zip(counts);
        kinds.any(|(kind, count)| kind.slot(glyph).is_some() && count > 0)
            || weight_in_front(view, glyph).is_some()
    });
    // Where others ask for a map, Lua may add the slots of that place.
    if view.has_lua() && !is_placed_by_depth(view) {
        let adds = KINDS.map(|kind| lua_adds_slots(view, kind.name));
        suspects.retain(|&glyph| {
            let mut kinds = KINDS.iter().zip(adds);
            kinds.any(|(kind, adds)| kind.slot(glyph).is_some() && !adds)
                || weight_in_front(view, glyph).is_some()
        });
    }
    suspects
}

/// Returns whether only its depths bring a map to levels.
fn is_placed_by_depth(view: &View) -> bool {
    let selection = &view.entry.selection;
    let names = view.engine.content().names();
    let has_place = !selection.depths.is_empty() || !selection.place.is_empty();
    has_place && !selection.tags.iter().any(|tag| !names.is_flag_tag(tag) && !is_of_group(tag))
}

fn is_of_group(tag: &str) -> bool {
    ["uniq_", "luniq_", "buniq_", "chance_", "fallback_"].iter().any(|start| tag.starts_with(start))
}

/// Returns whether the map's Lua may create slots, itself or in a function to which it passes the
/// map.
pub(crate) fn lua_adds_slots(view: &View, name: &str) -> bool {
    let call = name.to_ascii_lowercase() + "(";
    let mut lua = ChunkKind::ALL.iter().flat_map(|&kind| &view.map.chunk(kind).pieces);
    view.has_lua()
        && lua.any(|piece| match &piece.body {
            PieceBody::Lua(text) => {
                let text = text.str(view.text());
                text.contains("_G") || text.contains(&call)
            }
            _ => false,
        })
}

/// Returns the levels that a map may be on, some of them if there are many; the start of the
/// dungeon if it names none.
pub(crate) fn places_of(engine: &Engine, map: &Selection) -> Vec<LevelPlace> {
    let branches = engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let ranges = if map.place.is_empty() { &map.depths } else { &map.place };
    let mut places: Vec<LevelPlace> = branches
        .iter()
        .flat_map(|branch| {
            let levels = 1..=dungeon.levels(branch.id).max(1);
            levels.map(|depth| LevelPlace { branch: branch.id, depth })
        })
        .filter(|&place| ranges.usable_at(place, branches, &dungeon))
        .collect();
    if places.is_empty() {
        places.push(LevelPlace::START);
    }
    places
}

/// Returns the glyphs of slots that a SUBST or NSUBST may bring.
fn brought(view: &View, piece: &Piece) -> Vec<u8> {
    let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return Vec::new() };
    if !matches!(header, Header::Subst | Header::Nsubst) {
        return Vec::new();
    }
    let text = text.bytes(view.text());
    let is_of_slot = |glyph: &u8| KINDS.iter().any(|kind| kind.slot(*glyph).is_some());
    // Most lines bring nobody: they need not be read.
    if !text.iter().any(is_of_slot) {
        return Vec::new();
    }
    let lists: Vec<u8> = match header {
        Header::Subst => match Transform::subst(text) {
            Ok(Some(Transform::Subst { list, .. })) => list.glyphs.to_vec(),
            _ => return Vec::new(),
        },
        Header::Nsubst => match Transform::nsubst(text) {
            Ok(Some(Transform::Nsubst { segments, .. })) => {
                let comes = |count: &Count| *count != Count::Cells(0);
                let lists = segments.iter().filter(|(count, ..)| comes(count));
                lists.flat_map(|(.., list)| list.glyphs.iter().copied()).collect()
            }
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    lists.into_iter().filter(is_of_slot).collect()
}

/// Returns whether a line is about the cells of a glyph, which may then be free of monsters and
/// items.
fn names(view: &View, piece: &Piece, glyph: u8) -> bool {
    match &piece.body {
        PieceBody::Call(Header::Kmask, _) => false,
        PieceBody::Call(header, Argument::Text(text)) if has_key(*header) => {
            key_of(text.bytes(view.text())).is_some_and(|key| key.contains(&glyph))
        }
        PieceBody::Call(Header::Shuffle | Header::Subvault, Argument::Text(text)) => {
            text.bytes(view.text()).contains(&glyph)
        }
        PieceBody::LuaMarker { key, .. } => *key == glyph,
        _ => false,
    }
}

/// Rolls a map until it is clear which of the suspected glyphs it shows without a slot. A slot that
/// exists in any roll is not missing.
pub(crate) fn roll(
    engine: &mut Engine,
    index: MapId,
    places: &[LevelPlace],
    suspects: &[u8],
) -> Missing {
    let mut most = [0; KINDS.len()];
    let (mut shown, mut decided) = (Vec::new(), Vec::new());
    let rolls = ROLLS.max(places.len().min(MAX_ROLLS));
    for number in 0..rolls {
        // Of many levels some, spread over all of them.
        let place = match places.len() > rolls {
            true => places[number * places.len() / rolls],
            false => places[number % places.len()],
        };
        let roll = engine.roll_at(index, place, number as u64, None);
        let Some(def) = roll.map.filter(|_| roll.valid) else { continue };
        let glyphs = def.grid.glyphs();
        for (most, kind) in most.iter_mut().zip(&KINDS) {
            *most = kind.slots(&def).max(*most);
        }
        for &glyph in suspects {
            if def.keyed.get(&glyph).is_some_and(|keyed| keyed.decides()) {
                decided.push(glyph);
            } else if glyphs.contains(glyph) {
                shown.push(glyph);
            }
        }
        let exists = |glyph: u8| {
            let mut kinds = KINDS.iter().zip(most);
            kinds.any(|(kind, most)| kind.slot(glyph).is_some_and(|slot| slot < most))
        };
        if suspects.iter().all(|&glyph| exists(glyph) || decided.contains(&glyph)) {
            break;
        }
    }
    let missing = |&glyph: &u8| {
        let mut kinds = KINDS.iter().zip(most);
        let count = kinds.find_map(|(kind, most)| kind.slot(glyph).map(|slot| (slot, most)));
        count.filter(|(slot, most)| slot >= most).map(|(_, most)| (glyph, most))
    };
    let is_missing = |glyph: &&u8| shown.contains(glyph) && !decided.contains(glyph);
    suspects.iter().filter(is_missing).filter_map(missing).collect()
}

/// Reports what rolls have shown, unless it has been told.
pub(crate) fn check(view: &View, missing: Option<&Missing>, problems: &mut Vec<Problem>) {
    let Some(missing) = missing else { return };
    for kind in &KINDS {
        let own = missing.iter().filter(|(glyph, _)| kind.slot(*glyph).is_some());
        let own: Missing = own.copied().collect();
        let is_told = |problem: &Problem| {
            crate::code_of(problem) == codes::MISSING_SLOT && problem.message.contains(kind.name)
        };
        if !own.is_empty() && !problems.iter().any(is_told) {
            problems.push(told(view, kind.name, &own));
        }
    }
}

/// Returns the finding of glyphs without their slots.
pub(crate) fn told(view: &View, name: &str, missing: &[(u8, usize)]) -> Problem {
    let shown: Vec<String> =
        missing.iter().map(|&(glyph, _)| format!("'{}'", char::from(glyph))).collect();
    let count = missing.first().map_or(0, |(_, count)| *count);
    let (verb, entries) =
        (if shown.len() == 1 { "is" } else { "are" }, if count == 1 { "entry" } else { "entries" });
    let count = if count == 0 { "no".to_owned() } else { format!("only {count}") };
    let shown = listed(&shown);
    let what = if name == "MONS" { "a random monster" } else { "nothing" };
    let message = format!("{shown} {verb} on the map, but {name} has {count} {entries}");
    let (place, hint) = match missing {
        [(glyph, _)] => weight_in_front(view, *glyph).or_else(|| glued_weight(view, *glyph)),
        _ => None,
    }
    .unwrap_or_else(|| {
        let hint = "without an entry it places";
        (place_of(view, missing), format!("{hint} {what}; add one or change the glyph"))
    });
    view.warning(codes::MISSING_SLOT, place, message, &hint)
}

/// Returns where the first of some glyphs stands, or the line that brings it.
fn place_of(view: &View, missing: &[(u8, usize)]) -> Range<usize> {
    let is_one = |glyph: &u8| missing.iter().any(|(own, _)| own == glyph);
    let rows = view.map.chunk(ChunkKind::Map).pieces.iter();
    let mut drawn = rows.filter_map(|piece| {
        let PieceBody::Row(text) = &piece.body else { return None };
        let at = piece.span().start + text.bytes(view.text()).iter().position(is_one)?;
        Some(at..at + 1)
    });
    let lines = view.map.chunk(ChunkKind::Main).pieces.iter();
    let brings = |piece: &&Piece| brought(view, piece).iter().any(is_one);
    let mut bringing = lines.filter(brings).map(Piece::span);
    let place = drawn.next().or_else(|| bringing.next());
    place.unwrap_or_else(|| view.map.name.span())
}

fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
