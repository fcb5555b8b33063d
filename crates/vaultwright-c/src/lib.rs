//! Levels and play for C, C++ and every language that calls C. `include/vaultwright.h` is what they
//! see of it.
//!
//! No panic leaves a function, every pointer is looked at before it is followed, and what is handed
//! out says who frees it. Only pointers that were freed already, or were never made here, cannot be
//! told from good ones.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod engine;
mod level;
mod play;
mod status;
mod text;
mod told;

pub use engine::{
    Engine, Feature, Library, Options, Problem, vw_engine_add_file, vw_engine_add_text,
    vw_engine_features, vw_engine_free, vw_engine_level, vw_engine_new, vw_engine_place,
    vw_engine_problems, vw_library_engine, vw_library_free, vw_library_of,
};
pub use level::{Item, Level, Marker, Monster, Vault, vw_level_free, vw_level_json, vw_level_png};
pub use play::{
    Play, vw_play_act, vw_play_at, vw_play_cells, vw_play_event, vw_play_free, vw_play_go,
    vw_play_in, vw_play_kill, vw_play_level, vw_play_load, vw_play_markers, vw_play_move_monster,
    vw_play_news, vw_play_pass, vw_play_save,
};
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

/// Of cells in [`vw_play_cells`]: the player has seen it.
pub const VW_KNOWN: u8 = 1;

/// The same: he sees it now.
pub const VW_IN_SIGHT: u8 = 2;

// The header is made from numbers as they are written, not from names.
const _: () = assert!(VW_NO_VAULT == vaultwright::level::NO_VAULT);
