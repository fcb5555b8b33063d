//! What the grammar of the language's documents has and that of the releases has not.

/// The words that a grammar has beyond those of all releases; the default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// `LFLAGS` and `BFLAGS`.
    pub level_flags: bool,
    /// A priority in front of a CHANCE: `50 : 5%`.
    pub chance_priorities: bool,
}
