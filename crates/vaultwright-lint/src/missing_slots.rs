//! MONS and ITEM slots that are missing (VW315), as rolls of a map show: those of maps whose Lua
//! adds slots, and of glyphs that come only by chance.

use std::ops::Range;

use foldhash::HashMap;
use vaultwright_engine::{Engine, Origin, Problem};
use vaultwright_map::{Count, LevelPlace, MapDef, MapId, Transform};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::glyphs::{glued_weight, has_key, key_of, weight_in_front};
use crate::slots::SlotKind;
use crate::tag_groups::is_of_group;
use crate::{View, codes};

/// The number of rolls of a map that may lack a slot.
const ROLLS: usize = 10;
/// The maximum number of rolls if the map has more levels.
const MAX_ROLLS: usize = 12;

/// Glyphs without their slots, with the number of slots.
pub(crate) type Missing = Vec<(u8, usize)>;

/// The slots that maps lack in rolls.
pub(crate) type MissingOfMaps = HashMap<Origin, Missing>;

/// A glyph that a map may show without its slot.
#[derive(Clone, Copy)]
pub(crate) struct Suspect {
    glyph: u8,
    /// Whether only Lua adds slots of its kind.
    of_lua: bool,
}

/// Returns glyphs that a map may show though their slot does not exist, which its first roll alone
/// does not tell.
pub(crate) fn suspects(view: &View) -> Vec<Suspect> {
    let Some(notes) = view.engine.glyph_notes(view.entry.origin) else { return Vec::new() };
    let missing = notes.missing.iter().map(|(glyph, _)| *glyph);
    let mut suspects: Vec<u8> = match view.has_lua() {
        true => missing.collect(),
        // What the first roll shows of them is told.
        false if !notes.missing.is_empty() => return Vec::new(),
        false => Vec::new(),
    };
    let pieces = view.main();
    for piece in pieces {
        suspects.extend(brought(view, piece));
    }
    if suspects.is_empty() {
        return Vec::new();
    }
    suspects.sort_unstable();
    suspects.dedup();
    let counts = SlotKind::ALL.map(|kind| given(view, kind.header()));
    let clears =
        SlotKind::ALL.map(|kind| lua_has(view, &format!("{}(nil)", kind.header().lua_function())));
    // Entries that a branch of Lua passes over may be used on another level.
    suspects.retain(|&glyph| {
        let mut kinds = SlotKind::ALL.iter().zip(counts).zip(clears);
        kinds.any(|((kind, count), clears)| {
            kind.slot(glyph).is_some_and(|slot| slot >= count || clears)
        })
    });
    suspects.retain(|glyph| !pieces.iter().any(|piece| names(view, piece, *glyph)));
    // What a map without any entry shows is meant to be anybody or nothing, unless it is a weight.
    let calls =
        SlotKind::ALL.map(|kind| lua_has(view, &format!("{}(", kind.header().lua_function())));
    let is_given = |glyph: u8| {
        let mut kinds = SlotKind::ALL.iter().zip(counts);
        kinds.any(|(kind, count)| kind.slot(glyph).is_some() && count > 0)
            || weight_in_front(view, glyph).is_some()
    };
    suspects.retain(|&glyph| {
        let mut kinds = SlotKind::ALL.iter().zip(calls);
        is_given(glyph) || kinds.any(|(kind, calls)| kind.slot(glyph).is_some() && calls)
    });
    // Where others ask for a map, Lua may add the slots of that place.
    if view.has_lua() && !is_placed_by_depth(view) {
        let adds = SlotKind::ALL.map(|kind| lua_adds_slots(view, kind));
        suspects.retain(|&glyph| {
            let mut kinds = SlotKind::ALL.iter().zip(adds);
            kinds.any(|(kind, adds)| kind.slot(glyph).is_some() && !adds)
                || weight_in_front(view, glyph).is_some()
        });
    }
    let suspect = |glyph: u8| Suspect { glyph, of_lua: !is_given(glyph) };
    suspects.into_iter().map(suspect).collect()
}

/// Returns how often a map has a header.
fn given(view: &View, header: Header) -> usize {
    let is_given = |piece: &&Piece| matches!(piece.body, PieceBody::Call(own, _) if own == header);
    view.main().iter().filter(is_given).count()
}

/// Returns whether only its depths bring a map to levels.
pub(crate) fn is_placed_by_depth(view: &View) -> bool {
    let selection = &view.entry.selection;
    let names = view.engine.content().names();
    let has_place = !selection.depths.is_empty() || !selection.place.is_empty();
    has_place && !selection.tags.iter().any(|tag| !names.is_flag_tag(tag) && !is_of_group(tag))
}

