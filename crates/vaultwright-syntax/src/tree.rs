//! The syntax tree of a file.

use std::ops::Range;

use crate::{Chunk, ChunkKind, LineIndex, SyntaxError, Text};

/// A parsed file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The maps in source order.
    pub maps: Vec<Map>,
    /// The Lua outside maps that runs (spec 01 §4.3).
    pub global_prelude: Chunk,
    /// The number of maps that end before the global prelude runs for the first time.
    pub prelude_after_map: usize,
    /// The `default-depth:` lines in source order.
    pub default_depths: Vec<DefaultDepth>,
    /// The syntax errors.
    pub errors: Vec<SyntaxError>,
}

impl File {
    /// Returns the extents of the maps.
    pub fn extents(&self, lines: &LineIndex) -> Vec<Extent> {
        let starts = self.maps.iter().map(|map| map.span.start);
        let ends = starts.clone().skip(1).chain([lines.len()]);
        let depths = self.maps.iter().map(|map| map.default_depth);
        let extents = starts.zip(ends).zip(depths).map(|((start, end), default_depth)| Extent {
            span: start..end,
            lines: lines.position(start).line..lines.position(end).line,
            default_depth,
        });
        extents.collect()
    }
}

/// The extent of a map in its file: what is needed to parse it without the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// From its `NAME:` to that of the next map, or to the end of the file.
    pub span: Range<usize>,
    /// The lines (from 1) of these two positions.
    pub lines: Range<u32>,
    /// The index in [`File::default_depths`] of the one in effect.
    pub default_depth: Option<usize>,
}

/// A `default-depth:` line (spec 01 §4.4).
#[derive(Clone, Debug)]
pub struct DefaultDepth {
    /// The depth list; empty to clear the default.
    pub text: Text,
    /// The line, from 1.
    pub line: u32,
}

/// A map as written.
#[derive(Clone, Debug)]
pub struct Map {
    /// The text of `NAME:`.
    pub name: Text,
    /// The line (from 1) of the `NAME:` header.
    pub line: u32,
    /// From `NAME:` to the end of the last token that belongs to the map.
    pub span: Range<usize>,
    /// The line on which the map ends, as counted by the reference (spec 01 §8.1).
    pub end_line: u32,
    /// The index in [`File::default_depths`] of the one in effect.
    pub default_depth: Option<usize>,
    /// The chunks, in the order of [`ChunkKind::ALL`].
    pub chunks: [Chunk; 6],
}

impl Map {
    /// Returns one of the chunks.
    pub fn chunk(&self, kind: ChunkKind) -> &Chunk {
        &self.chunks[kind as usize]
    }

    /// Returns whether prelude, mapchunk and main contain none of the author's own Lua.
    pub fn is_declarative(&self) -> bool {
        ![ChunkKind::Prelude, ChunkKind::Map, ChunkKind::Main]
            .iter()
            .any(|&kind| self.chunk(kind).has_lua())
    }
}
