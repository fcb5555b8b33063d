//! ORIENT.

use serde::{Deserialize, Serialize};

use crate::{ErrorCode, SpecError};

/// The place of a map on the level (spec 02 §10.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // the words of ORIENT
pub enum Orient {
    North,
    South,
    East,
    West,
    Northwest,
    Northeast,
    Southwest,
    Southeast,
    Encompass,
    Float,
    Centre,
}

use Orient::*;

impl Orient {
    /// All values.
    pub const ALL: [Orient; 11] = [
        North, South, East, West, Northwest, Northeast, Southwest, Southeast, Encompass, Float,
        Centre,
    ];

    /// Returns the word used in the header.
    pub fn name(self) -> &'static str {
        match self {
            North => "north",
            South => "south",
            East => "east",
            West => "west",
            Northwest => "northwest",
            Northeast => "northeast",
            Southwest => "southwest",
            Southeast => "southeast",
            Encompass => "encompass",
            Float => "float",
            Centre => "centre",
        }
    }

    /// Parses the header's word. The empty word means no orientation.
    pub fn parse(word: &str) -> Result<Option<Orient>, SpecError> {
        if word.is_empty() {
            return Ok(None);
        }
        let known = Orient::ALL.into_iter().find(|orient| orient.name() == word);
        known.map(Some).ok_or_else(|| {
            SpecError::new(ErrorCode::BadOrient, format!("Bad orient: {word}"), word)
        })
    }

    /// Returns the orientation after a left-right mirroring.
    pub(crate) fn mirrored_x(self) -> Orient {
        match self {
            East => West,
            West => East,
            Northeast => Northwest,
            Northwest => Northeast,
            Southeast => Southwest,
            Southwest => Southeast,
            other => other,
        }
    }

    /// Returns the orientation after a top-bottom mirroring.
    pub(crate) fn mirrored_y(self) -> Orient {
        match self {
            North => South,
            South => North,
            Northeast => Southeast,
            Southeast => Northeast,
            Northwest => Southwest,
            Southwest => Northwest,
            other => other,
        }
    }

    /// Returns the orientation after a quarter turn clockwise.
    pub fn clockwise(self) -> Orient {
        match self {
            North => East,
            East => South,
            South => West,
            West => North,
            Northeast => Southeast,
            Southeast => Southwest,
            Southwest => Northwest,
            Northwest => Northeast,
            other => other,
        }
    }

    /// Returns the orientation after a quarter turn anticlockwise.
    pub fn anticlockwise(self) -> Orient {
        self.clockwise().clockwise().clockwise()
    }
}
