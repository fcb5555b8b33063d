//! The chunks of a map, by what they are for.

use vaultwright_syntax::ChunkKind;

/// The chunks whose Lua takes part in drawing the map.
pub(crate) const DRAWING: [ChunkKind; 3] =
    [ChunkKind::Prelude, ChunkKind::Main, ChunkKind::Validate];

/// The chunks that run when the map is read.
pub(crate) const READING: [ChunkKind; 4] =
    [ChunkKind::Prelude, ChunkKind::Main, ChunkKind::Validate, ChunkKind::Epilogue];

/// The chunks in which authors can write Lua: all but the drawing itself.
pub(crate) const WITH_LUA: [ChunkKind; 5] = [
    ChunkKind::Prelude,
    ChunkKind::Main,
    ChunkKind::Validate,
    ChunkKind::Veto,
    ChunkKind::Epilogue,
];
