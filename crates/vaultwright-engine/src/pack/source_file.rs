//! A file of vaults, parsed on demand.

use std::sync::OnceLock;

use vaultwright_syntax::{
    Extent, File, Grammar, LineIndex, Map, Source, Token, parse_as, parse_map, tokens,
};

use super::derived::Derived;

/// A `.des` file with its tree.
#[derive(Debug)]
pub struct SourceFile {
    /// The text, and the name used for it in reports.
    pub source: Source,
    /// The syntax tree, parsed on first access.
    pub tree: Derived<File>,
    /// The tokens, for those who work on the text itself.
    pub tokens: Derived<Vec<Token>>,
    /// The start of each line.
    pub lines: Derived<LineIndex>,
    grammar: Grammar,
    apart: OnceLock<Vec<MapApart>>,
}

/// A map with a known position in a file, parsed on first access.
#[derive(Debug)]
struct MapApart {
    extent: Extent,
    map: OnceLock<Option<Map>>,
}

impl SourceFile {
    /// Creates a file from a source. It is parsed when its tree is first accessed.
    pub fn new(source: Source) -> SourceFile {
        SourceFile::in_grammar(source, Grammar::default())
    }

    /// Creates a file from a source in a grammar.
    pub fn in_grammar(source: Source, grammar: Grammar) -> SourceFile {
        SourceFile::read_by(source, grammar, parse_as)
    }

    /// Creates a file that contains no vaults; its tree is empty.
    pub fn without_vaults(source: Source) -> SourceFile {
        SourceFile::read_by(source, Grammar::default(), |_, _| File::default())
    }

    fn read_by(source: Source, grammar: Grammar, parse: fn(&[u8], Grammar) -> File) -> SourceFile {
        let tree = Derived::new(&source, grammar, parse);
        let lines = Derived::new(&source, grammar, |text, _| LineIndex::new(text));
        let tokens = Derived::new(&source, grammar, tokens);
        SourceFile { source, tree, tokens, lines, grammar, apart: OnceLock::new() }
    }

    /// Returns one of the file's maps by number. If the positions of the maps are known from an
    /// earlier program, this parses only that map, unless the whole tree exists already.
    ///
    /// # Panics
    ///
    /// If the file has fewer maps.
    pub fn map(&self, number: usize) -> &Map {
        let apart = self.apart.get().filter(|_| self.tree.made().is_none());
        let parsed = apart.and_then(|maps| maps.get(number)).and_then(|map| {
            let parse = || parse_map(&self.source.text, self.grammar, &map.extent);
            map.map.get_or_init(parse).as_ref()
        });
        parsed.unwrap_or_else(|| &self.tree.maps[number])
    }

    /// Sets the positions of the maps, as found by an earlier program.
    pub(crate) fn knowing(&self, extents: impl Iterator<Item = Extent>) {
        let apart = |extent| MapApart { extent, map: OnceLock::new() };
        // Positions set earlier are just as valid: it is the same text.
        _ = self.apart.set(extents.map(apart).collect());
    }
}
