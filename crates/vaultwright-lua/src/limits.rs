//! How much a script may use.

use std::time::Duration;

/// What a script may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes the interpreter may hold, for all scripts together.
    pub memory: usize,
    /// Instructions one chunk may run, rounded up to thousands. What functions of the library and
    /// of the host do for it counts by the work that it is.
    pub instructions: u64,
    /// Bytes of text (messages, warnings, sounds, …) that the host keeps for one chunk.
    pub text: usize,
    /// Bytes of source that one chunk may have.
    pub source: usize,
    /// Time that one chunk may be at work, whatever has been counted. No script that is of use
    /// comes near it: results must not depend on the machine.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 256 << 20,
            instructions: 100_000_000,
            text: 16 << 20,
            source: 512 << 10,
            time: Duration::from_secs(60),
        }
    }
}
