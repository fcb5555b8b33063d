//! Splits bytes into tokens that cover every byte.

mod block;
mod rules;

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use block::OpenBlock;

use crate::span::MAX_FILE_SIZE;
use crate::{Grammar, Header, HeaderArguments, Text, Token, TokenKind};

/// Returns the tokens of a file, which cover every byte of it (spec 01 §3).
///
/// Among all rules of a state, the longest match wins; among equally long ones, the first.
///
/// If the file exceeds 4 GiB, the rest is ignored.
pub fn tokens(source: &[u8], grammar: Grammar) -> Vec<Token> {
    let mut scanner = Scanner::new(&source[..source.len().min(MAX_FILE_SIZE)], 0, 1, grammar);
    scanner.tokens.reserve(source.len() / 8);
    while !scanner.is_at_end() {
        scanner.step();
    }
    scanner.tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Argument,
    List,
    Monsters,
    Words,
    Map,
    LuaLine,
    Block,
}

pub(crate) struct Scanner<'s> {
    source: &'s [u8],
    grammar: Grammar,
    at: usize,
    line: u32,
    /// The position of the current line's LF, or the end of the file.
    line_end: usize,
    state: State,
    /// The accumulator of argument and list states.
    parts: Vec<Range<usize>>,
    /// Whether to keep only what the grammar uses.
    for_grammar: bool,
    block: OpenBlock,
    /// Blocks without an end: another map begins in them.
    pub(crate) lost_blocks: Vec<Range<usize>>,
    /// The tokens found so far.
    pub(crate) tokens: Vec<Token>,
}

/// A match: the action, the number of bytes it takes, and its length for comparison (a rule that
/// looks at the line feed counts it without taking it).
#[derive(Clone, Copy)]
struct Match {
    action: Action,
    take: usize,
    length: usize,
}

