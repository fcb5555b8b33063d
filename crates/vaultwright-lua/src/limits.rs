/// What a script may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes the interpreter may hold, for all scripts together.
    pub memory: usize,
    /// Instructions one chunk may run, rounded up to thousands.
    pub instructions: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { memory: 256 << 20, instructions: 100_000_000 }
    }
}
