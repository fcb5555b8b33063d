//! Calls of `lua_marker` and `marker` for glyphs that nothing puts on the map (VW312).

use memchr::memmem;
use vaultwright_engine::Problem;
use vaultwright_syntax::{ChunkKind, Header, PieceBody};

use crate::glyphs::{Glyphs, drawn_glyphs, glyphs_in_lua_but, may_draw};
use crate::{View, codes};

/// The functions that give markers, with what stands before their glyphs.
const CALLS: [&[u8]; 2] = [b"lua_marker(", b"marker("];

/// A call whose glyphs are written out.
struct Call<'t> {
    /// The text in quotes, in the source.
    start: usize,
    glyphs: &'t [u8],
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let source = view.text();
    let main = &view.map.chunk(ChunkKind::Main).pieces;
    let lua = main.iter().filter_map(|piece| match &piece.body {
        PieceBody::Lua(text) if memmem::find(text.bytes(source), b"marker(").is_some() => {
            Some(text.span())
        }
        _ => None,
    });
    let calls: Vec<Call> = lua.flat_map(|span| calls_in(source, span)).collect();
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
    for Call { start, glyphs } in calls {
        if glyphs.iter().any(|&glyph| shown.contains(glyph)) {
            continue;
        }
        let written = String::from_utf8_lossy(glyphs);
        problems.push(view.warning(
            codes::KEY_WITHOUT_CELLS,
            start..start + glyphs.len(),
            format!("marker: no '{written}' is on the map"),
            "a marker goes to the cells that show its glyph at this point: check the glyph",
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
    let is_of_marker = |at: usize| calls.iter().any(|call| call.start == at);
    shown.extend_by(&glyphs_in_lua_but(view, &is_of_marker));
    shown
}

/// Returns the calls in a piece of Lua whose first argument is a text.
fn calls_in(source: &[u8], span: std::ops::Range<usize>) -> Vec<Call<'_>> {
    let text = &source[span.clone()];
    let mut calls = Vec::new();
    for begin in memmem::find_iter(text, b"marker(") {
        let Some((name, open)) = call_at(text, begin) else { continue };
        let line = text[..begin].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let quote = open + text[open..].iter().take_while(|byte| **byte == b' ').count();
        let Some(sign @ (b'"' | b'\'')) = text.get(quote) else { continue };
        let Some(length) = memchr::memchr(*sign, &text[quote + 1..]) else { continue };
        let written = &text[quote + 1..quote + 1 + length];
        let glyphs = match name {
            b"lua_marker(" => written,
            _ => vaultwright_map::split_key(written).map_or(&b""[..], |(key, ..)| key),
        };
        if !glyphs.is_empty() && glyphs == &written[..glyphs.len()] && !line.contains(&b'-') {
            calls.push(Call { start: span.start + quote + 1, glyphs });
        }
    }
    calls
}

/// Returns which of the functions is called where a text has `marker(`, and where its arguments
/// begin.
fn call_at(text: &[u8], at: usize) -> Option<(&'static [u8], usize)> {
    let open = at + b"marker(".len();
    let name = CALLS.into_iter().find(|name| text[..open].ends_with(name))?;
    let before = text[..open - name.len()].last();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':');
    (!before.is_some_and(is_part)).then_some((name, open))
}
