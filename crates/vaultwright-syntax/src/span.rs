//! Compact byte ranges for tokens and trees.

use std::ops::Range;

/// The maximum size of a file in bytes, limited by what spans can hold.
pub(crate) const MAX_FILE_SIZE: usize = u32::MAX as usize;

/// A byte range in half the space: a tree contains a hundred thousand of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) fn of(range: Range<usize>) -> Span {
        Span { start: range.start as u32, end: range.end as u32 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[cfg(test)]
mod tests {
    use crate::{Piece, Text, Token};

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn what_a_tree_has_many_of_is_small() {
        assert_eq!(size_of::<Text>(), 16);
        assert_eq!((size_of::<Piece>(), size_of::<Token>()), (48, 32));
    }
}
