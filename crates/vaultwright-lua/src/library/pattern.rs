//! Lua's patterns: the results of PUC Lua 5.1, byte for byte, without its recursion.
//!
//! Where the matcher of PUC Lua calls itself to try what is left of the pattern, this one notes how
//! to go on if that fails, on a stack of its own. No pattern item is passed twice on one way
//! through the pattern, so the stack is never higher than the pattern is long; every step is
//! counted.

use crate::meter::Spent;
use std::ffi::CStr;

/// How many captures a pattern may have.
const MAX_CAPTURES: usize = 32;
/// How many ways back may be open at once.
const MAX_STEPS: usize = 200_000;
const ESCAPE: u8 = b'%';

/// Why a match cannot be tried to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    TooManyCaptures,
    CaptureIndex,
    PatternCapture,
    EndsWithEscape,
    MissingBracket,
    Unbalanced,
    MissingSetOfFrontier,
    UnfinishedCapture,
    TooComplex,
    /// The budget is used up.
    Spent,
}

impl Fault {
    /// The message of PUC Lua.
    pub(crate) fn message(self) -> &'static CStr {
        match self {
            Fault::TooManyCaptures => c"too many captures",
            Fault::CaptureIndex => c"invalid capture index",
            Fault::PatternCapture => c"invalid pattern capture",
            Fault::EndsWithEscape => c"malformed pattern (ends with '%')",
            Fault::MissingBracket => c"malformed pattern (missing ']')",
            Fault::Unbalanced => c"unbalanced pattern",
            Fault::MissingSetOfFrontier => c"missing '[' after '%f' in pattern",
            Fault::UnfinishedCapture => c"unfinished capture",
            Fault::TooComplex => c"pattern too complex",
            Fault::Spent => Spent::Instructions.c_message(),
        }
    }
}

/// What a capture holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// From a byte to before another.
    Text(usize, usize),
    /// The number of a byte, from 0.
    Position(usize),
}

#[derive(Clone, Copy)]
enum Extent {
    Open,
    Position,
    Length(usize),
}

/// The captures of a match.
#[derive(Clone, Copy)]
pub(crate) struct Captures {
    count: usize,
    held: [(usize, Extent); MAX_CAPTURES],
}

impl Default for Captures {
    fn default() -> Captures {
        Captures { count: 0, held: [(0, Extent::Open); MAX_CAPTURES] }
    }
}

impl Captures {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The capture of a number, from 0; the first of none is the whole match.
    pub(crate) fn get(&self, number: usize, whole: (usize, usize)) -> Result<Capture, Fault> {
        if number >= self.count {
            return match number {
                0 => Ok(Capture::Text(whole.0, whole.1)),
                _ => Err(Fault::CaptureIndex),
            };
        }
        match self.held[number] {
            (_, Extent::Open) => Err(Fault::UnfinishedCapture),
            (at, Extent::Position) => Ok(Capture::Position(at)),
            (at, Extent::Length(length)) => Ok(Capture::Text(at, at + length)),
        }
    }
}

/// How to go on when what was tried last has failed.
#[derive(Clone, Copy)]
enum Step {
    /// Undo the newest capture.
    Opened,
    /// Open this capture again.
    Closed(usize),
    /// Go on here, at a byte of the text and one of the pattern.
    Retry(usize, usize),
    /// Try one fewer of the repetitions that begin at a byte; the pattern goes on at another.
    Fewer { from: usize, count: usize, next: usize },
    /// Try one more of the item at a byte of the pattern, which ends at another.
    More { from: usize, item: usize, end: usize },
}

/// What a matcher writes on; it may be used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    captures: Captures,
    steps: Vec<Step>,
}

/// Where matches of a pattern may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Where the search begins: the pattern begins with `^`.
    Start,
    /// Anywhere behind that.
    None,
}

impl Anchor {
    /// Takes the anchor off a pattern.
    pub(crate) fn split(pattern: &[u8]) -> (Anchor, &[u8]) {
        match pattern {
            [b'^', pattern @ ..] => (Anchor::Start, pattern),
            _ => (Anchor::None, pattern),
        }
    }
}

