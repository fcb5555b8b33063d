//! The limits of scripts.

use std::time::Duration;

/// The limits of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum memory of the interpreter in bytes, for all scripts together.
    pub memory: usize,
    /// The maximum number of instructions of a chunk, rounded up to thousands. Functions of the
    /// library and of the host count according to their work.
    pub instructions: u64,
    /// The maximum size in bytes of the text (messages, warnings, sounds, …) that the host stores
    /// for a chunk.
    pub text: usize,
    /// The maximum size of a chunk's source, in bytes.
    pub source: usize,
    /// The maximum time that a chunk may run, whatever has been counted. No useful script comes
    /// close to it, since results must not depend on the machine.
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
