//! Lua blocks, and detecting where one lost its end.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::{Action, Match, Scanner, State, trim_white_end};
use crate::TokenKind;

impl Scanner<'_> {
    /// Returns the braces of the block that the scanner is in.
    pub(crate) fn open_block(&self) -> Option<Range<usize>> {
        (self.state == State::Block).then(|| self.block.opener.clone())
    }

    pub(super) fn step_in_block(&mut self) {
        let line = self.at..self.line_end;
        if self.at_line_start() && self.block.is_lost(self.source, line) {
            self.lost_blocks.push(self.block.opener.clone());
            self.state = State::Free;
            return;
        }
        let found = self.block();
        if matches!(found.action, Action::Emit(TokenKind::LuaLine)) {
            self.block.read(&self.source[self.at..self.at + found.take]);
        }
        self.apply(found);
    }

    /// B1 to B4.
    fn block(&self) -> Match {
        let emit = |kind, end: usize| {
            let take = end - self.at;
            Match { action: Action::Emit(kind), take, length: take }
        };
        match (self.source[self.at], self.byte(self.at + 1)) {
            (b'\n', _) => return emit(TokenKind::Newline, self.at + 1),
            (b'\r', Some(b'\n')) => return emit(TokenKind::Newline, self.at + 2),
            (b'\r', _) => return emit(TokenKind::Dropped, self.at + 1),
            _ => {}
        }
        let content = trim_white_end(&self.source[self.at..self.line_end]);
        if self.has_line_feed() && content.ends_with(b"}}") {
            let braces = self.at + content.len() - 2;
            let stray = self.skip(self.at, |b| b == b's');
            if stray == braces {
                let take = self.line_end - self.at;
                let action = Action::Enter(TokenKind::BlockEnd, State::Free);
                return Match { action, take, length: take };
            }
            if !self.source[self.at..braces].contains(&b'\r') {
                return emit(TokenKind::LuaLine, braces);
            }
        }
        let rest = &self.source[self.at..self.line_end];
        emit(TokenKind::LuaLine, self.at + memchr(b'\r', rest).unwrap_or(rest.len()))
    }
}

/// Long brackets of a higher level count as never closing.
const LEVELS: usize = 8;

/// What is known about the current block.
pub(super) struct OpenBlock {
    /// Its braces, including the text before them.
    pub(super) opener: Range<usize>,
    /// The level of the long bracket (a string or a comment) left open by the last line.
    bracket: Option<usize>,
    /// Where blocks end and brackets of each level close, from the last requested byte on.
    end: Option<usize>,
    closes: [Option<usize>; LEVELS],
}

impl OpenBlock {
    pub(super) fn new() -> OpenBlock {
        OpenBlock { opener: 0..0, bracket: None, end: None, closes: [None; LEVELS] }
    }

    /// Starts a block.
    pub(super) fn begin(&mut self, opener: Range<usize>) {
        self.opener = opener;
        self.bracket = None;
    }

    /// Continues after a line, or a part of one.
    pub(super) fn read(&mut self, line: &[u8]) {
        self.bracket = bracket_behind(line, self.bracket);
    }

    /// Returns whether a line is the first of another map, because the block has lost its end: Lua
    /// never looks like this, except in a string or a comment of several lines.
    pub(super) fn is_lost(&mut self, source: &[u8], line: Range<usize>) -> bool {
        names_a_map(&source[line.clone()]) && !self.is_in_bracket(source, line.start)
    }

    /// Returns whether a byte is inside a long bracket that closes before the block does.
    fn is_in_bracket(&mut self, source: &[u8], at: usize) -> bool {
        let Some(level) = self.bracket else { return false };
        let Some(known) = self.closes.get_mut(level) else { return true };
        // Repeated queries search the source only once in total.
        let close = match *known {
            Some(close) if close >= at => close,
            _ => memmem::find(&source[at..], &closing(level)).map_or(usize::MAX, |end| at + end),
        };
        *known = Some(close);
        let end = match self.end {
            Some(end) if end >= at => end,
            _ => end_of_block(source, at),
        };
        self.end = Some(end);
        close < end
    }
}

/// Returns whether a line is `NAME:` with one word.
fn names_a_map(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"NAME:").map(<[u8]>::trim_ascii).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.iter().all(is_part)
}

/// Returns the position of the first braces that close a block; a number beyond all bytes if there
/// are none.
fn end_of_block(source: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(braces) = memmem::find(&source[at..], b"}}").map(|found| at + found) {
        let behind = &source[braces + 2..];
        let white = behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if behind.get(white) == Some(&b'\n') {
            return braces;
        }
        at = braces + 1;
    }
    usize::MAX
}

fn closing(level: usize) -> Vec<u8> {
    [b"]".to_vec(), vec![b'='; level], b"]".to_vec()].concat()
}

/// Returns the level of the long bracket that is open after a line.
fn bracket_behind(line: &[u8], open: Option<usize>) -> Option<usize> {
    if open.is_none() && memchr(b'[', line).is_none() {
        return None;
    }
    let mut open = open;
    let mut at = 0;
    while at < line.len() {
        if let Some(level) = open {
            let close = (level < LEVELS).then(|| memmem::find(&line[at..], &closing(level)));
            let Some(close) = close.flatten() else { return open };
            at += close + level + 2;
            open = None;
            continue;
        }
        match line[at] {
            quote @ (b'"' | b'\'') => at = behind_quoted(line, at + 1, quote),
            b'-' if line.get(at + 1) == Some(&b'-') => {
                // Any other comment takes the rest of the line.
                (open, at) = opening(line, at + 2)?;
            }
            b'[' => match opening(line, at) {
                Some(opened) => (open, at) = opened,
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    open
}

/// Returns the level of the long bracket that opens at a byte, and the position after it.
fn opening(line: &[u8], at: usize) -> Option<(Option<usize>, usize)> {
    let level = line.get(at + 1..)?.iter().take_while(|&&byte| byte == b'=').count();
    let behind = at + 1 + level;
    let is_one = line[at] == b'[' && line.get(behind) == Some(&b'[');
    is_one.then_some((Some(level), behind + 1))
}

/// Returns the position after a quoted string, or the end of the line.
fn behind_quoted(line: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while let Some(&byte) = line.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_brackets_are_followed() {
        for (line, before, behind) in [
            ("x = [[", None, Some(0)),
            ("x = [==[ ]] ]=]", None, Some(2)),
            (" ]==] y", Some(2), None),
            ("--[[ a ]] b [=[", None, Some(1)),
            ("-- [[ a", None, None),
            ("--[[", None, Some(0)),
            ("x = \"[[\" .. '\\'[[' y[z[1]]", None, None),
            ("[=x[", None, None),
            ("]]", None, None),
            ("[", None, None),
            ("--", None, None),
            ("'", None, None),
            ("x \\", None, None),
        ] {
            assert_eq!(bracket_behind(line.as_bytes(), before), behind, "{line}");
        }
    }
}
