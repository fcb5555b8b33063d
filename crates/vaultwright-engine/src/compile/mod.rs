//! From source files to the map library.

pub(crate) mod load;
pub(crate) mod map;
