//! The Lua of a chunk as a single text, and the source position of everything in it.
//!
//! Each header between lines of Lua becomes one byte, [`HEADER`], which is treated like a call in
//! the tree.

use std::ops::Range;

use vaultwright_syntax::{Chunk, Piece, PieceBody};

/// What stands for a header: no Lua begins with it.
const HEADER: u8 = 1;
/// The call that a `MARKER: K = lua:…` becomes.
pub(super) const MARKER_CALL: &str = "_marker_";

pub(super) struct LuaText {
    pub(super) text: Vec<u8>,
    parts: Vec<Part>,
    /// Where the headers stand in the text, and the numbers of their pieces.
    headers: Vec<(usize, usize)>,
}

struct Part {
    /// In the text.
    start: usize,
    /// In the source; the text is the same, unless the author continued a line.
    source: Range<usize>,
    is_copy: bool,
}

impl LuaText {
    /// Returns Lua alone, which comes from nowhere.
    #[cfg(test)]
    pub(super) fn alone(text: &str) -> LuaText {
        LuaText { text: text.into(), parts: Vec::new(), headers: Vec::new() }
    }

    pub(super) fn of(chunk: &Chunk, source: &[u8]) -> LuaText {
        let mut all = LuaText {
            text: Vec::with_capacity(length_of(chunk)),
            parts: Vec::with_capacity(chunk.pieces.len()),
            headers: Vec::new(),
        };
        for (number, piece) in chunk.pieces.iter().enumerate() {
            match &piece.body {
                PieceBody::Lua(text) => {
                    all.push_source(text.bytes(source), text.span(), source);
                }
                PieceBody::LuaMarker { expression, .. } => {
                    let open = format!("{MARKER_CALL}(function() return ");
                    all.push_made(open.as_bytes(), piece.span());
                    all.push_source(expression.bytes(source), expression.span(), source);
                    all.push_made(b" end)", piece.span());
                }
                PieceBody::Call(..) => {
                    all.headers.push((all.text.len(), number));
                    all.push_made(&[HEADER], piece.span());
                }
                PieceBody::Row(_) => {}
            }
            all.text.push(b'\n');
        }
        all
    }

    /// Returns the number of the piece whose header stands at a place of the text.
    pub(super) fn header_at(&self, at: usize) -> Option<usize> {
        if self.text.get(at) != Some(&HEADER) {
            return None;
        }
        let index = self.headers.binary_search_by_key(&at, |(start, _)| *start).ok()?;
        Some(self.headers[index].1)
    }

    /// Adds text that the author wrote.
    fn push_source(&mut self, text: &[u8], span: Range<usize>, source: &[u8]) {
        let is_copy = source.get(span.clone()) == Some(text);
        self.parts.push(Part { start: self.text.len(), source: span, is_copy });
        self.text.extend_from_slice(text);
    }

    /// Adds text that stands for what the author wrote.
    fn push_made(&mut self, text: &[u8], source: Range<usize>) {
        self.parts.push(Part { start: self.text.len(), source, is_copy: false });
        self.text.extend_from_slice(text);
    }

    /// Returns the bytes of the source that some bytes of the text come from.
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

/// Returns about how long the text of a chunk is.
fn length_of(chunk: &Chunk) -> usize {
    let lengths = chunk.pieces.iter().map(|piece| match &piece.body {
        PieceBody::Lua(_) | PieceBody::LuaMarker { .. } => piece.span().len() + 1,
        _ => 2,
    });
    lengths.sum()
}

/// Returns whether a piece is Lua of the author's.
pub(super) fn is_lua(piece: &Piece) -> bool {
    matches!(piece.body, PieceBody::Lua(_) | PieceBody::LuaMarker { .. })
}
