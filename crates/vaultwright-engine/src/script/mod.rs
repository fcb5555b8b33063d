//! Running Lua for maps: environments, values, errors with their place in the source.

pub(crate) mod arguments;
pub(crate) mod environment;
pub(crate) mod markers;
pub(crate) mod problem;
