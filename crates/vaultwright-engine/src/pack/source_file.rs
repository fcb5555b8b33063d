//! A file of vaults, parsed as far as anybody looks at it.

use std::sync::OnceLock;

use vaultwright_syntax::{
    Extent, File, Grammar, LineIndex, Map, Source, Token, parse_as, parse_map, tokens,
};

use super::derived::Derived;

/// A `.des` file with its tree.
#[derive(Debug)]
pub struct SourceFile {
    /// The text and the name it is reported under.
    pub source: Source,
    /// What it holds; it is parsed when this is first looked at.
    pub tree: Derived<File>,
    /// Its tokens, which whoever works on the text itself looks at.
    pub tokens: Derived<Vec<Token>>,
    /// Where its lines begin.
    pub lines: Derived<LineIndex>,
    grammar: Grammar,
    apart: OnceLock<Vec<MapApart>>,
}

/// A map of which is known where it stands in a file, parsed when it is first looked at.
#[derive(Debug)]
struct MapApart {
    extent: Extent,
    map: OnceLock<Option<Map>>,
}

impl SourceFile {
    /// Returns a file of a source, parsed when its tree is first looked at.
    pub fn new(source: Source) -> SourceFile {
        SourceFile::in_grammar(source, Grammar::default())
    }

    /// Returns a source as it is read in a grammar.
    pub fn in_grammar(source: Source, grammar: Grammar) -> SourceFile {
        SourceFile::read_by(source, grammar, parse_as)
    }

    /// Returns a file of something else than vaults: its tree has nothing.
    pub fn without_vaults(source: Source) -> SourceFile {
        SourceFile::read_by(source, Grammar::default(), |_, _| File::default())
    }

    fn read_by(source: Source, grammar: Grammar, parse: fn(&[u8], Grammar) -> File) -> SourceFile {
        let tree = Derived::new(&source, grammar, parse);
        let lines = Derived::new(&source, grammar, |text, _| LineIndex::new(text));
        let tokens = Derived::new(&source, grammar, tokens);
        SourceFile { source, tree, tokens, lines, grammar, apart: OnceLock::new() }
    }

    /// Returns one of its maps by number. Where maps stand may be known from an earlier program:
    /// then this parses that one alone, unless the whole tree is there.
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

    /// Says where its maps stand, as an earlier program has found.
    pub(crate) fn knowing(&self, extents: impl Iterator<Item = Extent>) {
        let apart = |extent| MapApart { extent, map: OnceLock::new() };
        // What has been said before holds as well: it is the same text.
        _ = self.apart.set(extents.map(apart).collect());
    }
}
