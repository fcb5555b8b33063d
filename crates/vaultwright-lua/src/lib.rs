//! The sandboxed Lua interpreter (spec 01 §11.3, §16).
//!
//! An [`Interpreter`] has the base, table, string, math and coroutine libraries and nothing that
//! reaches files, processes, the network or bytecode. Memory and instructions are limited; what a
//! script leaves behind in globals and tables can be undone with [`Snapshot`].

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]
#![warn(clippy::undocumented_unsafe_blocks, clippy::missing_safety_doc)]

pub mod cell_drawing;
pub mod cells;
pub mod closures;
pub mod code;
mod dialect;
mod failure;
mod fields;
pub mod glyph_columns;
mod interpreter;
mod kept_blocks;
pub mod kept_tables;
pub mod known_functions;
mod layout;
mod library;
mod limits;
pub mod lookup;
pub mod members;
mod memory;
mod meter;
mod names;
pub mod new_plans;
pub mod number_lists;
pub mod plan_filling;
pub mod plan_functions;
pub mod plan_tables;
pub mod quick;
mod raw_tables;
pub mod reach;
pub mod rectangles;
pub mod room_building;
pub mod room_coords;
pub mod room_settling;
pub mod room_tables;
mod shapes;
mod snapshot;
pub mod table_list;

pub use dialect::{Dialect, TextOf, compile, compile_of};
pub use failure::{Failure, FailureKind, Frame};
pub use interpreter::{Interpreter, charge, text_of};
pub use limits::Limits;
pub use meter::{Budget, LineWatcher};
pub use mlua;
pub use snapshot::{GlobalNames, Snapshot};
