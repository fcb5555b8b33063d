//! Calls of `lua_marker`, `kmons` and the like for glyphs that nothing puts on the map, or only
//! what follows (VW312).

use std::cell::LazyCell;

use foldhash::HashSet;
use memchr::memmem;
use vaultwright_engine::Problem;
use vaultwright_syntax::{ChunkKind, Header, Piece, PieceBody};

use crate::glyphs::{Glyphs, drawn_glyphs, glyphs_in_lua_but, may_draw};
use crate::{View, codes};

/// The function whose first argument is the glyphs alone.
const LUA_MARKER: &str = "lua_marker(";
/// The functions that are about the cells of some glyphs, as they are called.
const CALLS: [&str; 11] = [
    LUA_MARKER, "marker(", "kmons(", "kitem(", "kfeat(", "kmask(", "kprop(", "colour(", "ftile(",
    "rtile(", "tile(",
];
/// Those of them that look at the map at once, by their names.
const AT_ONCE: [&str; 6] = ["marker", "kprop", "colour", "ftile", "rtile", "tile"];
/// For no more calls it is looked what comes before them.
const MAX_ORDERED: usize = 20;
/// Words of Lua with which it does not run line by line.
const NOT_STRAIGHT: [&str; 7] = ["function", "for", "while", "repeat", "goto", "_G", "hook"];

/// A call whose glyphs are written out.
struct Call<'t> {
    /// How the function is called.
    name: &'static str,
    /// The text in quotes, in the source.
    start: usize,
    glyphs: &'t [u8],
    /// What the glyphs are given.
    given: &'t [u8],
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let source = view.text();
    let main = &view.map.chunk(ChunkKind::Main).pieces;
    let lua = main.iter().filter_map(|piece| match &piece.body {
        PieceBody::Lua(text) => Some(text.span()),
        _ => None,
    });
    let mut calls: Vec<Call> = Vec::new();
    lua.for_each(|span| add_calls(source, span, &mut calls));
    // What another map brings may show any glyph.
    let is_subvault = |body: &PieceBody| match body {
        PieceBody::Call(header, _) => *header == Header::Subvault,
        PieceBody::Lua(text) => memmem::find(text.bytes(source), b"subvault").is_some(),
        _ => false,
    };
    if calls.is_empty() || may_draw(view) || main.iter().any(|piece| is_subvault(&piece.body)) {
        return;
    }
    let shown = shown(view, &calls);
    let drawn = drawn_glyphs(view);
    let (mut ordered, is_straight) = (0, LazyCell::new(|| is_straight(view)));
    for Call { name, start, glyphs, .. } in calls {
        let written = String::from_utf8_lossy(glyphs);
        let name = name.trim_end_matches('(').trim_start_matches("lua_");
        if glyphs.iter().any(|&glyph| shown.contains(glyph)) {
            let is_drawn = glyphs.iter().any(|&glyph| drawn.contains(glyph));
            if is_drawn || !AT_ONCE.contains(&name) || ordered == MAX_ORDERED || !*is_straight {
                continue;
            }
            ordered += 1;
            let before = shown_before(view, start);
            if !glyphs.iter().any(|&glyph| before.contains(glyph)) {
                problems.push(view.warning(
                    codes::KEY_WITHOUT_CELLS,
                    start..start + glyphs.len(),
                    format!("{name}: no '{written}' is on the map yet"),
                    "it is about the cells that show its glyph at this point: write it behind the \
                     statement that brings the glyph",
                ));
            }
            continue;
        }
        let hint = match name {
            _ if AT_ONCE.contains(&name) => {
                "it is about the cells that show its glyph at this point: check the glyph"
            }
            _ => "it is about the cells that show its glyph on the finished map: check the glyph",
        };
        problems.push(view.warning(
            codes::KEY_WITHOUT_CELLS,
            start..start + glyphs.len(),
            format!("{name}: no '{written}' is on the map"),
            hint,
        ));
    }
}

/// Returns the glyphs that may be on the map at any time: drawn, brought by a transform, or in a
/// text of Lua that is not the glyph of a marker.
fn shown(view: &View, calls: &[Call]) -> Glyphs {
    let mut shown = drawn_glyphs(view);
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        if let PieceBody::Call(Header::Subst | Header::Nsubst | Header::Shuffle, _) = piece.body {
            shown.extend(&view.text()[piece.span()]);
        }
    }
    let starts: HashSet<usize> = calls.iter().map(|call| call.start).collect();
    shown.extend_by(&glyphs_in_lua_but(view, &|at| starts.contains(&at)));
    // A feature may be written as a glyph, which then brings its own.
    let by_glyph = calls.iter().filter(|call| call.name == "kfeat(" && call.given.len() == 1);
    by_glyph.for_each(|call| shown.extend(call.given));
    shown
}

/// Returns whether the Lua of a map runs line by line, so that what stands before has run.
fn is_straight(view: &View) -> bool {
    let is_plain = |piece: &Piece| match &piece.body {
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            NOT_STRAIGHT.iter().all(|word| memmem::find(text, word.as_bytes()).is_none())
        }
        _ => true,
    };
    let is_empty = |kind| view.map.chunk(kind).pieces.is_empty();
    is_empty(ChunkKind::Prelude) && view.map.chunk(ChunkKind::Main).pieces.iter().all(is_plain)
}

/// Returns the glyphs that may be on the map before a byte of its source.
fn shown_before(view: &View, start: usize) -> Glyphs {
    let mut shown = drawn_glyphs(view);
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        let is_transform = matches!(
            piece.body,
            PieceBody::Call(Header::Subst | Header::Nsubst | Header::Shuffle, _)
        );
        if is_transform && piece.span().start < start {
            shown.extend(&view.text()[piece.span()]);
        }
    }
    shown.extend_by(&glyphs_in_lua_but(view, &|at| at >= start));
    shown
}

/// Adds the calls in a piece of Lua whose first argument is a text.
fn add_calls<'t>(source: &'t [u8], span: std::ops::Range<usize>, calls: &mut Vec<Call<'t>>) {
    let text = &source[span.clone()];
    for open in memchr::memchr_iter(b'(', text).map(|at| at + 1) {
        let Some(name) = call_before(&text[..open]) else { continue };
        let line = text[..open].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let quote = open + text[open..].iter().take_while(|byte| **byte == b' ').count();
        let Some(sign @ (b'"' | b'\'')) = text.get(quote) else { continue };
        let Some(length) = memchr::memchr(*sign, &text[quote + 1..]) else { continue };
        let written = &text[quote + 1..quote + 1 + length];
        let (glyphs, given) = match name {
            LUA_MARKER => (written, &b""[..]),
            _ => vaultwright_map::split_key(written)
                .map_or((&b""[..], &b""[..]), |(key, _, given)| (key, given)),
        };
        if !glyphs.is_empty() && glyphs == &written[..glyphs.len()] && !line.contains(&b'-') {
            calls.push(Call { name, start: span.start + quote + 1, glyphs, given });
        }
    }
}

/// Returns which of the functions is called where a text ends with `(`.
fn call_before(text: &[u8]) -> Option<&'static str> {
    let name = CALLS.into_iter().find(|name| text.ends_with(name.as_bytes()))?;
    let before = text[..text.len() - name.len()].last();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':');
    (!before.is_some_and(is_part)).then_some(name)
}
