//! Levels for C, C++ and every language that calls C. `include/vaultwright.h` is what they see of
//! it.
//!
//! No panic leaves a function, every pointer is looked at before it is followed, and what is handed
//! out says who frees it. Only pointers that were freed already, or were never made here, cannot be
//! told from good ones.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod engine;
mod level;
mod status;
mod text;

pub use engine::{
    Engine, Feature, Library, Options, Problem, vw_engine_add_file, vw_engine_add_text,
    vw_engine_features, vw_engine_free, vw_engine_level, vw_engine_new, vw_engine_place,
    vw_engine_problems, vw_library_engine, vw_library_free, vw_library_of,
};
pub use level::{Item, Level, Marker, Monster, Vault, vw_level_free, vw_level_json, vw_level_png};
pub use status::{Status, vw_abi_version, vw_last_error, vw_version};

/// What a program was compiled against: [`vw_engine_new`] refuses another one. It counts up when a
/// structure or a function changes; what is added at the end leaves it as it is.
pub const VW_ABI_VERSION: u32 = 1;

/// Columns of a level of Crawl, and of packs that do not say otherwise: [`Level::width`] has those
/// of a level.
pub const VW_WIDTH: u32 = 80;

/// Rows of the same.
pub const VW_HEIGHT: u32 = 70;

/// What [`Level::vault_ids`] has where a cell belongs to no vault.
pub const VW_NO_VAULT: u16 = 10_000;

// The header is made from numbers as they are written, not from names.
const _: () = assert!(VW_NO_VAULT == vaultwright::level::NO_VAULT);
