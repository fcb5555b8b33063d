//! Mimalloc as the allocator of the program.
//!
//! Scripts ask for many small pieces of memory and give them back: a sixth of the time of `check`
//! with the system's allocator. The functions of mimalloc for what has no alignment of its own are
//! a third faster than those that look at it.
//!
//! Pages are not asked to be huge. Where they are at hand, `check` takes a tenth less time with
//! them, but a virtual machine that gives its free memory back to its host has to get each anew,
//! which takes 4 ms: `check` takes a fifth more there, unless it ran two seconds before.

use std::alloc::{GlobalAlloc, Layout};

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_option_set_default, mi_option_t, mi_realloc,
    mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
};

/// Gives memory of mimalloc.
pub struct Allocator;

/// The option of mimalloc 2 for how long memory that is free is kept, in milliseconds.
const PURGE_DELAY: mi_option_t = 15;

/// Sets how memory is got from the system; for the start of the program.
pub fn prepare() {
    // Half of the page faults of many rolls came from giving memory back after ten milliseconds;
    // what takes a few seconds needs again what it has freed.
    // SAFETY: sets a number, before there is another thread; the environment goes before it.
    unsafe { mi_option_set_default(PURGE_DELAY, 5000) };
}

/// What every block is aligned to that is as large as this.
const ALIGNMENT: usize = if cfg!(target_pointer_width = "64") { 16 } else { 8 };

fn is_plain(alignment: usize, size: usize) -> bool {
    alignment <= ALIGNMENT && alignment <= size
}

// SAFETY: blocks come from one allocator, aligned as asked for, whichever function gave them.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size(), layout.align());
        // SAFETY: any size will do, and a layout's alignment is a power of two.
        unsafe {
            match is_plain(alignment, size) {
                true => mi_malloc(size).cast(),
                false => mi_malloc_aligned(size, alignment).cast(),
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size(), layout.align());
        // SAFETY: as above.
        unsafe {
            match is_plain(alignment, size) {
                true => mi_zalloc(size).cast(),
                false => mi_zalloc_aligned(size, alignment).cast(),
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: it is a block of mimalloc's.
        unsafe { mi_free(block.cast()) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: it is a block of mimalloc's; the rest is as above.
        unsafe {
            match is_plain(layout.align(), size) {
                true => mi_realloc(block.cast(), size).cast(),
                false => mi_realloc_aligned(block.cast(), size, layout.align()).cast(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use libmimalloc_sys::mi_option_get;

    use super::*;

    #[test]
    fn memory_is_prepared_and_blocks_of_all_sizes_are_had_of_it() {
        // SAFETY: nothing else reads or sets options here.
        let delay = || unsafe { mi_option_get(PURGE_DELAY) };
        assert_eq!(delay(), 10, "the option is another one");
        prepare();
        assert_eq!(delay(), 5000);
        let blocks: Vec<(*mut u8, Layout)> = (0..200)
            .map(|at| Layout::from_size_align(1 + (at * at * at), 16).unwrap())
            // SAFETY: sizes are not 0.
            .map(|layout| (unsafe { Allocator.alloc_zeroed(layout) }, layout))
            .collect();
        for (block, layout) in blocks {
            // SAFETY: blocks are read within them, and given back once.
            unsafe {
                let last = block.add(layout.size() - 1);
                assert_eq!((block.read(), last.read()), (0, 0), "{layout:?}");
                Allocator.dealloc(block, layout);
            }
        }
    }

    #[test]
    fn blocks_are_aligned_as_asked_for_and_keep_what_is_in_them() {
        for (size, alignment) in [(1, 1), (8, 16), (16, 16), (24, 8), (40, 16), (100, 64), (5, 4)] {
            let layout = Layout::from_size_align(size, alignment).unwrap();
            // SAFETY: sizes are not 0, and blocks are written within them.
            unsafe {
                let block = Allocator.alloc_zeroed(layout);
                assert!((0..size).all(|at| *block.add(at) == 0), "{layout:?}");
                block.write(7);
                let larger = Allocator.realloc(block, layout, size * 9);
                assert_eq!((larger.read(), larger as usize % alignment), (7, 0), "{layout:?}");
                let smaller = Allocator.realloc(
                    larger,
                    Layout::from_size_align(size * 9, alignment).unwrap(),
                    size,
                );
                assert_eq!((smaller.read(), smaller as usize % alignment), (7, 0), "{layout:?}");
                Allocator.dealloc(smaller, layout);
                let block = Allocator.alloc(layout);
                assert_eq!(block as usize % alignment, 0, "{layout:?}");
                Allocator.dealloc(block, layout);
            }
        }
    }
}
