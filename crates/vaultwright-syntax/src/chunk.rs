//! The chunks of a map, and their Lua text.

use std::ops::Range;

use crate::span::Span;
use crate::{Header, Text};

/// The six Lua chunks of a map (spec 01 §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names of the spec
pub enum ChunkKind {
    Prelude,
    Map,
    Main,
    Validate,
    Veto,
    Epilogue,
}

impl ChunkKind {
    /// All kinds, in the order of the dump.
    pub const ALL: [ChunkKind; 6] = [
        ChunkKind::Prelude,
        ChunkKind::Map,
        ChunkKind::Main,
        ChunkKind::Validate,
        ChunkKind::Veto,
        ChunkKind::Epilogue,
    ];

    /// Returns the name used in dumps.
    pub fn name(self) -> &'static str {
        match self {
            ChunkKind::Prelude => "prelude",
            ChunkKind::Map => "mapchunk",
            ChunkKind::Main => "main",
            ChunkKind::Validate => "validate",
            ChunkKind::Veto => "veto",
            ChunkKind::Epilogue => "epilogue",
        }
    }
}

/// A chunk: its pieces in source order (spec 01 §6).
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// A piece of a chunk: a header, a row, or a line of Lua.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The source line (from 1) that it counts as.
    pub line: u32,
    span: Span,
    /// The content.
    pub body: PieceBody,
}

/// The content of a piece.
#[derive(Clone, Debug)]
pub enum PieceBody {
    /// A call made by a header.
    Call(Header, Argument),
    /// `MARKER: K = lua:EXPR`.
    LuaMarker {
        /// The glyph.
        key: u8,
        /// The expression.
        expression: Text,
    },
    /// A row of a drawing.
    Row(Text),
    /// Lua as written by the author.
    Lua(Text),
}

/// The argument of a header's call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// `f("text")`
    Text(Text),
    /// `f(number)`
    Number(i64),
    /// `depth_f("range", number)`
    RangeNumber(Box<(Text, i64)>),
    /// `chance(priority, number)`, or `depth_chance("range", priority, number)`
    Prioritised(Box<(Option<Text>, i64, i64)>),
}

impl Chunk {
    /// Returns the source line of the first piece.
    pub fn first_line(&self) -> Option<u32> {
        self.pieces.first().map(|piece| piece.line)
    }

    /// Returns whether running the chunk does nothing: it has no pieces, or only blank Lua.
    pub fn is_empty(&self, source: &[u8]) -> bool {
        self.pieces.iter().all(|piece| match &piece.body {
            PieceBody::Lua(text) => text.bytes(source).iter().all(u8::is_ascii_whitespace),
            _ => false,
        })
    }

    /// Returns whether any piece is the author's own Lua.
    pub fn has_lua(&self) -> bool {
        self.pieces.iter().any(Piece::is_lua)
    }

    /// Returns the pieces before the author's first own Lua. If that Lua continues the last of
    /// them, that piece is left out: a bracket would call what comes before it.
    pub fn before_lua(&self, source: &[u8]) -> &[Piece] {
        let count = self.pieces.iter().take_while(|piece| !piece.is_lua()).count();
        let (before, behind) = self.pieces.split_at(count);
        let lua = behind.iter().map_while(|piece| match &piece.body {
            PieceBody::Lua(text) => Some(text.bytes(source)),
            _ => None,
        });
        let mut lines = lua.flat_map(|text| text.split(|&byte| byte == b'\n'));
        let first = lines.find_map(|line| {
            let line = line.trim_ascii_start();
            (!line.is_empty() && !line.starts_with(b"--")).then(|| line[0])
        });
        match before.split_last() {
            Some((_, others)) if first == Some(b'(') => others,
            _ => before,
        }
    }

    /// Returns the Lua text. Its line k is source line `first_line() + k − 1`.
    pub fn to_lua(&self, source: &[u8]) -> Vec<u8> {
        self.to_lua_behind(0, source)
    }

