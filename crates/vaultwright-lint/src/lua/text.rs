//! The Lua of a chunk as one text, and where everything in it is written.
//!
//! Headers between lines of Lua become calls of [`HEADER_CALL`] with the number of the piece, so
//! that the tree shows between which lines they stand.

use std::ops::Range;

use vaultwright_syntax::{Chunk, Piece, PieceBody};

/// A name that no author uses.
pub(super) const HEADER_CALL: &str = "_header_";
/// The call that a `MARKER: K = lua:…` becomes.
pub(super) const MARKER_CALL: &str = "_marker_";

pub(super) struct LuaText {
    pub(super) text: Vec<u8>,
    parts: Vec<Part>,
}

struct Part {
    /// In the text.
    start: usize,
    /// In the source; the text is the same, unless the author continued a line.
    source: Range<usize>,
    is_copy: bool,
}

impl LuaText {
    pub(super) fn of(chunk: &Chunk, source: &[u8]) -> LuaText {
        let mut all = LuaText { text: Vec::new(), parts: Vec::new() };
        for (number, piece) in chunk.pieces.iter().enumerate() {
            match &piece.body {
                PieceBody::Lua(text) => {
                    let span = text.span();
                    let bytes = text.bytes(source);
                    all.push(bytes, span.clone(), source.get(span) == Some(bytes));
                }
                PieceBody::LuaMarker { expression, .. } => {
                    let open = format!("{MARKER_CALL}(function() return ");
                    all.push(open.as_bytes(), piece.span.clone(), false);
                    let bytes = expression.bytes(source);
                    let span = expression.span();
                    all.push(bytes, span.clone(), source.get(span) == Some(bytes));
                    all.push(b" end)", piece.span.clone(), false);
                }
                PieceBody::Call(..) => {
                    let call = format!("{HEADER_CALL}({number})");
                    all.push(call.as_bytes(), piece.span.clone(), false);
                }
                PieceBody::Row(_) => {}
            }
            all.text.push(b'\n');
        }
        all
    }

    fn push(&mut self, text: &[u8], source: Range<usize>, is_copy: bool) {
        self.parts.push(Part { start: self.text.len(), source, is_copy });
        self.text.extend_from_slice(text);
    }

    /// The bytes of the source that some bytes of the text come from.
    pub(super) fn source_of(&self, span: &Range<usize>) -> Range<usize> {
        let part = |at: usize| {
            let index = self.parts.partition_point(|part| part.start <= at);
            &self.parts[index.saturating_sub(1)]
        };
        let Some(_) = self.parts.first() else { return 0..0 };
        let (first, last) = (part(span.start), part(span.end.saturating_sub(1)));
        let start = match first.is_copy {
            true => (first.source.start + (span.start - first.start)).min(first.source.end),
            false => first.source.start,
        };
        let end = match last.is_copy {
            true => (last.source.start + (span.end - last.start)).min(last.source.end),
            false => last.source.end,
        };
        start..end.max(start)
    }
}

/// Whether a piece is Lua of the author's.
pub(super) fn is_lua(piece: &Piece) -> bool {
    matches!(piece.body, PieceBody::Lua(_) | PieceBody::LuaMarker { .. })
}
