//! A text with its tree.

use std::ops::Range;
use std::sync::Arc;

use vaultwright::SourceFile;
use vaultwright::syntax::{ChunkKind, Header, Map, PieceBody, Source, Token, TokenKind};

/// A vault file as it is in an editor.
#[derive(Clone)]
pub struct Document {
    file: Arc<SourceFile>,
}

impl Document {
    /// Parses a text. Errors in it are recorded separately, and the rest is parsed.
    pub fn new(name: &str, text: impl Into<Arc<[u8]>>) -> Document {
        Document { file: Arc::new(SourceFile::new(Source::new(name, text.into()))) }
    }

    /// Creates a document from a parsed file.
    #[must_use]
    pub fn of(file: Arc<SourceFile>) -> Document {
        Document { file }
    }

    /// Returns the parsed file.
    #[must_use]
    pub fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.file.source.text
    }

    /// Returns the index of the map around a byte.
    #[must_use]
    pub fn map_at(&self, offset: usize) -> Option<usize> {
        let within = |map: &Map| map.span.start <= offset && offset <= map.span.end;
        // Where one map ends and the next begins, the next one counts.
        self.file.tree.maps.iter().rposition(within)
    }

    /// Returns the header of the line that contains a byte, and the start of its argument. Returns
    /// `None` on lines without a header and on the keyword itself.
    #[must_use]
    pub fn header_at(&self, offset: usize) -> Option<(Header, usize)> {
        let mut found = None;
        for token in self.tokens() {
            if token.span().start > offset {
                break;
            }
            match token.kind {
                TokenKind::Keyword(header) if token.span().end <= offset => {
                    found = Some((header, token.span().end));
                }
                TokenKind::Newline if token.span().end <= offset => found = None,
                TokenKind::Keyword(_) | TokenKind::MapStart | TokenKind::Row => found = None,
                _ => {}
            }
        }
        found
    }

    /// Returns the token that contains a byte or ends at it.
    #[must_use]
    pub fn token_at(&self, offset: usize) -> Option<&Token> {
        let tokens = self.tokens();
        let next = tokens.partition_point(|token| token.span().start <= offset);
        let token = tokens[..next].last()?;
        (offset <= token.span().end).then_some(token)
    }

    /// Returns the range of the Lua around a byte.
    #[must_use]
    pub fn lua_at(&self, offset: usize) -> Option<Range<usize>> {
        let within = |span: &Range<usize>| span.start <= offset && offset <= span.end;
        self.lua().find(within)
    }

    /// Returns the ranges of Lua, unordered: blocks, lines, and the Lua of markers.
    pub fn lua(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let tree = &self.file.tree;
        let chunks = tree.maps.iter().flat_map(|map| ChunkKind::ALL.map(|kind| map.chunk(kind)));
        let pieces = chunks.chain([&tree.global_prelude]).flat_map(|chunk| &chunk.pieces);
        pieces.filter_map(|piece| match &piece.body {
            PieceBody::Lua(text) => Some(text.span()),
            PieceBody::LuaMarker { expression, .. } => Some(expression.span()),
            _ => None,
        })
    }

    /// Returns the tokens of the language. Together they cover the text.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.file.tokens
    }

    /// Returns the rows of a map's drawing.
    pub fn rows(&self, map: &Map) -> Vec<Range<usize>> {
        let pieces = map.chunk(ChunkKind::Map).pieces.iter();
        let rows = pieces.filter_map(|piece| match &piece.body {
            PieceBody::Row(row) => Some(row.span()),
            _ => None,
        });
        rows.collect()
    }
}
