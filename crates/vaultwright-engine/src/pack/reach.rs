//! Which other maps a map needs: those that its subvault tags reach.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use vaultwright_syntax::{Argument, Header, Map, PieceBody};

use super::library::Origin;
use super::source_file::SourceFile;

/// A set of maps of a pack, by file and number.
#[derive(Clone, Debug, Default)]
pub struct ReachedMaps {
    maps: HashSet<(usize, usize)>,
    files: HashMap<Arc<str>, usize>,
}

impl ReachedMaps {
    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// Returns whether the set contains the map with this number, from 0, in a file.
    #[must_use]
    pub fn contain(&self, file: &SourceFile, map: usize) -> bool {
        let number = self.files.get(&file.source.name);
        number.is_some_and(|&number| self.maps.contains(&(number, map)))
    }

    /// Returns whether the set contains the map at this origin.
    #[must_use]
    pub fn contain_origin(&self, origin: Origin) -> bool {
        self.maps.contains(&(origin.file, origin.map))
    }
}

/// Returns the maps with the given names and all maps that their subvaults may come from. Tags are
/// found as words of the text, so that Lua that sets or uses them counts, too. Maps of the same
/// name are either all reached or none, since the first makes the others fail.
#[must_use]
pub fn reachable_maps(files: &[Arc<SourceFile>], names: &[String]) -> ReachedMaps {
    let mut numbers = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        numbers.entry(file.source.name.clone()).or_insert(number);
    }
    ReachedMaps { maps: reach(files, names), files: numbers }
}

fn reach(files: &[Arc<SourceFile>], names: &[String]) -> HashSet<(usize, usize)> {
    let mut reached: HashSet<(usize, usize)> = HashSet::new();
    let mut known_names: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut known_tags = BTreeSet::new();
    let mut fresh_names: BTreeSet<Vec<u8>> = names.iter().map(|name| name.clone().into()).collect();
    let mut fresh_tags = BTreeSet::new();
    while !fresh_names.is_empty() || !fresh_tags.is_empty() {
        known_names.append(&mut fresh_names);
        let wanted_tags = std::mem::take(&mut fresh_tags);
        for (f, file) in files.iter().enumerate() {
            for (m, map) in file.tree.maps.iter().enumerate() {
                let name = map.name.bytes(&file.source.text);
                let is_wanted = known_names.contains(name) || mentions(file, map, &wanted_tags);
                if !is_wanted || !reached.insert((f, m)) {
                    continue;
                }
                let tags = asked_tags(file, map).into_iter();
                fresh_tags.extend(tags.filter(|tag| known_tags.insert(tag.clone())));
                if !known_names.contains(name) {
                    fresh_names.insert(name.to_vec());
                }
            }
        }
    }
    reached
}

/// Returns the words that may be tags of subvaults: those of SUBVAULT, and all words of Lua that
/// looks up maps by tag.
fn asked_tags(file: &SourceFile, map: &Map) -> BTreeSet<Vec<u8>> {
    let text = &file.source.text;
    let mut tags = BTreeSet::new();
    for chunk in &map.chunks {
        for piece in &chunk.pieces {
            match &piece.body {
                PieceBody::Call(Header::Subvault, Argument::Text(argument)) => {
                    tags.extend(words(argument.bytes(text)));
                }
                PieceBody::Lua(_) => {
                    let lua = &text[piece.span()];
                    if contains(lua, b"subvault") || contains(lua, b"map_by_tag") {
                        tags.extend(words(lua));
                    }
                }
                _ => {}
            }
        }
    }
    // Functions of the file's prelude may do this on behalf of the map.
    if map.chunks.iter().any(|chunk| chunk.has_lua()) {
        for piece in &file.tree.global_prelude.pieces {
            let lua = &text[piece.span()];
            if contains(lua, b"subvault") || contains(lua, b"map_by_tag") {
                tags.extend(words(lua));
            }
        }
    }
    tags
}

/// Returns whether the map has one of the words among its tags, or in Lua that sets tags, either
/// its own or that of its file's prelude.
fn mentions(file: &SourceFile, map: &Map, wanted: &BTreeSet<Vec<u8>>) -> bool {
    let text = &file.source.text;
    let has_lua = map.chunks.iter().any(|chunk| chunk.has_lua());
    let prelude = file.tree.global_prelude.pieces.iter().filter(|_| has_lua);
    map.chunks.iter().flat_map(|chunk| &chunk.pieces).chain(prelude).any(|piece| {
        match &piece.body {
            PieceBody::Call(Header::Tags, Argument::Text(tag)) => wanted.contains(tag.bytes(text)),
            PieceBody::Lua(_) => may_tag(&text[piece.span()], wanted),
            _ => false,
        }
    })
}

/// Returns whether Lua may set one of the tags. If it takes the tag from some value, that may be
/// any tag.
fn may_tag(lua: &[u8], wanted: &BTreeSet<Vec<u8>>) -> bool {
    const CALL: &[u8] = b"tags";
    let is_open = |b: &u8| b.is_ascii_whitespace() || *b == b'(';
    let calls = lua.windows(CALL.len()).enumerate().filter(|(_, window)| *window == CALL);
    let mut given = calls.map(|(at, _)| lua[at + CALL.len()..].iter().find(|b| !is_open(b)));
    let Some(first) = given.next() else { return false };
    let is_computed = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    is_computed(first) || given.any(is_computed) || words(lua).any(|word| wanted.contains(&word))
}

fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    text.split(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-')
        .filter(|word| word.len() > 1)
        .map(<[u8]>::to_vec)
}

fn contains(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}
