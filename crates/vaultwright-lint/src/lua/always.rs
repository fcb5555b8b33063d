//! The headers that always take effect: those that stand in no block of Lua.

use foldhash::{HashSet, HashSetExt};
use vaultwright_syntax::Chunk;

use super::parser;
use super::text::{LuaText, is_lua};
use super::tree::{ExprKind, Statement};

/// Returns the numbers of the pieces of a chunk that no Lua decides about.
pub(crate) fn always_run(chunk: &Chunk, source: &[u8]) -> HashSet<usize> {
    if !chunk.pieces.iter().any(is_lua) {
        return (0..chunk.pieces.len()).collect();
    }
    let lua = LuaText::of(chunk, source);
    let Some(block) = parser::parse(&lua) else { return HashSet::new() };
    let number = |statement: &Statement| {
        let Statement::Call(expr) = statement else { return None };
        match expr.kind {
            ExprKind::Header(number) => Some(number),
            _ => None,
        }
    };
    block.statements.iter().filter_map(number).collect()
}
