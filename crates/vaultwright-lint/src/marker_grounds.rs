//! Markers of entrances and doors on cells that are none (VW371): the KFEAT for their glyph has
//! been forgotten. A transporter's marker makes its feature itself.

use std::ops::Range;

use memchr::memmem;
use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::glyphs::{drawn_glyphs, has_key};
use crate::grounds::has_feature;
use crate::{View, codes};

/// No field of a marker stands further behind its beginning.
const MAX_LENGTH: usize = 2000;
/// How a marker is put on the map from Lua.
const LUA_MARKER: &[u8] = b"lua_marker(";

/// What a marker makes of a cell, and the KFEAT for that.
struct Ground {
    classes: &'static [&'static str],
    /// With its article.
    what: &'static str,
    feature: &'static str,
    /// What stands in the marker if it is about that at all.
    only_with: &'static [u8],
}

const GROUNDS: [Ground; 2] = [
    Ground {
        classes: &["timed_marker", "one_way_stair", "TimedMarker:new", "OneWayStair:new"],
        what: "an entrance",
        feature: "enter_sewer",
        only_with: b"dst",
    },
    Ground {
        classes: &["lock_door", "restrict_door"],
        what: "a door",
        feature: "closed_door",
        only_with: b"",
    },
];

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let mut marked: Vec<(u8, &Ground, Range<usize>)> = Vec::new();
    if !view.has_lua() {
        return;
    }
    for piece in view.main() {
        add_marked(view, piece, &mut marked);
    }
    marked.retain(|(_, ground, span)| {
        let behind = &view.text()[span.start..view.map.span.end.min(span.start + MAX_LENGTH)];
        memmem::find(behind, ground.only_with).is_some()
    });
    if marked.is_empty() {
        return;
    }
    let drawn = drawn_glyphs(view);
    for (glyph, ground, span) in marked {
        if !drawn.contains(glyph) || !is_floor(view, glyph) || may_change(view, glyph) {
            continue;
        }
        let (glyph, Ground { what, feature, .. }) = (char::from(glyph), ground);
        let message = format!("the marker of '{glyph}' is that of {what}, but the cell is floor");
        let hint = match *feature {
            "enter_sewer" => {
                format!("give the glyph its feature, such as KFEAT: {glyph} = {feature}")
            }
            feature => format!("write KFEAT: {glyph} = {feature}"),
        };
        problems.push(view.warning(codes::OTHER_GROUND, span, message, &hint));
    }
}

/// Adds the glyphs that a piece gives a marker of these classes, and where.
fn add_marked(view: &View, piece: &Piece, marked: &mut Vec<(u8, &'static Ground, Range<usize>)>) {
    match &piece.body {
        PieceBody::LuaMarker { key, expression } => {
            if let Some(ground) = ground_of(expression.bytes(view.text())) {
                marked.push((*key, ground, piece.span()));
            }
        }
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            // A text that is not as it stands in the file has been joined from several lines.
            let start = piece.span().start;
            for at in memmem::find_iter(text, LUA_MARKER) {
                let Some((glyph, ground)) = call_at(&text[at + LUA_MARKER.len()..]) else {
                    continue;
                };
                marked.push((glyph, ground, start + at..start + at + LUA_MARKER.len() - 1));
            }
        }
        _ => {}
    }
}

/// Returns the glyph and the ground of `"P", timed_marker …`.
fn call_at(text: &[u8]) -> Option<(u8, &'static Ground)> {
    let (quote, rest) = text.trim_ascii_start().split_first()?;
    let (glyph, rest) = rest.split_first()?;
    let rest = rest.strip_prefix(std::slice::from_ref(quote))?.trim_ascii_start();
    let rest = rest.strip_prefix(b",").filter(|_| matches!(quote, b'"' | b'\''))?;
    Some((*glyph, ground_of(rest)?))
}

/// Returns what the class is about that a marker's expression begins with.
fn ground_of(expression: &[u8]) -> Option<&'static Ground> {
    let expression = expression.trim_ascii_start();
    let is_of = |class: &&str| {
        let rest = expression.strip_prefix(class.as_bytes());
        rest.is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b'(' | b'{')))
    };
    GROUNDS.iter().find(|ground| ground.classes.iter().any(&is_of))
}

fn is_floor(view: &View, glyph: u8) -> bool {
    let features = view.engine.content().features();
    features.by_map_glyph(glyph).is_none_or(|id| features.get(id).name == "floor")
}

/// Returns whether a line or Lua may give the cells of a glyph another feature.
fn may_change(view: &View, glyph: u8) -> bool {
    let changes = |piece: &Piece| match &piece.body {
        PieceBody::Call(header, _) if has_key(*header) => false,
        PieceBody::Call(
            Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear | Header::Subvault,
            Argument::Text(text),
        ) => text.bytes(view.text()).contains(&glyph),
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            let draws = ["subst", "mapgrd", "shuffle", "subvault"];
            draws.iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
        }
        _ => false,
    };
    // What comes after the map may make the feature itself.
    let after = view.map.chunk(ChunkKind::Epilogue);
    after.has_lua() || has_feature(view, glyph) || view.main().iter().any(changes)
}
