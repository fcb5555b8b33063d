//! What never changes once loaded: sources, tables, the map library.

pub(crate) mod data_folder;
pub(crate) mod declared;
pub(crate) mod derived;
pub(crate) mod detect;
pub(crate) mod embedded_library;
pub(crate) mod errors;
pub(crate) mod library;
pub(crate) mod parse_ahead;
pub(crate) mod print;
pub(crate) mod problem;
pub(crate) mod reach;
pub(crate) mod source_file;
pub(crate) mod sources;
pub(crate) mod starter;
