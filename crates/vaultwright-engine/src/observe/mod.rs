//! What a build tells of itself.

pub(crate) mod tally;
pub(crate) mod trace;
pub(crate) mod veto;
