//! The headers that always take effect: those that are not inside a block of Lua.

use foldhash::{HashSet, HashSetExt};
use vaultwright_syntax::Chunk;

use super::parser;
use super::text::{LuaText, is_lua};
use super::tree::{ExprKind, Statement};

/// Returns the numbers of a chunk's pieces that do not depend on Lua.
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

#[cfg(test)]
mod tests {
    use vaultwright_syntax::ChunkKind;

    use super::*;

    fn of(source: &str) -> Vec<usize> {
        let file = vaultwright_syntax::parse(source.as_bytes());
        let always = always_run(file.maps[0].chunk(ChunkKind::Main), source.as_bytes());
        let mut numbers: Vec<usize> = always.into_iter().collect();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn headers_stand_where_calls_may() {
        assert_eq!(of("NAME: a\nMONS: rat\nMONS: bat\n"), [0, 1]);
        assert_eq!(of("NAME: a\nMONS: rat\n: if x then\nMONS: bat\n: end\nITEM: any\n"), [0, 4]);
        assert_eq!(of("NAME: a\nMONS: rat\n: f(\nMONS: bat\n: )\n: t = {\nITEM: any\n: }\n"), [0]);
        assert_eq!(of("NAME: a\nMONS: rat\n: --[[\nMONS: bat\n: ]]\n"), [0]);
        // Where a call is not allowed, nothing is known.
        assert!(of("NAME: a\nMONS: rat\n: x =\n: local\nMONS: bat\n").is_empty());
        // In the author's own Lua, the byte for headers has no meaning.
        assert!(of("NAME: a\nMONS: rat\n: \u{1}\n").is_empty());
    }
}
