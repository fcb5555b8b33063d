//! Splits bytes into tokens that cover every byte.

mod block;

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

use block::OpenBlock;

use crate::span::MAX_FILE_SIZE;
use crate::{Grammar, Header, HeaderArguments, Text, Token, TokenKind};

/// Returns the tokens of a file, which cover every byte of it (spec 01 §3).
///
/// Among all rules of a state, the longest match wins; among equally long ones, the first. The rule
/// names in this file (F1, A3, …) are those of the spec.
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

    // --- the rules of each state ---

    fn free(&self) -> Match {
        let rest = &self.source[self.at..];
        let byte = rest[0];
        if byte == b'\n' {
            // No other rule starts with it.
            return Match { action: Action::Emit(TokenKind::Newline), take: 1, length: 1 };
        }
        let mut best: Option<Match> = None;
        let mut offer = |action, end: usize, extra: usize| {
            let take = end - self.at;
            if best.is_none_or(|b| take + extra > b.length) {
                best = Some(Match { action, take, length: take + extra });
            }
        };
        if self.at_line_start() {
            self.line_openers(&mut offer);
        }
        if let Some(header) = Header::at(rest, self.grammar) {
            offer(Action::Keyword(header), self.at + header.keyword().len(), 0);
        }
        match byte {
            b',' => offer(Action::Comma, self.at + 1, 0),
            b'%' => offer(Action::Emit(TokenKind::Percent), self.at + 1, 0),
            b':' | b'-' => offer(Action::Emit(TokenKind::Punctuation), self.at + 1, 0),
            _ => {}
        }
        if let Some(end) = self.number_end() {
            offer(Action::Emit(TokenKind::Number), end, 0);
        }
        if byte == b'(' {
            let end = self.skip(self.at + 1, |b| !matches!(b, b'\r' | b'\n' | b')'));
            if self.byte(end) == Some(b')') {
                offer(Action::Emit(TokenKind::Parenthesised), end + 1, 0);
            }
        }
        match byte {
            b' ' | b'\t' => offer(Action::Emit(TokenKind::Space), self.skip(self.at, is_blank), 0),
            b'\r' if self.byte(self.at + 1) == Some(b'\n') => {
                offer(Action::Emit(TokenKind::Newline), self.at + 2, 0);
            }
            b'\r' => offer(Action::Emit(TokenKind::Space), self.at + 1, 0),
            _ => offer(Action::Unexpected, self.at + 1, 0),
        }
        best.unwrap_or(Match { action: Action::Unexpected, take: 1, length: 1 })
    }

    /// F1 to F9.
    fn line_openers(&self, offer: &mut impl FnMut(Action, usize, usize)) {
        let after_blanks = self.skip(self.at, is_blank);
        match self.byte(after_blanks) {
            Some(b'#') => offer(Action::Emit(TokenKind::Comment), self.line_end, 0),
            Some(b':') => {
                offer(Action::Enter(TokenKind::Main, State::LuaLine), after_blanks + 1, 0);
            }
            _ => {}
        }
        if self.byte(self.at).is_some_and(|b| b == b'M' || b == b's') {
            let word = self.skip(self.at, |b| b == b's');
            if self.source[word..].starts_with(b"MAP") {
                // One with a colon is an error, and what follows is the drawing.
                let colon = usize::from(self.byte(word + 3) == Some(b':'));
                let end = self.skip(word + 3 + colon, is_white);
                if self.byte(end) == Some(b'\n') {
                    offer(Action::Enter(TokenKind::MapStart, State::Map), end, 1);
                }
            }
        }
        let openers: &[(&[u8], TokenKind)] = match self.byte(after_blanks) {
            Some(b'p') => &[(b"prelude", TokenKind::Prelude)],
            Some(b'l') => &[(b"lua", TokenKind::Main)],
            Some(b'{') => &[(b"", TokenKind::Main)],
            Some(b'v') => &[(b"validate", TokenKind::Validate), (b"veto", TokenKind::Veto)],
            Some(b'e') => &[(b"epilogue", TokenKind::Epilogue)],
            _ => &[],
        };
        for &(word, kind) in openers {
            if self.source[after_blanks..].starts_with(word) {
                let braces = self.skip(after_blanks + word.len(), is_blank);
                if self.source[braces..].starts_with(b"{{") {
                    offer(Action::Enter(kind, State::Block), braces + 2, 0);
                }
            }
        }
    }

    fn number_end(&self) -> Option<usize> {
        let digits = |at| self.skip(at, |b: u8| b.is_ascii_digit());
        let sign = usize::from(matches!(self.byte(self.at), Some(b'+' | b'-')));
        let start = self.at + sign;
        if self.byte(start) == Some(b'.') {
            let end = digits(start + 1);
            return (end > start + 1).then_some(end);
        }
        let end = digits(start);
        if end == start {
            return None;
        }
        Some(if self.byte(end) == Some(b'.') { digits(end + 1) } else { end })
    }

    /// A1 to A4.
    fn argument(&self) -> Option<Match> {
        let content = trim_white_end(&self.source[self.at..self.line_end]).len();
        let starts_white = is_white(self.source[self.at]);
        if content == 0 {
            let length = self.line_end - self.at + 1;
            return self.has_line_feed().then_some(Match {
                action: Action::EndArgument,
                take: self.line_end - self.at,
                length,
            });
        }
        if let Some(continued) = self.continuation(content) {
            return Some(continued);
        }
        (!starts_white).then_some(Match { action: Action::Part, take: content, length: content })
    }

    /// A1 and A2, L1 and L2: a backslash before the line end.
    fn continuation(&self, content: usize) -> Option<Match> {
        let backslash = self.at + content - 1;
        if self.source[backslash] != b'\\' || !self.has_line_feed() {
            return None;
        }
        let take = self.line_end + 1 - self.at;
        let only = self.source[self.at..backslash].iter().all(|&b| is_white(b));
        if only {
            let action = Action::Emit(TokenKind::Continuation);
            return Some(Match { action, take, length: take });
        }
        if is_white(self.source[self.at]) {
            return None;
        }
        Some(Match { action: Action::PartContinued(backslash), take, length: take })
    }

    fn list(&self) -> Match {
        if let Some(found) = self.list_item() {
            return found;
        }
        let byte = self.source[self.at];
        if byte == b',' {
            return Match { action: Action::Comma, take: 1, length: 1 };
        }
        let blanks = self.skip(self.at, is_blank);
        if let Some(end) = self.newline_at(blanks) {
            let action = Action::Enter(TokenKind::Newline, State::Free);
            return Match { action, take: end - self.at, length: end - self.at };
        }
        if blanks > self.at {
            let take = blanks - self.at;
            return Match { action: Action::Emit(TokenKind::Space), take, length: take };
        }
        Match { action: Action::Emit(TokenKind::Dropped), take: 1, length: 1 }
    }

    /// L1, L2 and L3.
    fn list_item(&self) -> Option<Match> {
        let rest = &self.source[self.at..self.line_end];
        let text_end = self.at + memchr2(b',', b'\r', rest).unwrap_or(rest.len());
        let at_line_end = self.source[text_end..self.line_end].iter().all(|&b| is_white(b));
        let starts_white = is_white(self.source[self.at]);
        if at_line_end {
            let content = trim_white_end(&self.source[self.at..self.line_end]).len();
            if content > 0
                && let Some(found) = self.continuation(content)
            {
                return Some(found);
            }
        }
        let content = trim_white_end(&self.source[self.at..text_end]).len();
        (content >= 2 && !starts_white).then_some(Match {
            action: Action::Item,
            take: content,
            length: content,
        })
    }

    fn monsters(&self) -> Option<Match> {
        let white = self.skip(self.at, is_white);
        if self.byte(white) == Some(b'\n') {
            let take = white + 1 - self.at;
            let action = Action::Enter(TokenKind::Newline, State::Free);
            return Some(Match { action, take, length: take });
        }
        if let Some(found) = self.list_item() {
            return Some(found);
        }
        if self.source[self.at] == b',' {
            return Some(Match { action: Action::Comma, take: 1, length: 1 });
        }
        let take = white - self.at;
        (take > 0).then_some(Match { action: Action::Emit(TokenKind::Space), take, length: take })
    }

    fn words(&self) -> Option<Match> {
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        let end = self.skip(self.at, word);
        if end > self.at {
            let take = end - self.at;
            return Some(Match { action: Action::Word, take, length: take });
        }
        let white = self.skip(self.at, is_white);
        if self.byte(white) == Some(b'\\') {
            let end = self.skip(white + 1, is_white);
            if self.byte(end) == Some(b'\n') {
                let take = end + 1 - self.at;
                let action = Action::Emit(TokenKind::Continuation);
                return Some(Match { action, take, length: take });
            }
        }
        let blanks = self.skip(self.at, is_blank);
        if let Some(end) = self.newline_at(blanks) {
            let take = end - self.at;
            let action = Action::Enter(TokenKind::Newline, State::Free);
            return Some(Match { action, take, length: take });
        }
        let take = blanks - self.at;
        (take > 0).then_some(Match { action: Action::Emit(TokenKind::Space), take, length: take })
    }

    /// P1 to P5.
    fn map(&self) -> Match {
        let simple = |kind, end: usize| {
            let take = end - self.at;
            Match { action: Action::Emit(kind), take, length: take }
        };
        let spaces = self.skip(self.at, |b| b == b' ');
        let newline = match (self.byte(spaces), self.byte(spaces + 1)) {
            (Some(b'\n'), _) => Some(spaces + 1),
            (Some(b'\r'), Some(b'\n')) => Some(spaces + 2),
            _ => None,
        };
        if !self.at_line_start() {
            if let Some(end) = newline {
                return simple(TokenKind::Newline, end);
            }
            let byte = self.source[self.at];
            let after = self.byte(self.at + 1);
            let text_follows = byte == b' ' && !matches!(after, None | Some(b' ' | b'\r' | b'\n'));
            if byte == b'#' || text_follows {
                return Match { action: Action::Unexpected, take: 1, length: 1 };
            }
            return simple(TokenKind::Dropped, self.at + 1);
        }
        if newline.is_some() {
            return Match { action: Action::Unexpected, take: 1, length: 1 };
        }
        let rest = &self.source[self.at..self.line_end];
        let row_end = self.at + memchr2(b'\r', b'\t', rest).unwrap_or(rest.len());
        let word = self.skip(self.at, |b| b == b's');
        if self.source[word..].starts_with(b"ENDMAP") {
            let end = self.skip(word + 6, |b| b == b' ');
            if end >= row_end {
                let take = end - self.at;
                let action = Action::Enter(TokenKind::MapEnd, State::Free);
                return Match { action, take, length: take };
            }
        }
        if row_end == self.at {
            return simple(TokenKind::Dropped, self.at + 1);
        }
        simple(TokenKind::Row, row_end)
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
