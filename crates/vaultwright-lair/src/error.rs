//! What can be wrong with LAIR scripts.

/// Why a tower cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LairError {
    /// A file cannot be read: its path, and why.
    Read(String, String),
    /// A script does not load: `file:line: message`.
    Script(String),
    /// The scripts ask for something that does not go together.
    Configuration(String),
    /// The tower would have no cell, or too many.
    Size(String),
    /// A script failed, and failures are not forgiven: `file:line: message [function, floor, room,
    /// cell]`.
    Strict(String),
}

impl std::fmt::Display for LairError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LairError::Read(path, why) => write!(f, "cannot read {path}: {why}"),
            LairError::Script(message)
            | LairError::Configuration(message)
            | LairError::Size(message)
            | LairError::Strict(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for LairError {}
