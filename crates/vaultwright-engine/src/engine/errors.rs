//! Why a map could not be rolled or placed.

use std::error::Error;
use std::fmt;

use crate::observe::veto::{LevelError, Veto};
use crate::pack::problem::Problem;

/// The reason why a map could not be rolled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RollError {
    /// There is no map with this index.
    NoSuchMap,
    /// Every try was vetoed, failed validation or found no position.
    Refused {
        /// The message of the last try.
        message: String,
        /// The number of tries.
        tries: usize,
    },
    /// Its Lua failed.
    Lua {
        /// The Lua error.
        problem: Box<Problem>,
        /// The number of tries.
        tries: usize,
    },
}

impl RollError {
    /// Returns the Lua error, if there was one.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            RollError::Lua { problem, .. } => Some(problem),
            RollError::NoSuchMap | RollError::Refused { .. } => None,
        }
    }

    /// Returns the number of tries.
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

/// The reason why a map could not be placed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PlaceError {
    /// There is no map with this index.
    NoSuchMap,
    /// The map does not fit, or every try was vetoed or failed validation. Contains the message of
    /// the last try.
    Refused(String),
    /// The level around the map could not be built.
    NoLevel(LevelError),
    /// The map breaks the level that it was placed on.
    Vetoed {
        /// What it breaks.
        veto: Veto,
        /// The Lua error behind the veto, if there is one.
        problem: Option<Box<Problem>>,
    },
}

impl PlaceError {
    /// Returns the Lua error, if there was one.
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