#[derive(Clone, Copy)]
enum Action {
    Emit(TokenKind),
    /// Emits a token and changes the state.
    Enter(TokenKind, State),
    Keyword(Header),
    Part,
    /// A part up to the last backslash, followed by a continuation.
    PartContinued(usize),
    EndArgument,
    Item,
    Word,
    Comma,
    /// The rest of the line is unexpected.
    Unexpected,
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn is_white(byte: u8) -> bool {
    is_blank(byte) || byte == b'\r'
}

impl<'s> Scanner<'s> {
    /// Returns a scanner that starts at a byte on this line, where a token starts that does not
    /// depend on the text before it.
    pub(crate) fn new(source: &'s [u8], at: usize, line: u32, grammar: Grammar) -> Scanner<'s> {
        let mut scanner = Scanner {
            source,
            grammar,
            at,
            line,
            line_end: at,
            state: State::Free,
            parts: Vec::new(),
            for_grammar: false,
            block: OpenBlock::new(),
            lost_blocks: Vec::new(),
            tokens: Vec::new(),
        };
        scanner.find_line_end();
        scanner
    }

    /// The same for the grammar, which ignores two thirds of all tokens.
    pub(crate) fn for_grammar(
        source: &'s [u8],
        at: usize,
        line: u32,
        grammar: Grammar,
    ) -> Scanner<'s> {
        Scanner { for_grammar: true, ..Scanner::new(source, at, line, grammar) }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    /// Finds the next tokens, mostly one; none if they are not kept.
    pub(crate) fn step(&mut self) {
        let found = match self.state {
            State::Free => self.free(),
            State::Argument => self.longer(self.argument()),
            State::Monsters => self.longer(self.monsters()),
            State::Words => self.longer(self.words()),
            State::List => self.list(),
            State::Map => self.map(),
            State::LuaLine => return self.lua_line(),
            State::Block => return self.step_in_block(),
        };
        self.apply(found);
    }

    fn apply(&mut self, found: Match) {
        let start = self.at;
        let end = start + found.take;
        match found.action {
            Action::Emit(kind) => self.emit(kind, end, Text::of(start..end)),
            Action::Enter(kind, state) => {
                self.emit(kind, end, Text::of(start..end));
                self.state = state;
                if state == State::Block {
                    self.block.begin(start..end);
                }
            }
            Action::Keyword(header) => {
                self.emit(TokenKind::Keyword(header), end, Text::of(start..end));
                self.parts.clear();
                self.state = match header.arguments() {
                    HeaderArguments::Text => State::Argument,
                    HeaderArguments::List => State::List,
                    HeaderArguments::Monsters => State::Monsters,
                    HeaderArguments::Words => State::Words,
                    // This depends on the scanner's state: after words that continue, numbers are
                    // words.
                    HeaderArguments::Numbers => self.state,
                };
                self.skip_blanks();
            }
            Action::Part => {
                self.parts.push(start..end);
                self.emit(TokenKind::ArgumentPart, end, Text::default());
            }
            Action::PartContinued(backslash) => {
                self.parts.push(start..backslash);
                self.emit(TokenKind::ArgumentPart, backslash, Text::default());
                self.emit(TokenKind::Continuation, end, Text::default());
            }
            Action::EndArgument => {
                let text = Text::join(&self.parts, self.source, start);
                self.parts.clear();
                self.state = State::Free;
                // White space before the line end belongs to the token, the line end does not.
                self.emit(TokenKind::Argument, end, text);
            }
            Action::Item => {
                self.parts.push(start..end);
                let text = Text::join(&self.parts, self.source, start);
                self.emit(TokenKind::Item, end, text);
            }
            Action::Word => {
                self.emit(TokenKind::Item, end, Text::of(start..end));
                self.skip_blanks();
            }
            Action::Comma => {
                self.parts.clear();
                self.emit(TokenKind::Comma, end, Text::of(start..end));
                self.skip_blanks();
            }
            Action::Unexpected => {
                let end = self.end_of_continued_line();
                self.emit(TokenKind::Unexpected, end, Text::of(start..end));
                if self.state != State::Map {
                    self.state = State::Free;
                }
            }
        }
    }

    fn emit(&mut self, kind: TokenKind, end: usize, text: Text) {
        let span = self.at..end;
        let newlines = match end.saturating_sub(self.line_end) {
            0 => 0,
            1 => 1,
            _ => memchr_iter(b'\n', &self.source[span.clone()]).count(),
        };
        if !self.for_grammar || kind.is_noted() {
            // A token's line is the one on which it ends, not counting a final line feed.
            let ends_with_newline = newlines > 0 && self.source[end - 1] == b'\n';
            let line = self.line + newlines as u32 - u32::from(ends_with_newline);
            self.tokens.push(Token::new(kind, span, line, text));
        }
        self.at = end;
        let ends_line = matches!(kind, TokenKind::Row | TokenKind::Comment | TokenKind::Argument);
        if self.for_grammar && ends_line && end == self.line_end && self.has_line_feed() {
            // The line feed is a token that the grammar does not see, and changes nothing here.
            self.at += 1;
            self.line += 1;
            self.find_line_end();
        } else if newlines > 0 {
            self.line += newlines as u32;
            self.find_line_end();
        }
    }

    /// Returns the start of a drawing up to its colon, if it has one.
    pub(crate) fn colon_in(&self, start: Range<usize>) -> Option<Range<usize>> {
        let colon = memchr(b':', &self.source[start.clone()])?;
        Some(start.start..start.start + colon + 1)
    }

    /// Goes beyond blanks within a line that would be a token that the grammar does not see.
    fn skip_blanks(&mut self) {
        let end = self.skip(self.at, is_blank);
        // What ends or continues the line may be one token with them.
        if self.for_grammar && self.byte(end).is_some_and(|b| !matches!(b, b'\r' | b'\n' | b'\\')) {
            self.at = end;
        }
    }

    fn find_line_end(&mut self) {
        let rest = &self.source[self.at..];
        self.line_end = self.at + memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn has_line_feed(&self) -> bool {
        self.line_end < self.source.len()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.get(at).copied()
    }

    fn skip(&self, mut at: usize, class: impl Fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(&class) {
            at += 1;
        }
        at
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.source[self.at - 1] == b'\n'
    }

    /// Returns the end of the newline at a byte; `None` if there is no newline.
    fn newline_at(&self, at: usize) -> Option<usize> {
        match (self.byte(at), self.byte(at + 1)) {
            (Some(b'\n'), _) => Some(at + 1),
            (Some(b'\r'), Some(b'\n')) => Some(at + 2),
            _ => None,
        }
    }

    /// Returns the end of the line with its continuations, which rule F15 treats as a single error.
    fn end_of_continued_line(&self) -> usize {
        let mut end = self.line_end;
        loop {
            let text = trim_end(&self.source[self.at..end]);
            let continued = text.last() == Some(&b'\\') && end < self.source.len();
            if !continued || self.state == State::Map {
                return end.max(self.at + 1).min(self.source.len());
            }
            let next = end + 1;
            let rest = &self.source[next..];
            end = next + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        }
    }

    /// Returns the longer of a state's own match and that of the free rules; its own, if they are
    /// equally long.
    fn longer(&self, own: Option<Match>) -> Match {
        // Free rules never look beyond the line feed, and look at it only at the start or end of a
        // line.
        let longest = self.line_end - self.at + usize::from(self.at_line_start());
        match own {
            Some(own) if own.length >= longest => own,
            own => {
                let free = self.free();
                own.filter(|own| own.length >= free.length).unwrap_or(free)
            }
        }
    }

    fn lua_line(&mut self) {
        if self.at == self.line_end || self.source[self.at..self.line_end] == *b"\r" {
            let end = (self.line_end + 1).min(self.source.len());
            self.emit(TokenKind::Newline, end, Text::default());
            self.state = State::Free;
        } else if self.has_line_feed() {
            let text = trim_end(&self.source[self.at..self.line_end]);
            let text = Text::of(self.at..self.at + text.len());
            self.emit(TokenKind::LuaLine, self.line_end, text);
        } else {
            // Without a line end, the reference loses the line.
            self.emit(TokenKind::Dropped, self.line_end, Text::default());
        }
    }
}

fn trim_white_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&b| !is_white(b)).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// Removes trailing white space of rows and Lua lines (spec 01 §2).
pub(crate) fn trim_end(bytes: &[u8]) -> &[u8] {
    let white = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let end = bytes.iter().rposition(|&b| !white(b)).map_or(0, |last| last + 1);
    &bytes[..end]
}
