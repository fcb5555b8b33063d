//! Landings of transporters that are on several cells (VW385): the level is refused then.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;
use vaultwright_engine::Problem;
use vaultwright_map::GlyphSet;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

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
    for piece in view.main() {
        add(view, piece, &mut landings);
    }
    let Some(changed) = glyphs_changed(view) else { return };
    landings.retain(|landing| !changed.contains(landing.glyph));
    // By name: the glyphs of its cells, and the first of its markers.
    let mut named: BTreeMap<&[u8], (GlyphSet, &Landing)> = BTreeMap::new();
    for landing in &landings {
        let of_name = named.entry(landing.name).or_insert((GlyphSet::default(), landing));
        of_name.0.add(landing.glyph);
    }
    for (glyphs, landing) in named.into_values() {
        let cells: usize = glyphs.glyphs().map(|glyph| view.cells_of(glyph)).sum();
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

/// Returns the glyphs of which the number of cells may change before or after the marker; `None` if
/// Lua may change any.
fn glyphs_changed(view: &View) -> Option<GlyphSet> {
    const CHANGING: [&str; 4] = ["subst", "mapgrd", "shuffle", "clear"];
    if may_draw(view) {
        return None;
    }
    let mut changed = GlyphSet::default();
    for piece in view.main() {
        match &piece.body {
            PieceBody::Call(
                Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear | Header::Subvault,
                Argument::Text(text),
            ) => text.bytes(view.text()).iter().for_each(|&glyph| changed.add(glyph)),
            PieceBody::Lua(text) => {
                let text = text.bytes(view.text());
                if CHANGING.iter().any(|word| memmem::find(text, word.as_bytes()).is_some()) {
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(changed)
}
