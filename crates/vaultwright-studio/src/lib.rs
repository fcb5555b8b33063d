//! The studio: a local server with a page in which vaults are written, seen, placed and played.
//!
//! [`serve`] is the server, [`work`] a process that does its work. The server binds 127.0.0.1 only
//! and looks at every request (`server/guard.rs`); whatever runs scripts of strangers runs in
//! workers, which are ended when they take too long. How a pack is opened is the program's affair
//! ([`FolderOpener`]).

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod server;
mod worker;

use server::folder::INSIDE;
pub use server::serve;
pub use server::settings::{Settings, StudioError};
pub use worker::folder_opener::FolderOpener;
pub use worker::work;
