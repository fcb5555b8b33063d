//! How likely it is that what a spec asks for is a mimic.

use serde::{Deserialize, Serialize};

/// What a spec says of mimics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "i32", from = "i32")]
pub enum MimicOdds {
    /// Nothing.
    #[default]
    Unsaid,
    /// One in this many is a mimic; the number is above 0.
    OneIn(i32),
    /// It has a number, but of that many none is a mimic. The class of an item is drawn as that of
    /// a mimic all the same.
    Never,
}

impl MimicOdds {
    /// Returns the odds of a number behind `mimic:`.
    pub(crate) fn of_number(number: i32) -> MimicOdds {
        match number {
            ..=0 => MimicOdds::Never,
            _ => MimicOdds::OneIn(number),
        }
    }

    /// Returns how many there are to one mimic; `None` if none is.
    pub fn one_in(self) -> Option<i32> {
        match self {
            MimicOdds::OneIn(number) => Some(number),
            MimicOdds::Unsaid | MimicOdds::Never => None,
        }
    }
}

impl From<MimicOdds> for i32 {
    fn from(odds: MimicOdds) -> i32 {
        match odds {
            MimicOdds::Unsaid => 0,
            MimicOdds::OneIn(number) => number,
            MimicOdds::Never => -1,
        }
    }
}

impl From<i32> for MimicOdds {
    fn from(number: i32) -> MimicOdds {
        match number {
            0 => MimicOdds::Unsaid,
            _ => MimicOdds::of_number(number),
        }
    }
}
