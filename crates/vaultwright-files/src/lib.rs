//! Files of strangers: written whole or not at all, read within bounds, found without going astray.
//!
//! A pack, a save or a campaign folder may come from anybody. Nothing here follows a link to write,
//! waits for a pipe in a folder, walks in a circle, or reads more than it was told to.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod names;
mod reading;
mod store;
mod walking;
mod whole;

pub use names::file_name;
pub use reading::{inflate_within, read_regular, read_within, unpack_gzip};
pub use store::Store;
pub use walking::{Links, Skipped, Walk, links_in, walk};
pub use whole::{WholeFile, write_renewable, write_whole};
