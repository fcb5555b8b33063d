//! The rules of each state of the scanner: what matches at a byte. Their names (F1, A3, …) are
//! those of the spec.

use memchr::memchr2;

use super::{Action, Match, Scanner, State, is_blank, is_white, trim_white_end};
use crate::{Header, TokenKind};

impl Scanner<'_> {
    pub(super) fn free(&self) -> Match {
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
    pub(super) fn argument(&self) -> Option<Match> {
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

    pub(super) fn list(&self) -> Match {
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

    pub(super) fn monsters(&self) -> Option<Match> {
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

    pub(super) fn words(&self) -> Option<Match> {
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
    pub(super) fn map(&self) -> Match {
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
}
