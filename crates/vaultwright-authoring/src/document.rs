//! A text with its tree.

use std::ops::Range;
use std::sync::Arc;

use vaultwright::SourceFile;
use vaultwright::syntax::{ChunkKind, Header, Map, Piece, PieceBody, Source, Token, TokenKind};

/// A vault file as it is in an editor.
#[derive(Clone)]
pub struct Document {
    file: Arc<SourceFile>,
}

/// The Lua of a chunk, where it stands in its file; what stands between its lines is blank.
pub(crate) struct LuaText {
    /// Where in the file it begins.
    pub(crate) start: usize,
    pub(crate) text: Vec<u8>,
}

impl LuaText {
    fn add(&mut self, file: &[u8], span: &Range<usize>) {
        let end = self.start + self.text.len();
        // Pieces stand in the order of the file.
        if span.start < end {
            return;
        }
        let between = file[end..span.start].iter();
        self.text.extend(between.map(|&byte| if byte == b'\n' { b'\n' } else { b' ' }));
        self.text.extend_from_slice(&file[span.clone()]);
    }
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

    /// Returns the Lua of the file as it is run: what belongs to one chunk together, however many
    /// lines it has, so that comments and texts over several lines are what they are.
    pub(crate) fn lua_texts(&self) -> Vec<LuaText> {
        let tree = &self.file.tree;
        let chunks = tree.maps.iter().flat_map(|map| ChunkKind::ALL.map(|kind| map.chunk(kind)));
        let chunks = chunks.chain([&tree.global_prelude]);
        chunks.flat_map(|chunk| self.texts_of(&chunk.pieces)).collect()
    }

    /// Returns the Lua around a byte, with all that is run with it.
    pub(crate) fn lua_text_at(&self, offset: usize) -> Option<LuaText> {
        let around = self.lua_at(offset)?;
        let holds = |text: &LuaText| {
            text.start <= around.start && around.end <= text.start + text.text.len()
        };
        // Chunks of a map may stand around each other: what is blank is another's.
        let is_own = |text: &LuaText| {
            let own = &text.text[around.start - text.start..around.end - text.start];
            *own == self.text()[around.clone()]
        };
        self.lua_texts().into_iter().find(|text| holds(text) && is_own(text))
    }

    /// Returns the lines of a chunk as one text, and each marker's expression by itself.
    fn texts_of(&self, pieces: &[Piece]) -> Vec<LuaText> {
        let mut texts = Vec::new();
        let mut lines: Option<LuaText> = None;
        for piece in pieces {
            match &piece.body {
                PieceBody::Lua(text) => {
                    let lines = lines.get_or_insert_with(|| LuaText {
                        start: text.span().start,
                        text: Vec::new(),
                    });
                    lines.add(self.text(), &text.span());
                }
                PieceBody::LuaMarker { expression, .. } => {
                    let span = expression.span();
                    texts.push(LuaText { start: span.start, text: self.text()[span].to_vec() });
                }
                _ => {}
            }
        }
        texts.extend(lines);
        texts
    }

    /// Returns where Lua stands, in no order: blocks, lines, and what markers are made of.
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
