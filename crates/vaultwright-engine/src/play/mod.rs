//! A level in play: events, markers, terrain that changes, clouds (spec 07).

pub(crate) mod dispatch;
pub(crate) mod displacing;
pub(crate) mod marshal;
pub(crate) mod pickle;
pub(crate) mod protocol;
pub(crate) mod terrain;
pub(crate) mod tides;
pub(crate) mod told;
