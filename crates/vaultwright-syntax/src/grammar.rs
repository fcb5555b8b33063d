//! Differences between the documented grammar of the language and that of the releases.

/// The syntax that a grammar has in addition to that of all releases; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// `LFLAGS` and `BFLAGS`.
    pub level_flags: bool,
    /// A priority before a CHANCE: `50 : 5%`.
    pub chance_priorities: bool,
}
