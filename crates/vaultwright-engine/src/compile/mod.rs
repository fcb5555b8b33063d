//! From source files to the map library.

pub(crate) mod map;
