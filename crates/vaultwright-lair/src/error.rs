//! Errors of LAIR scripts.

/// The reason why a tower cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LairError {
    /// A file cannot be read. Contains its path and the reason.
    Read(String, String),
    /// A script does not load: `file:line: message`.
    Script(String),
    /// The configuration of the scripts is contradictory.
    Configuration(String),
    /// The tower would have no cells, or too many.
    Size(String),
    /// A script failed in strict mode: `file:line: message [function, floor, room, cell]`.
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
