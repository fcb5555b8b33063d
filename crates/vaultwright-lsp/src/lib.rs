//! A language server for vault files and LAIR scripts.
//!
//! [`serve`] speaks the protocol on standard input and output. One thread answers one message after
//! the other: what lies in the queue is looked through first, so that what was taken back is not
//! done, and findings are told only when nobody is waiting for anything.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod assistance;
mod convert;
mod documents;
mod loaded_packs;
mod navigation;
mod problems;
mod scripts;
mod server;
mod text;
mod uri;
mod wire;

pub use server::serve;
