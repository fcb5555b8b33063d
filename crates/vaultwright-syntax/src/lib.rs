//! The `.des` language (spec 01): text in, tree out.
//!
//! [`parse`] turns the bytes of a file into a [`File`], which contains the maps with their chunks,
//! and the errors. Parsing continues after errors and cannot fail. [`tokens`] returns the tokens,
//! which cover every byte, so that nothing is lost. [`Chunk::to_lua`] returns the Lua text of a
//! chunk, [`dump_map`] what the reference prints for `-dump-maps`, and [`format()`] the file in its
//! canonical layout.
//!
//! Everything is counted in bytes: a `.des` file has no character encoding.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod chunk;
mod dump;
mod error;
mod format;
mod grammar;
mod header;
mod parser;
mod scanner;
mod source;
mod span;
mod token;
mod tree;
mod words;

pub use chunk::{Argument, Chunk, ChunkKind, Piece, PieceBody};
pub use dump::dump_map;
pub use error::{SyntaxError, SyntaxErrorKind};
pub use format::{format, format_whole};
pub use grammar::Grammar;
pub use header::{Header, HeaderArguments};
pub use parser::{looks_like_end, parse, parse_as, parse_map};
pub use scanner::tokens;
pub use source::{LineIndex, Position, Source, without_mark};
pub use token::{Text, Token, TokenKind};
pub use tree::{DefaultDepth, Extent, File, Map};
pub use words::find_words;
