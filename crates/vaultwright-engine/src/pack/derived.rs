//! Values computed from a source on first access, and then cached.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use vaultwright_syntax::{Grammar, Source};

/// A value computed from a text on first access, and then cached.
///
/// Programs that load a pack's earlier compilation result look at few of its files.
pub struct Derived<T> {
    value: OnceLock<T>,
    source: Source,
    grammar: Grammar,
    make: fn(&[u8], Grammar) -> T,
}

impl<T> Derived<T> {
    pub(crate) fn new(source: &Source, grammar: Grammar, make: fn(&[u8], Grammar) -> T) -> Self {
        Derived { value: OnceLock::new(), source: source.clone(), grammar, make }
    }

    /// Returns the value if it has already been computed.
    pub(crate) fn made(&self) -> Option<&T> {
        self.value.get()
    }
}

impl<T> Deref for Derived<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(|| (self.make)(&self.source.text, self.grammar))
    }
}

impl<T> DerefMut for Derived<T> {
    #[expect(clippy::expect_used, reason = "a lock holds what it is made from")]
    fn deref_mut(&mut self) -> &mut T {
        let value = match self.value.take() {
            Some(value) => value,
            None => (self.make)(&self.source.text, self.grammar),
        };
        self.value = OnceLock::from(value);
        self.value.get_mut().expect("it has a value")
    }
}

impl<T: fmt::Debug> fmt::Debug for Derived<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
