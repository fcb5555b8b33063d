//! Landings of transporters that are on several cells (VW385): the level is refused then.

use std::ops::Range;

use memchr::memmem;
use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::glyphs::may_draw;
use crate::{View, codes};

const LANDING: &[u8] = b"transp_dest_loc(";
const LUA_MARKER: &[u8] = b"lua_marker(";

/// A marker of a landing: its glyph, its name, and where it is written.
struct Landing<'v> {
    glyph: u8,
    name: &'v [u8],
    span: Range<usize>,
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    if memmem::find(&view.text()[view.map.span.clone()], LANDING).is_none() {
        return;
    }
    let mut landings = Vec::new();
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        add(view, piece, &mut landings);
    }
    landings.retain(|landing| !may_change(view, landing.glyph));
    let mut told: Vec<&[u8]> = Vec::new();
    for landing in &landings {
        if told.contains(&landing.name) {
            continue;
        }
        told.push(landing.name);
        let mut glyphs: Vec<u8> = Vec::new();
        for own in landings.iter().filter(|own| own.name == landing.name) {
            if !glyphs.contains(&own.glyph) {
                glyphs.push(own.glyph);
            }
        }
        let cells: usize = glyphs.iter().map(|&glyph| cells(view, glyph)).sum();
        if cells < 2 {
            continue;
        }
        let name = String::from_utf8_lossy(landing.name);
        problems.push(view.warning(
            codes::NO_OTHER_END,
            landing.span.clone(),
            format!("{cells} cells have transp_dest_loc(\"{name}\"): the game refuses the level"),
            "a transporter leads to one cell: give the other another glyph, or another name",
        ));
    }
}

fn add<'v>(view: &'v View, piece: &'v Piece, landings: &mut Vec<Landing<'v>>) {
    match &piece.body {
        PieceBody::LuaMarker { key, expression } => {
            let expression = expression.bytes(view.text()).trim_ascii_start();
            let name = expression.strip_prefix(LANDING).and_then(quoted);
            let span = piece.span();
            landings.extend(name.map(|name| Landing { glyph: *key, name, span }));
        }
        PieceBody::Lua(text) => {
            let (start, text) = (text.span().start, text.bytes(view.text()));
            for at in memmem::find_iter(text, LUA_MARKER) {
                let call = &text[at + LUA_MARKER.len()..];
                let Some(&[glyph]) = quoted(call) else { continue };
                let behind = memchr::memchr(b',', &call[3..]).map(|comma| &call[comma + 4..]);
                let class = behind.map(<[u8]>::trim_ascii_start);
                let name = class.and_then(|class| class.strip_prefix(LANDING)).and_then(quoted);
                let span = start + at..start + at + LUA_MARKER.len() - 1;
                landings.extend(name.map(|name| Landing { glyph, name, span }));
            }
        }
        _ => {}
    }
}

/// Returns the text in quotes that comes first.
fn quoted(text: &[u8]) -> Option<&[u8]> {
    let (quote, text) = text.trim_ascii_start().split_first()?;
    let end = memchr::memchr(*quote, text).filter(|_| matches!(quote, b'"' | b'\''))?;
    Some(&text[..end])
}

/// Returns whether the number of cells with a glyph may change before or after the marker.
fn may_change(view: &View, glyph: u8) -> bool {
    let changes = |piece: &Piece| match &piece.body {
        PieceBody::Call(
            Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear | Header::Subvault,
            Argument::Text(text),
        ) => text.bytes(view.text()).contains(&glyph),
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            ["subst", "mapgrd", "shuffle", "clear"]
                .iter()
                .any(|word| memmem::find(text, word.as_bytes()).is_some())
        }
        _ => false,
    };
    may_draw(view) || view.map.chunk(ChunkKind::Main).pieces.iter().any(changes)
}

fn cells(view: &View, glyph: u8) -> usize {
    let rows = view.map.chunk(ChunkKind::Map).pieces.iter();
    let in_row = |piece: &Piece| match &piece.body {
        PieceBody::Row(row) => memchr::memchr_iter(glyph, row.bytes(view.text())).count(),
        _ => 0,
    };
    rows.map(in_row).sum()
}
