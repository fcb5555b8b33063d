//! The tokens that the grammar sees, only as far ahead as it looks: all of a file's tokens at once
//! would take several times as much memory.

use std::collections::VecDeque;
use std::ops::Range;

use crate::scanner::Scanner;
use crate::{Grammar, Token, TokenKind};

/// The number of tokens that the grammar looks ahead.
const AHEAD: usize = 2;

pub(super) struct Lookahead<'s> {
    scanner: Scanner<'s>,
    ahead: VecDeque<Token>,
    /// Kinds and lines of the last two tokens taken.
    taken: [Option<(TokenKind, u32)>; 2],
    /// What the reference drops, up to the last token seen: the first of each run.
    pub(super) dropped: Vec<Range<usize>>,
    drops: bool,
    /// The starts of drawings that have a colon.
    pub(super) with_colon: Vec<Range<usize>>,
    /// The start of a drawing that has no end.
    pub(super) open_drawing: Option<Range<usize>>,
}

impl<'s> Lookahead<'s> {
    /// Returns the tokens from a byte on this line.
    pub(super) fn new(source: &'s [u8], at: usize, line: u32, grammar: Grammar) -> Lookahead<'s> {
        let mut tokens = Lookahead {
            scanner: Scanner::for_grammar(source, at, line, grammar),
            ahead: VecDeque::with_capacity(AHEAD + 1),
            taken: [None; 2],
            dropped: Vec::new(),
            drops: false,
            with_colon: Vec::new(),
            open_drawing: None,
        };
        tokens.look_ahead();
        tokens
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.ahead.pop_front()?;
        self.taken = [Some((token.kind, token.line)), self.taken[0]];
        self.look_ahead();
        Some(token)
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.ahead.front()
    }

    pub(super) fn peek_second(&self) -> Option<&Token> {
        self.ahead.get(1)
    }

    /// Returns the kind and line of the last token taken.
    pub(super) fn last(&self) -> Option<(TokenKind, u32)> {
        self.taken[0]
    }

    /// Returns the kind and line of the token taken before the last one.
    pub(super) fn before_last(&self) -> Option<(TokenKind, u32)> {
        self.taken[1]
    }

    /// Returns the Lua blocks in which another map begins.
    pub(super) fn lost_blocks(&mut self) -> Vec<Range<usize>> {
        std::mem::take(&mut self.scanner.lost_blocks)
    }

    /// Returns the braces of the Lua block that has no end.
    pub(super) fn open_block(&self) -> Option<Range<usize>> {
        self.scanner.open_block()
    }

    fn look_ahead(&mut self) {
        while self.ahead.len() < AHEAD && !self.scanner.is_at_end() {
            self.scanner.step();
            match self.scanner.tokens.pop() {
                // There is mostly only one.
                Some(token) if self.scanner.tokens.is_empty() => self.see(token),
                Some(last) => {
                    let tokens = std::mem::take(&mut self.scanner.tokens);
                    tokens.into_iter().chain([last]).for_each(|token| self.see(token));
                }
                // Something the grammar does not use.
                None => self.drops = false,
            }
        }
    }

    fn see(&mut self, token: Token) {
        let dropped_before = std::mem::replace(&mut self.drops, false);
        match token.kind {
            TokenKind::Dropped => {
                self.drops = true;
                if !dropped_before {
                    self.dropped.push(token.span());
                }
            }
            TokenKind::MapStart => {
                self.with_colon.extend(self.scanner.colon_in(token.span()));
                self.open_drawing = Some(token.span());
            }
            TokenKind::MapEnd => self.open_drawing = None,
            _ => {}
        }
        if !token.kind.is_trivia() {
            self.ahead.push_back(token);
        }
    }
}