    /// Returns the Lua text without the first `pieces` pieces. The lines stay the same.
    pub fn to_lua_behind(&self, pieces: usize, source: &[u8]) -> Vec<u8> {
        let written = self.pieces.get(pieces..).unwrap_or_default();
        let about = written.iter().map(|piece| piece.span().len() + "depth_weight('', 1000)".len());
        let last_line = self.pieces.last().map_or(0, |piece| piece.line);
        let lines = last_line.saturating_sub(self.first_line().unwrap_or(0));
        let mut out = Vec::with_capacity(about.sum::<usize>() + lines as usize);
        self.write_lua_behind(pieces, source, &mut out);
        out
    }

    /// Appends the Lua text to `out`.
    pub(crate) fn write_lua(&self, source: &[u8], out: &mut Vec<u8>) {
        self.write_lua_behind(0, source, out);
    }

    fn write_lua_behind(&self, pieces: usize, source: &[u8], out: &mut Vec<u8>) {
        let mut last = self.first_line().unwrap_or(0);
        for piece in self.pieces.iter().skip(pieces) {
            for _ in last..piece.line {
                out.push(b'\n');
            }
            last = last.max(piece.line);
            out.push(b' ');
            piece.write_lua(source, out);
        }
    }

    /// Returns the pieces that line `line` (from 1) of the Lua text comes from.
    pub fn pieces_of_line(&self, line: u32) -> impl Iterator<Item = &Piece> {
        let source_line = self.first_line().map(|first| first + line.max(1) - 1);
        self.pieces.iter().filter(move |piece| Some(piece.line) == source_line)
    }
}

impl Piece {
    pub(crate) fn new(line: u32, span: Range<usize>, body: PieceBody) -> Piece {
        Piece { line, span: Span::of(span), body }
    }

    /// Returns the byte range that it comes from.
    pub fn span(&self) -> Range<usize> {
        self.span.range()
    }

    fn is_lua(&self) -> bool {
        matches!(self.body, PieceBody::Lua(_) | PieceBody::LuaMarker { .. })
    }

    fn write_lua(&self, source: &[u8], out: &mut Vec<u8>) {
        match &self.body {
            PieceBody::Lua(text) => out.extend_from_slice(text.bytes(source)),
            PieceBody::Row(text) => {
                out.extend_from_slice(b"map(\"");
                write_quoted(text.bytes(source), out);
                out.extend_from_slice(b"\")");
            }
            PieceBody::LuaMarker { key, expression } => {
                out.extend_from_slice(b"lua_marker(\"");
                write_quoted(&[*key], out);
                out.extend_from_slice(b"\", function ()   return ");
                out.extend_from_slice(expression.bytes(source));
                out.extend_from_slice(b" end)");
            }
            PieceBody::Call(header, argument) => {
                let function = header.lua_function();
                match argument {
                    Argument::Text(text) => {
                        out.extend_from_slice(function.as_bytes());
                        out.extend_from_slice(b"(\"");
                        write_quoted(text.bytes(source), out);
                        out.extend_from_slice(b"\")");
                    }
                    Argument::Number(number) => {
                        out.extend_from_slice(format!("{function}({number})").as_bytes());
                    }
                    Argument::Prioritised(prioritised) => {
                        let (range, priority, number) = &**prioritised;
                        write_ranged(function, range.as_ref(), source, out);
                        out.extend_from_slice(format!("{priority}, {number})").as_bytes());
                    }
                    Argument::RangeNumber(ranged) => {
                        let (range, number) = &**ranged;
                        write_ranged(function, Some(range), source, out);
                        out.extend_from_slice(format!("{number})").as_bytes());
                    }
                }
            }
        }
    }
}

/// Writes the start of a call of a function, or of its variant that takes a range of levels.
fn write_ranged(function: &str, range: Option<&Text>, source: &[u8], out: &mut Vec<u8>) {
    let Some(range) = range else {
        return out.extend_from_slice(format!("{function}(").as_bytes());
    };
    out.extend_from_slice(format!("depth_{function}(\"").as_bytes());
    write_quoted(range.bytes(source), out);
    out.extend_from_slice(b"\", ");
}

fn write_quoted(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\\', b'"', rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[b'\\', rest[at]]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}
