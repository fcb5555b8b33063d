//! What a build tells of itself, and those who listen.

pub(crate) mod event;
mod journal;
pub(crate) mod observers;
mod picks;
pub(crate) mod tally;
pub(crate) mod timeline;
pub(crate) mod told_events;
pub(crate) mod trace;
pub(crate) mod veto;
