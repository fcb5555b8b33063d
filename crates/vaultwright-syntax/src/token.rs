//! Tokens.

use std::borrow::Cow;
use std::ops::Range;

use crate::Header;
use crate::span::Span;
use crate::words::find_words;

/// A token: a kind and the bytes it covers. The tokens of a file cover it without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    span: Span,
    /// The line (from 1) on which it ends.
    pub line: u32,
    /// The text the parser sees, for tokens that have one.
    pub text: Text,
}

impl Token {
    pub(crate) fn new(kind: TokenKind, span: Range<usize>, line: u32, text: Text) -> Token {
        Token { kind, span: Span::of(span), line, text }
    }

    /// Returns the byte range that it covers; empty for the end of an argument.
    pub fn span(&self) -> Range<usize> {
        self.span.range()
    }
}

/// The kinds of tokens (spec 01 §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `# …` up to the end of the line.
    Comment,
    /// Blanks and lone carriage returns.
    Space,
    /// A line end.
    Newline,
    /// A backslash with its line end.
    Continuation,
    /// A part of an argument text; [`TokenKind::Argument`] joins them.
    ArgumentPart,
    /// A byte that the reference drops silently; reported as a warning.
    Dropped,
    /// A header keyword with its colon.
    Keyword(Header),
    /// The line `MAP`.
    MapStart,
    /// `ENDMAP`.
    MapEnd,
    /// A row of a drawing.
    Row,
    /// `:` or `{{` or `lua {{`: Lua of the main chunk follows.
    Main,
    /// `prelude {{`.
    Prelude,
    /// `validate {{`.
    Validate,
    /// `veto {{`.
    Veto,
    /// `epilogue {{`.
    Epilogue,
    /// The `}}` that closes a block.
    BlockEnd,
    /// A line of Lua.
    LuaLine,
    /// The text of an argument header.
    Argument,
    /// An item of a list, a monster, or a word of `TAGS`.
    Item,
    /// A text in parentheses.
    Parenthesised,
    /// A number.
    Number,
    /// `,`
    Comma,
    /// `%`
    Percent,
    /// `:` or `-`, never accepted.
    Punctuation,
    /// Unexpected bytes.
    Unexpected,
}

impl TokenKind {
    /// Returns whether the grammar sees the token or records its position.
    pub(crate) fn is_noted(self) -> bool {
        use TokenKind::*;
        !self.is_trivia() || matches!(self, Dropped | MapStart | MapEnd)
    }

    /// Returns whether the grammar never sees it.
    pub(crate) fn is_trivia(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Comment
                | Space
                | Newline
                | Continuation
                | ArgumentPart
                | Dropped
                | MapStart
                | MapEnd
                | BlockEnd
        )
    }
}

/// The text of a token: a range of the source, or several parts joined.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Text {
    span: Span,
    /// Few texts have several parts; the others should take as little space as possible.
    joined: Option<Box<Box<[u8]>>>,
}

impl Text {
    pub(crate) fn of(span: Range<usize>) -> Text {
        Text { span: Span::of(span), joined: None }
    }

    pub(crate) fn join(parts: &[Range<usize>], source: &[u8], at: usize) -> Text {
        match parts {
            [] => Text::of(at..at),
            [part] => Text::of(part.clone()),
            [first, .., last] => {
                let joined: Vec<u8> =
                    parts.iter().flat_map(|part| &source[part.clone()]).copied().collect();
                Text::joined_from(first.start..last.end, &joined)
            }
        }
    }

    pub(crate) fn joined_from(span: Range<usize>, bytes: &[u8]) -> Text {
        Text { span: Span::of(span), joined: Some(Box::new(bytes.into())) }
    }

    /// Returns the byte range from the first part to the last, including continuations.
    pub fn span(&self) -> Range<usize> {
        self.span.range()
    }

    /// Returns the bytes of the text.
    pub fn bytes<'a>(&'a self, source: &'a [u8]) -> &'a [u8] {
        match &self.joined {
            Some(joined) => joined,
            None => &source[self.span()],
        }
    }

    /// Returns the text as a string, for messages and mini-languages.
    pub fn str<'a>(&'a self, source: &'a [u8]) -> Cow<'a, str> {
        let bytes = self.bytes(source);
        // It is nearly always UTF-8, and checking this is fast.
        str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
    }

    /// Returns the position of `needle` in the source if the text contains it, or else that of the
    /// whole text.
    pub fn locate(&self, source: &[u8], needle: &str) -> Range<usize> {
        let span = self.span();
        let hay = &source[span.clone()];
        let needle = needle.as_bytes();
        if needle.is_empty() {
            return span;
        }
        match find_words(hay, needle) {
            Some(at) => span.start + at..span.start + at + needle.len(),
            None => span,
        }
    }
}
