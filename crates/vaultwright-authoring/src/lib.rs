//! Editor support for vault files, as plain values.
//!
//! A [`Document`] is a text with its tree. Positions are byte offsets into it; [`Places`] converts
//! them to the positions that editors use. [`tokens`], [`outline`] and [`shares`] need only the
//! text. [`complete`] and [`hover`] use the [`Engine`](vaultwright::Engine) with the loaded pack,
//! and [`occurrences`] all its files. An [`EditedPack`] is the pack, with files as they are in
//! editors. [`lair_findings`], [`lair_hover`] and [`lair_complete`] do the same for LAIR scripts.
//! Nothing here depends on a protocol.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod completion;
mod described;
mod document;
mod edited_pack;
mod functions;
mod hover;
mod lair;
mod likely;
mod locals;
mod lua_names;
mod names;
mod outline;
mod places;
mod renaming;
mod scene;
mod shares;
mod specs;
mod tokens;
mod vocabulary;

pub use completion::{Completion, complete};
pub use document::Document;
pub use edited_pack::{EditedPack, Need, OpenError, PackOpener};
pub use functions::{ScriptFunction, lair_functions, script_functions};
pub use hover::{Hover, hover};
pub use lair::{LairFinding, is_lair_script, lair_complete, lair_findings, lair_hover};
pub use likely::{Likely, likeliest};
pub use names::{Name, NameKind, Occurrence, name_at, occurrences};
pub use outline::{MapOutline, outline};
pub use places::{Place, Places, Unit};
pub use renaming::{check_new_name, check_renamable};
pub use shares::{Share, shares};
pub use tokens::{TextToken, TokenClass, tokens};
