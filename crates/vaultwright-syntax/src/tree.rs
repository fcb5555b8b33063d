//! What parsing a file returns.

use std::ops::Range;

use crate::{Chunk, ChunkKind, LineIndex, SyntaxError, Text};

/// A parsed file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The maps in source order.
    pub maps: Vec<Map>,
    /// The Lua outside maps that is run (spec 01 §4.3).
    pub global_prelude: Chunk,
    /// How many maps end before the global prelude runs for the first time.
    pub prelude_after_map: usize,
    /// The `default-depth:` lines in source order.
    pub default_depths: Vec<DefaultDepth>,
    /// What the grammar does not allow.
    pub errors: Vec<SyntaxError>,
}

impl File {
    /// Returns where its maps begin, and where the last one ends.
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

/// How far a map reaches in its file: all that it takes to parse it without the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// From its `NAME:` to that of the next map, or to the end of the file.
    pub span: Range<usize>,
    /// The lines (from 1) that these two bytes are on.
    pub lines: Range<u32>,
    /// Index into [`File::default_depths`] of the one in force.
    pub default_depth: Option<usize>,
}

/// A `default-depth:` line (spec 01 §4.4).
#[derive(Clone, Debug)]
pub struct DefaultDepth {
    /// The depth list, empty to clear the default.
    pub text: Text,
    /// Its line, from 1.
    pub line: u32,
}

/// A map as written.
#[derive(Clone, Debug)]
pub struct Map {
    /// The text of `NAME:`.
    pub name: Text,
    /// The line (from 1) of its `NAME:` header.
    pub line: u32,
    /// From `NAME:` to the end of the last token that belongs to the map.
    pub span: Range<usize>,
    /// The line where the map ends, as the reference counts (spec 01 §8.1).
    pub end_line: u32,
    /// Index into [`File::default_depths`] of the one in force.
    pub default_depth: Option<usize>,
    /// The chunks, in the order of [`ChunkKind::ALL`].
    pub chunks: [Chunk; 6],
}

impl Map {
    /// Returns one of the chunks.
    pub fn chunk(&self, kind: ChunkKind) -> &Chunk {
        &self.chunks[kind as usize]
    }

    /// Returns whether prelude, mapchunk and main hold no Lua of the author's.
    pub fn is_declarative(&self) -> bool {
        ![ChunkKind::Prelude, ChunkKind::Map, ChunkKind::Main]
            .iter()
            .any(|&kind| self.chunk(kind).has_lua())
    }
}
