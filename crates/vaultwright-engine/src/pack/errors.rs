//! Why files cannot be read, and engines not be built.

use std::path::PathBuf;

use vaultwright_content::TableError;
use vaultwright_lair::LairError;
use vaultwright_lua::Failure;

/// An error of the file system, with the path.
#[derive(Debug)]
pub struct ReadError {
    /// What was to be read.
    pub path: PathBuf,
    /// Why it was not.
    pub cause: std::io::Error,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Why an engine cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// A file of the pack cannot be read.
    Read(ReadError),
    /// A table of the pack is wrong.
    Table(TableError),
    /// The Lua library failed.
    Lua(Failure),
    /// The LAIR scripts of a branch cannot be used.
    Lair(LairError),
}

impl EngineError {
    /// Returns whether a file is at fault that cannot be read, not what it holds.
    pub fn is_unread(&self) -> bool {
        matches!(self, EngineError::Read(_) | EngineError::Lair(LairError::Read(..)))
    }
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineError::Read(error) => error.fmt(f),
            EngineError::Table(error) => error.fmt(f),
            EngineError::Lua(error) => error.fmt(f),
            EngineError::Lair(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            EngineError::Read(error) => error,
            EngineError::Table(error) => error,
            EngineError::Lua(error) => error,
            EngineError::Lair(error) => error,
        })
    }
}

impl From<ReadError> for EngineError {
    fn from(error: ReadError) -> EngineError {
        EngineError::Read(error)
    }
}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        EngineError::Table(error)
    }
}

impl From<LairError> for EngineError {
    fn from(error: LairError) -> EngineError {
        EngineError::Lair(error)
    }
}

impl From<Failure> for EngineError {
    fn from(error: Failure) -> EngineError {
        EngineError::Lua(error)
    }
}
