//! What a map that only stands in others says in vain: its epilogue never runs, and the colours,
//! tiles, names of features and random monsters of a level are those of the map around (VW389); a
//! glyph with KMASK alone is floor there (VW357).

use std::cell::{Cell, OnceCell};

use foldhash::HashSet;
use memchr::memmem;
use vaultwright_engine::{Library, Problem};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::stand_ins::Lines;
use crate::{View, codes};

/// The functions whose effect is not taken over, as they are called.
const FUNCTIONS: [&[u8]; 2] = [b"set_random_mon_list(", b"set_feature_name("];

/// For no more words the Lua of the library is searched.
const MAX_SEARCHES: usize = 400;

/// The words that SUBVAULT lines of the library name, once somebody asks.
#[derive(Default)]
pub(crate) struct SubvaultTags {
    words: OnceCell<HashSet<String>>,
    searches: Cell<usize>,
}

pub(crate) fn check(view: &View, tags: &SubvaultTags, problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    if !selection.depths.is_empty() || !selection.place.is_empty() {
        return;
    }
    let epilogue = &view.map.chunk(ChunkKind::Epilogue).pieces;
    let main = view.main().iter();
    let lost: Vec<_> = main.clone().filter_map(|piece| lost(view, piece)).collect();
    let is_mask = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Kmask, _));
    let masks = !view.has_lua() && main.clone().any(is_mask);
    if lost.is_empty() && !masks && epilogue.is_empty() || !is_only_subvault(view, tags) {
        return;
    }
    let lines = Lines::of(view);
    let masked = main.filter(|_| masks);
    let masked: Vec<_> =
        masked.filter_map(|piece| Some((piece, masked_glyph(view, &lines, piece)?))).collect();
    if let Some(first) = epilogue.iter().find(|piece| !is_blank(view, piece)) {
        let message = "the map only stands in others, where no epilogue runs".to_owned();
        let hint = "write it in the epilogue of the map around, or in hook(\"post_place\", …)";
        problems.push(view.warning(codes::NO_EFFECT, first.span(), message, hint));
    }
    for (span, what) in lost {
        let message = format!("the map only stands in others, which do not take over {what}");
        let hint = "write it in the map around";
        problems.push(view.warning(codes::NO_EFFECT, span, message, hint));
    }
    for (piece, (glyph, feature)) in masked {
        let glyph = char::from(glyph);
        let message = format!("in a subvault KMASK alone makes floor of '{glyph}'");
        let hint = format!("say what it is, too: KFEAT: {glyph} = {feature}");
        problems.push(view.warning(codes::GROUND_LOST, piece.span(), message, &hint));
    }
}

/// Returns a glyph of a KMASK that is no floor, with its feature, if nothing else is said of it: a
/// glyph with a line of its own has the ground of that line in the map around.
fn masked_glyph<'v>(view: &View<'v>, lines: &Lines, piece: &Piece) -> Option<(u8, &'v str)> {
    let PieceBody::Call(Header::Kmask, Argument::Text(text)) = &piece.body else { return None };
    let (key, ..) = vaultwright_map::split_key(text.bytes(view.text()).trim_ascii()).ok()?;
    let features = view.engine.content().features();
    key.iter().find_map(|&glyph| {
        let feature = &*features.get(features.by_map_glyph(glyph)?).name;
        let is_lost = feature != "floor" && lines.leave(glyph, 0) && view.cells_of(glyph) > 0;
        is_lost.then_some((glyph, feature))
    })
}

fn is_blank(view: &View, piece: &Piece) -> bool {
    match &piece.body {
        PieceBody::Lua(text) => text.bytes(view.text()).trim_ascii().is_empty(),
        _ => true,
    }
}

/// Returns what a piece says of the whole level, and where.
fn lost(view: &View, piece: &Piece) -> Option<(std::ops::Range<usize>, String)> {
    match &piece.body {
        PieceBody::Call(
            header
            @ (Header::Lfloorcol | Header::Lrockcol | Header::Lfloortile | Header::Lrocktile),
            _,
        ) => Some((piece.span(), header.keyword().trim_end_matches(':').to_owned())),
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            let called = FUNCTIONS.into_iter().find(|name| memmem::find(text, name).is_some())?;
            let name = String::from_utf8_lossy(&called[..called.len() - 1]).into_owned();
            // Several lines may hold other things.
            (!text.contains(&b'\n')).then(|| (piece.span(), name))
        }
        _ => None,
    }
}

/// Returns whether nothing but SUBVAULT asks for a map without depths.
fn is_only_subvault(view: &View, tags: &SubvaultTags) -> bool {
    let selection = &view.entry.selection;
    let names = view.engine.content().names();
    let wanted = tags.words.get_or_init(|| words_of_subvaults(view.library));
    let selecting = || selection.tags.iter().filter(|tag| !names.is_flag_tag(tag));
    if !selecting().any(|tag| wanted.contains(tag)) {
        return false;
    }
    let is_free = |word: &str| {
        tags.searches.set(tags.searches.get() + 1);
        tags.searches.get() <= MAX_SEARCHES && !is_in_lua(view.library, word)
    };
    selecting().all(|tag| wanted.contains(tag) && is_free(tag)) && is_free(&selection.name)
}

fn words_of_subvaults(library: &Library) -> HashSet<String> {
    let mut words = HashSet::default();
    for file in &library.files {
        let chunks = file.tree.maps.iter().map(|map| map.chunk(ChunkKind::Main));
        for piece in chunks.flat_map(|chunk| &chunk.pieces) {
            let PieceBody::Call(Header::Subvault, Argument::Text(text)) = &piece.body else {
                continue;
            };
            let text = text.str(&file.source.text).to_lowercase();
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            words.extend(text.split(|c| !is_part(c)).map(str::to_owned));
        }
    }
    words
}

/// Returns whether Lua of the library has a word in it.
fn is_in_lua(library: &Library, word: &str) -> bool {
    library.files.iter().any(|file| {
        let source = &file.source.text;
        let chunks = file.tree.maps.iter().flat_map(|map| &map.chunks);
        let mut pieces = chunks.chain([&file.tree.global_prelude]).flat_map(|chunk| &chunk.pieces);
        memmem::find(source, word.as_bytes()).is_some()
            && pieces.any(|piece| match &piece.body {
                PieceBody::Lua(text) | PieceBody::LuaMarker { expression: text, .. } => {
                    memmem::find(text.bytes(source), word.as_bytes()).is_some()
                }
                _ => false,
            })
    })
}