/// Returns whether the map's Lua may create slots, itself or in a function to which it passes the
/// map.
pub(crate) fn lua_adds_slots(view: &View, kind: SlotKind) -> bool {
    view.has_lua()
        && (lua_has(view, "_G") || lua_has(view, &format!("{}(", kind.header().lua_function())))
}

/// Returns whether words stand in the Lua of a map.
fn lua_has(view: &View, words: &str) -> bool {
    let mut lua = ChunkKind::ALL.iter().flat_map(|&kind| &view.map.chunk(kind).pieces);
    lua.any(|piece| match &piece.body {
        PieceBody::Lua(text) => {
            memchr::memmem::find(text.bytes(view.text()), words.as_bytes()).is_some()
        }
        _ => false,
    })
}

/// Returns the glyphs of slots that a SUBST or NSUBST may bring.
fn brought(view: &View, piece: &Piece) -> Vec<u8> {
    let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return Vec::new() };
    if !matches!(header, Header::Subst | Header::Nsubst) {
        return Vec::new();
    }
    let text = text.bytes(view.text());
    let is_of_slot = |glyph: &u8| SlotKind::ALL.iter().any(|kind| kind.slot(*glyph).is_some());
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
    suspects: &[Suspect],
) -> Missing {
    let (mut most, mut least) = ([0; SlotKind::ALL.len()], [usize::MAX; SlotKind::ALL.len()]);
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
        for ((most, least), kind) in most.iter_mut().zip(&mut least).zip(SlotKind::ALL) {
            *most = slots_of(&def, kind).max(*most);
            *least = slots_of(&def, kind).min(*least);
        }
        for &Suspect { glyph, .. } in suspects {
            if def.keyed.get(&glyph).is_some_and(|keyed| keyed.decides()) {
                decided.push(glyph);
            } else if glyphs.contains(glyph) {
                shown.push(glyph);
            }
        }
        let exists = |glyph: u8| {
            let mut kinds = SlotKind::ALL.iter().zip(most);
            kinds.any(|(kind, most)| kind.slot(glyph).is_some_and(|slot| slot < most))
        };
        if suspects.iter().all(|&Suspect { glyph, .. }| exists(glyph) || decided.contains(&glyph)) {
            break;
        }
    }
    let missing = |&Suspect { glyph, .. }: &Suspect| {
        let mut kinds = SlotKind::ALL.iter().zip(most);
        let count = kinds.find_map(|(kind, most)| kind.slot(glyph).map(|slot| (slot, most)));
        count.filter(|(slot, most)| slot >= most).map(|(_, most)| (glyph, most))
    };
    // Lua that adds sometimes more and sometimes fewer may add them all now and then.
    let is_sure = |suspect: &Suspect| {
        let mut kinds = SlotKind::ALL.iter().zip(most.iter().zip(least));
        let is_of = |kind: &SlotKind| kind.slot(suspect.glyph).is_some();
        !suspect.of_lua
            || kinds.any(|(kind, (&most, least))| is_of(kind) && most > 0 && most == least)
    };
    let is_missing = |suspect: &&Suspect| {
        let Suspect { glyph, .. } = suspect;
        shown.contains(glyph) && !decided.contains(glyph) && is_sure(suspect)
    };
    suspects.iter().filter(is_missing).filter_map(missing).collect()
}

/// Reports what rolls have shown, but for the kinds of slots that have been `told` to be missing.
pub(crate) fn check(
    view: &View,
    missing: Option<&Missing>,
    told: &[SlotKind],
    problems: &mut Vec<Problem>,
) {
    let Some(missing) = missing else { return };
    for kind in SlotKind::ALL.into_iter().filter(|kind| !told.contains(kind)) {
        let own = missing.iter().filter(|(glyph, _)| kind.slot(*glyph).is_some());
        let own: Missing = own.copied().collect();
        if !own.is_empty() {
            problems.push(finding(view, kind, &own));
        }
    }
}

fn slots_of(def: &MapDef, kind: SlotKind) -> usize {
    match kind {
        SlotKind::Monsters => def.monsters.len(),
        SlotKind::Items => def.items.len(),
    }
}

/// Returns the finding of glyphs without their slots.
pub(crate) fn finding(view: &View, kind: SlotKind, missing: &[(u8, usize)]) -> Problem {
    let shown: Vec<String> =
        missing.iter().map(|&(glyph, _)| format!("'{}'", char::from(glyph))).collect();
    let count = missing.first().map_or(0, |(_, count)| *count);
    let (verb, entries) =
        (if shown.len() == 1 { "is" } else { "are" }, if count == 1 { "entry" } else { "entries" });
    let count = if count == 0 { "no".to_owned() } else { format!("only {count}") };
    let shown = listed(&shown);
    let what = match kind {
        SlotKind::Monsters => "a random monster",
        SlotKind::Items => "nothing",
    };
    let name = kind.name();
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
    let lines = view.main().iter();
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
