//! Why a map is not rolled or not placed.

use std::error::Error;
use std::fmt;

use crate::observe::veto::{LevelError, Veto};
use crate::pack::problem::Problem;

/// Why a map was not rolled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RollError {
    /// No map has this index.
    NoSuchMap,
    /// It is vetoed, never valid, or finds no place.
    Refused {
        /// What the last try said.
        message: String,
        /// How often it was tried.
        tries: usize,
    },
    /// Its Lua failed.
    Lua {
        /// The error.
        problem: Box<Problem>,
        /// How often it was tried.
        tries: usize,
    },
}

impl RollError {
    /// Returns the Lua error, if that was it.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            RollError::Lua { problem, .. } => Some(problem),
            RollError::NoSuchMap | RollError::Refused { .. } => None,
        }
    }

    /// Returns how often the map was tried.
    pub fn tries(&self) -> usize {
        match self {
            RollError::NoSuchMap => 0,
            RollError::Refused { tries, .. } | RollError::Lua { tries, .. } => *tries,
        }
    }
}

impl fmt::Display for RollError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RollError::NoSuchMap => f.write_str("no such map"),
            RollError::Refused { message, .. } => f.write_str(message),
            RollError::Lua { problem, .. } => f.write_str(&problem.message),
        }
    }
}

impl Error for RollError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.problem().map(|problem| problem as &dyn Error)
    }
}

/// Why a map was not placed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PlaceError {
    /// No map has this index.
    NoSuchMap,
    /// It does not fit, is vetoed or never valid; what the last try said.
    Refused(String),
    /// The level on which it was to stand cannot be built.
    NoLevel(LevelError),
    /// It spoils the level that it was placed on.
    Vetoed {
        /// How.
        veto: Veto,
        /// The Lua error behind that, if any.
        problem: Option<Box<Problem>>,
    },
}

impl PlaceError {
    /// Returns the Lua error, if that was it.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            PlaceError::Vetoed { problem, .. } => problem.as_deref(),
            PlaceError::NoSuchMap | PlaceError::Refused(_) | PlaceError::NoLevel(_) => None,
        }
    }

    /// Returns what the Lua error says, if that was it; else what the error itself does.
    pub fn message(&self) -> String {
        self.problem().map_or_else(|| self.to_string(), |problem| problem.message.clone())
    }
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceError::NoSuchMap => f.write_str("no such map"),
            PlaceError::Refused(message) => f.write_str(message),
            PlaceError::NoLevel(error) => error.fmt(f),
            PlaceError::Vetoed { veto, .. } => veto.fmt(f),
        }
    }
}

impl Error for PlaceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.problem().map(|problem| problem as &dyn Error)
    }
}
