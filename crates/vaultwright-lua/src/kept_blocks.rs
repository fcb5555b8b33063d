//! Blocks that an interpreter has given back and soon asks for again.
//!
//! What collecting the garbage gives back in one go is asked for again piece by piece. An allocator
//! finds the next free block in the block before, so each is waited for as it comes from memory.
//! These are listed apart from what is in them, and are on their way before they are asked for.
//!
//! They are given out in the order of their addresses, as far as they came back together: what is
//! made one after the other is looked at one after the other, too, by scripts and by the collector,
//! and a processor knows what comes next only where that lies side by side. (In the order in which
//! they came back, blocks are scattered more with every collection.)

use std::ffi::c_void;
use std::ptr::NonNull;

/// Blocks of more bytes are not kept, only a few of which are asked for: the nodes of a table of
/// more than 32 names.
const MAX_BLOCK: usize = 1280;

/// How many bytes are kept, all blocks together.
const MAX_BYTES: usize = 32 << 20;

/// How many blocks ahead of those that are asked for memory is told of.
const AHEAD: usize = 3;

/// Fewer blocks than this are not worth putting in order.
const MANY: usize = 512;

/// Blocks by their size.
pub(crate) struct KeptBlocks {
    of_size: [Blocks; MAX_BLOCK + 1],
    bytes: usize,
}

/// Blocks of one size.
struct Blocks {
    list: Vec<NonNull<c_void>>,
    /// How many of the last ones may be in no order.
    unsorted: usize,
}

impl Blocks {
    const NONE: Blocks = Blocks { list: Vec::new(), unsorted: 0 };

    #[inline]
    fn push(&mut self, block: NonNull<c_void>) {
        self.list.push(block);
        self.unsorted += 1;
    }

    /// Puts the last ones in order, unless they are.
    #[cold]
    #[inline(never)]
    fn sort(&mut self) {
        let first = self.list.len() - self.unsorted;
        let scattered = &mut self.list[first..];
        // What was in order when it was given out mostly comes back so.
        let back = scattered.windows(2).filter(|pair| pair[0] > pair[1]).count();
        if back > scattered.len() / 4 {
            scattered.sort_unstable();
        }
        self.unsorted = 0;
    }

    #[inline]
    fn pop(&mut self) -> Option<NonNull<c_void>> {
        if self.unsorted > MANY {
            self.sort();
        }
        let block = self.list.pop()?;
        self.unsorted = self.unsorted.saturating_sub(1);
        if let Some(next) = self.list.len().checked_sub(AHEAD).and_then(|at| self.list.get(at)) {
            prefetch(*next);
        }
        Some(block)
    }
}

impl KeptBlocks {
    /// Returns that nothing is kept.
    pub(crate) fn new() -> KeptBlocks {
        KeptBlocks { of_size: [Blocks::NONE; MAX_BLOCK + 1], bytes: 0 }
    }

    /// Returns a block of so many bytes, if one is kept.
    #[inline]
    pub(crate) fn take(&mut self, size: usize) -> Option<NonNull<c_void>> {
        let block = self.of_size(size)?.pop()?;
        self.bytes -= size;
        Some(block)
    }

    /// Keeps a block of so many bytes, or returns that it is none to keep.
    #[inline]
    pub(crate) fn keep(&mut self, block: NonNull<c_void>, size: usize) -> bool {
        if self.bytes + size > MAX_BYTES {
            return false;
        }
        let Some(blocks) = self.of_size(size) else { return false };
        blocks.push(block);
        self.bytes += size;
        true
    }

    /// Gives all of them with their sizes to a function.
    pub(crate) fn give_back(&mut self, mut to: impl FnMut(NonNull<c_void>, usize)) {
        for (size, blocks) in self.of_size.iter_mut().enumerate() {
            for block in std::mem::replace(blocks, Blocks::NONE).list {
                to(block, size);
            }
        }
        self.bytes = 0;
    }

    #[inline]
    fn of_size(&mut self, size: usize) -> Option<&mut Blocks> {
        self.of_size.get_mut(size)
    }
}

/// Tells the processor that a block is written to soon.
#[inline]
fn prefetch(block: NonNull<c_void>) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: fetching ahead does nothing that a program can tell.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(block.as_ptr().cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = block;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(address: usize) -> NonNull<c_void> {
        NonNull::new(address as *mut c_void).unwrap()
    }

    #[test]
    fn a_block_is_had_again_for_its_own_size_alone() {
        let mut kept = KeptBlocks::new();
        for at in 1..=9 {
            assert!(kept.keep(block(at), 40));
        }
        assert!(kept.keep(block(10), MAX_BLOCK));
        assert_eq!((kept.take(41), kept.take(48)), (None, None));
        assert_eq!(kept.take(MAX_BLOCK), Some(block(10)));
        let taken: Vec<_> = std::iter::from_fn(|| kept.take(40)).collect();
        assert_eq!(taken, (1..=9).rev().map(block).collect::<Vec<_>>());
        assert_eq!(kept.bytes, 0);
    }

    #[test]
    fn many_blocks_that_came_back_together_are_given_out_in_the_order_of_their_addresses() {
        let mut kept = KeptBlocks::new();
        let scattered = |at: usize| (at * 7919) % (4 * MANY) + 1;
        (0..2 * MANY).for_each(|at| assert!(kept.keep(block(scattered(at)), 64)));
        let mut first: Vec<usize> = (0..2 * MANY).map(scattered).collect();
        first.sort_unstable();
        assert_eq!(kept.take(64).map(NonNull::addr).map(usize::from), first.pop());
        // These come before those that are in order already.
        (2 * MANY..4 * MANY).for_each(|at| assert!(kept.keep(block(scattered(at)), 64)));
        let mut then: Vec<usize> = (2 * MANY..4 * MANY).map(scattered).collect();
        then.sort_unstable();
        let given = std::iter::from_fn(|| kept.take(64)).map(|block| block.addr().get());
        let expected: Vec<usize> = then.into_iter().rev().chain(first.into_iter().rev()).collect();
        assert_eq!(given.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn large_blocks_and_what_is_too_much_are_not_kept() {
        let mut kept = KeptBlocks::new();
        assert!(!kept.keep(block(1), MAX_BLOCK + 1));
        assert_eq!(kept.take(MAX_BLOCK + 1), None);
        let most = MAX_BYTES / MAX_BLOCK;
        for at in 1..=most {
            assert!(kept.keep(block(at), MAX_BLOCK));
        }
        assert!(!kept.keep(block(1), MAX_BLOCK));
        let mut given_back = 0;
        kept.give_back(|_, size| given_back += size);
        assert_eq!(given_back, most * MAX_BLOCK);
        assert!(kept.keep(block(1), 1));
    }
}
