//! Which blocks an interpreter was given, so that those that it gives back next are at hand.
//!
//! The collector goes through a chain of objects, the youngest first, and waits for each as it
//! comes from memory, which takes longer than all that it does with it. That order is the order in
//! which they were given out, backwards; so when one comes back, those given out shortly before it
//! are fetched.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::kept_blocks::fetch;

/// How many blocks are remembered.
const MOST: usize = 1 << 16;

/// How many blocks before one that comes back memory is told of.
const AHEAD: usize = 4;

/// So many objects between two that come back may be in use still, without a search.
const NEAR: usize = 8;

/// Blocks of a size, in the order in which they were given out.
pub(crate) struct GivenBlocks {
    list: Vec<NonNull<c_void>>,
    /// Where the one lies that came back last.
    at: usize,
    /// How many have come back since then that were not found.
    unknown: u32,
}

impl GivenBlocks {
    pub(crate) const NONE: GivenBlocks = GivenBlocks { list: Vec::new(), at: 0, unknown: 0 };

    /// Notes that a block is given out.
    #[inline]
    pub(crate) fn note(&mut self, block: NonNull<c_void>) {
        if self.list.len() == MOST {
            self.list.drain(..MOST / 2);
            self.at = self.at.saturating_sub(MOST / 2);
        }
        self.list.push(block);
    }

    /// Has those fetched that probably come back after this one.
    #[inline]
    pub(crate) fn comes_back(&mut self, block: NonNull<c_void>) {
        let Some(at) = self.find(block) else { return };
        if let Some(next) = at.checked_sub(AHEAD).and_then(|at| self.list.get(at)) {
            fetch(*next);
        }
        self.at = at;
        if at + NEAR >= self.list.len() {
            self.list.truncate(at);
        }
    }

    /// Returns where a block lies.
    #[inline]
    fn find(&mut self, block: NonNull<c_void>) -> Option<usize> {
        let near = |end: usize| {
            let start = end.saturating_sub(NEAR);
            let found = self.list.get(start..end)?.iter().rposition(|&other| other == block)?;
            Some(start + found)
        };
        let found = near(self.at.min(self.list.len())).or_else(|| near(self.list.len()));
        if found.is_some() {
            self.unknown = 0;
            return found;
        }
        // Many may be in use between two that come back; but most that are not near are not listed
        // at all, so the whole list is searched more and more rarely.
        self.unknown += 1;
        if !self.unknown.is_power_of_two() {
            return None;
        }
        let found = self.list.iter().rposition(|&other| other == block);
        if found.is_some() {
            self.unknown = 0;
        }
        found
    }
}