/// A pattern and a text to match.
pub(crate) struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    captures: &'a mut Captures,
    steps: &'a mut Vec<Step>,
    left: &'a mut u64,
}

impl<'a> Matcher<'a> {
    /// A matcher that counts down `left`.
    pub(crate) fn new(
        text: &'a [u8],
        pattern: &'a [u8],
        scratch: &'a mut Scratch,
        left: &'a mut u64,
    ) -> Matcher<'a> {
        let Scratch { captures, steps } = scratch;
        Matcher { text, pattern, captures, steps, left }
    }

    /// The captures of the last match.
    pub(crate) fn captures(&self) -> &Captures {
        self.captures
    }

    /// How long the text is.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// The first match that begins at or after a byte, or only there if it is anchored; where it
    /// begins and ends.
    pub(crate) fn search(
        &mut self,
        from: usize,
        anchor: Anchor,
    ) -> Result<Option<(usize, usize)>, Fault> {
        let last = match anchor {
            Anchor::Start => from,
            Anchor::None => self.text.len(),
        };
        for start in from..=last {
            if let Some(end) = self.match_at(start)? {
                return Ok(Some((start, end)));
            }
        }
        Ok(None)
    }

    /// Where a match that begins at a byte ends.
    pub(crate) fn match_at(&mut self, start: usize) -> Result<Option<usize>, Fault> {
        self.steps.clear();
        self.captures.count = 0;
        let mut at = Some((start, 0));
        while let Some((text, pattern)) = at {
            if let Some(end) = self.advance(text, pattern)? {
                return Ok(Some(end));
            }
            at = self.way_back()?;
        }
        Ok(None)
    }

    /// Follows the pattern as far as it matches: to its end, where the match ends, or to a failure.
    fn advance(&mut self, mut s: usize, mut p: usize) -> Result<Option<usize>, Fault> {
        loop {
            self.spend(1)?;
            match self.pattern_byte(p) {
                0 => return Ok(Some(s)),
                b'(' => {
                    let position = self.pattern_byte(p + 1) == b')';
                    let extent = if position { Extent::Position } else { Extent::Open };
                    self.open_capture(s, extent)?;
                    p += if position { 2 } else { 1 };
                    continue;
                }
                b')' => {
                    self.close_capture(s)?;
                    p += 1;
                    continue;
                }
                b'$' if self.pattern_byte(p + 1) == 0 => {
                    return Ok((s == self.text.len()).then_some(s));
                }
                ESCAPE => match self.pattern_byte(p + 1) {
                    b'b' => {
                        let Some(end) = self.balanced(s, p + 2)? else { return Ok(None) };
                        (s, p) = (end, p + 4);
                        continue;
                    }
                    b'f' => {
                        let Some(end) = self.frontier(s, p + 2)? else { return Ok(None) };
                        p = end;
                        continue;
                    }
                    digit @ b'0'..=b'9' => {
                        let Some(end) = self.same_as_capture(s, digit)? else { return Ok(None) };
                        (s, p) = (end, p + 2);
                        continue;
                    }
                    _ => {}
                },
                _ => {}
            }
            let end = self.item_end(p)?;
            let item = self.item(p, end);
            let matches = self.text.get(s).is_some_and(|&byte| item.matches(byte));
            match self.pattern_byte(end) {
                b'?' => {
                    if matches {
                        self.note(Step::Retry(s, end + 1))?;
                        s += 1;
                    }
                    p = end + 1;
                }
                repeat @ (b'*' | b'+') => {
                    if repeat == b'+' {
                        if !matches {
                            return Ok(None);
                        }
                        s += 1;
                    }
                    let rest = &self.text[s..];
                    let count = rest.iter().take_while(|&&byte| item.matches(byte)).count();
                    self.spend(count as u64 / 4)?;
                    if count > 0 {
                        self.note(Step::Fewer { from: s, count, next: end + 1 })?;
                    }
                    (s, p) = (s + count, end + 1);
                }
                b'-' => {
                    self.note(Step::More { from: s, item: p, end })?;
                    p = end + 1;
                }
                _ if !matches => return Ok(None),
                _ => (s, p) = (s + 1, end),
            }
        }
    }

    /// Takes the newest way back that leads on: to a byte of the text and one of the pattern.
    fn way_back(&mut self) -> Result<Option<(usize, usize)>, Fault> {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Opened => self.captures.count -= 1,
                Step::Closed(number) => self.captures.held[number].1 = Extent::Open,
                Step::Retry(s, p) => return Ok(Some((s, p))),
                Step::Fewer { from, count, next } => {
                    let count = count - 1;
                    if count > 0 {
                        self.note(Step::Fewer { from, count, next })?;
                    }
                    return Ok(Some((from + count, next)));
                }
                Step::More { from, item, end } => {
                    let found = self.text.get(from);
                    if found.is_some_and(|&byte| self.item(item, end).matches(byte)) {
                        self.note(Step::More { from: from + 1, item, end })?;
                        return Ok(Some((from + 1, end + 1)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn note(&mut self, step: Step) -> Result<(), Fault> {
        if self.steps.len() >= MAX_STEPS {
            return Err(Fault::TooComplex);
        }
        self.steps.push(step);
        Ok(())
    }

    fn spend(&mut self, work: u64) -> Result<(), Fault> {
        *self.left = self.left.checked_sub(work).ok_or(Fault::Spent)?;
        Ok(())
    }

    /// A byte of the pattern; 0 ends it, and stands behind it.
    fn pattern_byte(&self, at: usize) -> u8 {
        self.pattern.get(at).copied().unwrap_or(0)
    }

    /// Where the pattern goes on behind the single item at a byte.
    fn item_end(&self, at: usize) -> Result<usize, Fault> {
        match self.pattern_byte(at) {
            ESCAPE if self.pattern_byte(at + 1) == 0 => Err(Fault::EndsWithEscape),
            ESCAPE => Ok(at + 2),
            b'[' => {
                let mut at = at + 1;
                if self.pattern_byte(at) == b'^' {
                    at += 1;
                }
                // The first byte of a set is never its end.
                loop {
                    match self.pattern_byte(at) {
                        0 => return Err(Fault::MissingBracket),
                        ESCAPE if self.pattern_byte(at + 1) != 0 => at += 2,
                        _ => at += 1,
                    }
                    if self.pattern_byte(at) == b']' {
                        return Ok(at + 1);
                    }
                }
            }
            _ => Ok(at + 1),
        }
    }

    fn item(&self, at: usize, end: usize) -> Item<'a> {
        match self.pattern_byte(at) {
            b'.' => Item::Any,
            ESCAPE => Item::Class(self.pattern_byte(at + 1)),
            b'[' => Item::set(&self.pattern[at + 1..end - 1]),
            byte => Item::Byte(byte),
        }
    }

    fn open_capture(&mut self, s: usize, extent: Extent) -> Result<(), Fault> {
        let number = self.captures.count;
        if number >= MAX_CAPTURES {
            return Err(Fault::TooManyCaptures);
        }
        self.captures.held[number] = (s, extent);
        self.captures.count = number + 1;
        self.note(Step::Opened)
    }

    fn close_capture(&mut self, s: usize) -> Result<(), Fault> {
        let open = &self.captures.held[..self.captures.count];
        let newest = open.iter().rposition(|(_, extent)| matches!(extent, Extent::Open));
        let number = newest.ok_or(Fault::PatternCapture)?;
        let (at, extent) = &mut self.captures.held[number];
        *extent = Extent::Length(s - *at);
        self.note(Step::Closed(number))
    }

    /// `%b()`: behind the bracket that closes the one at `s`.
    fn balanced(&mut self, s: usize, p: usize) -> Result<Option<usize>, Fault> {
        let (open, close) = (self.pattern_byte(p), self.pattern_byte(p + 1));
        if open == 0 || close == 0 {
            return Err(Fault::Unbalanced);
        }
        if self.text.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1_usize;
        for (at, &byte) in self.text.iter().enumerate().skip(s + 1) {
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    self.spend((at - s) as u64 / 4)?;
                    return Ok(Some(at + 1));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        self.spend((self.text.len() - s) as u64 / 4)?;
        Ok(None)
    }

    /// `%f[set]`: behind the set, if `s` is where its bytes begin.
    fn frontier(&self, s: usize, p: usize) -> Result<Option<usize>, Fault> {
        if self.pattern_byte(p) != b'[' {
            return Err(Fault::MissingSetOfFrontier);
        }
        let end = self.item_end(p)?;
        let set = self.item(p, end);
        let before = if s == 0 { 0 } else { self.text[s - 1] };
        let here = self.text.get(s).copied().unwrap_or(0);
        Ok((!set.matches(before) && set.matches(here)).then_some(end))
    }

    /// `%1`: behind a repetition of what a capture holds.
    fn same_as_capture(&mut self, s: usize, digit: u8) -> Result<Option<usize>, Fault> {
        let number = usize::from(digit).wrapping_sub(usize::from(b'1'));
        if number >= self.captures.count {
            return Err(Fault::CaptureIndex);
        }
        match self.captures.held[number] {
            (_, Extent::Open) => Err(Fault::CaptureIndex),
            (_, Extent::Position) => Ok(None),
            (at, Extent::Length(length)) => {
                self.spend(length as u64 / 16)?;
                let same = self.text[s..].starts_with(&self.text[at..at + length]);
                Ok(same.then_some(s + length))
            }
        }
    }
}

/// What one byte is compared with.
#[derive(Clone, Copy)]
enum Item<'a> {
    Any,
    Byte(u8),
    Class(u8),
    Set { members: &'a [u8], not: bool },
}

impl<'a> Item<'a> {
    /// What stands between `[` and `]`.
    fn set(inside: &'a [u8]) -> Item<'a> {
        match inside {
            [b'^', members @ ..] => Item::Set { members, not: true },
            members => Item::Set { members, not: false },
        }
    }

    fn matches(self, byte: u8) -> bool {
        match self {
            Item::Any => true,
            Item::Byte(wanted) => byte == wanted,
            Item::Class(class) => in_class(byte, class),
            Item::Set { members, not } => in_set(byte, members) != not,
        }
    }
}

fn in_set(byte: u8, mut members: &[u8]) -> bool {
    loop {
        members = match members {
            [] => return false,
            [ESCAPE, class, rest @ ..] => {
                if in_class(byte, *class) {
                    return true;
                }
                rest
            }
            [low, b'-', high, rest @ ..] => {
                if (*low..=*high).contains(&byte) {
                    return true;
                }
                rest
            }
            [member, rest @ ..] => {
                if byte == *member {
                    return true;
                }
                rest
            }
        }
    }
}

fn in_class(byte: u8, class: u8) -> bool {
    let inside = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => matches!(byte, b'\t'..=b'\r' | b' '),
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        b'z' => byte == 0,
        _ => return byte == class,
    };
    inside == class.is_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &[u8], pattern: &[u8], left: u64) -> Result<Option<(usize, usize)>, Fault> {
        let (mut scratch, mut left) = (Scratch::default(), left);
        Matcher::new(text, pattern, &mut scratch, &mut left).search(0, Anchor::None)
    }

    #[test]
    fn long_patterns_need_no_stack_and_long_searches_end() {
        let text = [b'a'; 100_000];
        let optional = [b"a?".repeat(100_000), b"b".to_vec()].concat();
        assert_eq!(search(&text, &optional, 1_000_000), Err(Fault::Spent));
        let optional = b"a?".repeat(100_000);
        assert_eq!(search(&text, &optional, 1_000_000), Ok(Some((0, 100_000))));
        let optional = b"a?".repeat(300_000);
        assert_eq!(search(&[b'a'; 300_000], &optional, 1_000_000), Err(Fault::TooComplex));
        let lazy = [b".-".repeat(12), b"b".to_vec()].concat();
        assert_eq!(search(&[b'a'; 3000], &lazy, 1_000_000), Err(Fault::Spent));
    }
}
