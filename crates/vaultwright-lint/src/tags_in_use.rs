//! How many maps have a tag, including maps that are not compiled, and which tags are used to
//! select maps.

use std::cell::{OnceCell, RefCell};

use foldhash::{HashMap, HashSet};
use memchr::{memchr, memchr2, memmem};
use vaultwright_engine::{Library, Origin, SourceFile};
use vaultwright_syntax::{Argument, ChunkKind, Header, Map, PieceBody};

/// The tags of a library, and of maps in its files that were not compiled.
pub(crate) struct TagsInUse<'l> {
    library: &'l Library,
    /// The number of maps with each tag, among those known only by their text.
    others: OnceCell<HashMap<String, usize>>,
    /// The words that SUBVAULT names, and those in Lua strings that do not set tags.
    asked_for: OnceCell<HashSet<Vec<u8>>>,
    /// The tags in which nothing is wrong, as far as they have been looked at.
    faultless: RefCell<HashSet<String>>,
}

impl<'l> TagsInUse<'l> {
    pub(crate) fn of(library: &'l Library) -> TagsInUse<'l> {
        TagsInUse {
            library,
            others: OnceCell::new(),
            asked_for: OnceCell::new(),
            faultless: RefCell::default(),
        }
    }

    /// Returns what `look` finds in a tag, which it is not asked again if that is nothing.
    pub(crate) fn flaw_of<F>(&self, tag: &str, look: impl FnOnce() -> Option<F>) -> Option<F> {
        if self.faultless.borrow().contains(tag) {
            return None;
        }
        let flaw = look();
        if flaw.is_none() {
            self.faultless.borrow_mut().insert(tag.to_owned());
        }
        flaw
    }

    /// Returns the number of compiled maps with a tag.
    pub(crate) fn count_at_once(&self, tag: &str) -> usize {
        self.library.count_with_tag(tag)
    }

    /// Returns the number of maps with a tag.
    pub(crate) fn count(&self, tag: &str) -> usize {
        self.count_at_once(tag) + self.others().get(tag).copied().unwrap_or(0)
    }

    /// Returns the text after `kind` in tags that start with it and that several maps have.
    pub(crate) fn shared(&self, kind: &str) -> Vec<&str> {
        let of_library = self.library.tags().filter(|(tag, _)| tag.starts_with(kind));
        let of_library = of_library.map(|(tag, count)| (tag, count, self.others().get(tag)));
        let known = of_library
            .filter(|(_, count, others)| count + others.copied().unwrap_or(0) > 1)
            .map(|(tag, ..)| tag);
        let is_other = |(tag, count): &(&str, usize)| {
            *count > 1 && tag.starts_with(kind) && self.count_at_once(tag) == 0
        };
        let others = self.others().iter().map(|(tag, count)| (tag.as_str(), *count));
        let others = others.filter(is_other).map(|(tag, _)| tag);
        known.chain(others).map(|tag| &tag[kind.len()..]).collect()
    }

    /// Returns the tags that begin so.
    pub(crate) fn with_start(&self, start: &str) -> impl Iterator<Item = &str> {
        let of_library = self.library.tags().map(|(tag, _)| tag);
        of_library
            .chain(self.others().keys().map(String::as_str))
            .filter(move |tag| tag.starts_with(start))
    }

    /// Returns whether a map with a tag has a CHANCE, or may have one because only its text is
    /// known.
    pub(crate) fn any_has_chance(&self, tag: &str) -> bool {
        let has_chance = |id| {
            let chance = &self.library[id].selection.chance;
            chance.default.is_some() || !chance.entries.is_empty()
        };
        self.count(tag) > self.count_at_once(tag)
            || self.library.with_tags(&[tag]).any(has_chance)
            || self.broken_has_chance(tag)
    }

    /// Returns whether a map that does not compile writes a tag and a CHANCE.
    fn broken_has_chance(&self, tag: &str) -> bool {
        self.library.broken.iter().any(|broken| {
            let file = &self.library.files[broken.origin.file];
            let (map, text) = (&file.tree.maps[broken.origin.map], &file.source.text);
            writes_chance(map, text) && tags_written(map, text).contains(tag)
        })
    }

    /// Returns what stands behind `kind` in the tags that begin with it and that one map has alone.
    pub(crate) fn alone(&self, kind: &str) -> Vec<&str> {
        let of_library = self.library.tags().filter(|(tag, count)| {
            tag.starts_with(kind) && *count == 1 && !self.others().contains_key(*tag)
        });
        let others = self.others().iter().filter(|(tag, count)| {
            tag.starts_with(kind) && **count == 1 && self.count_at_once(tag) == 0
        });
        let others = others.map(|(tag, _)| tag.as_str());
        of_library.map(|(tag, _)| tag).chain(others).map(|tag| &tag[kind.len()..]).collect()
    }

    /// Returns whether a SUBVAULT or a script of the files names a tag.
    pub(crate) fn is_asked_for(&self, tag: &str) -> bool {
        let asked_for = self.asked_for.get_or_init(|| {
            let mut words = HashSet::default();
            self.library.files.iter().for_each(|file| add_asked_for(file, &mut words));
            words
        });
        asked_for.contains(tag.as_bytes())
    }

    fn others(&self) -> &HashMap<String, usize> {
        self.others.get_or_init(|| {
            let maps = self.library.maps.iter().map(|map| map.origin);
            let broken = self.library.broken.iter().map(|map| map.origin);
            let known: HashSet<Origin> = maps.chain(broken).collect();
            let mut others = HashMap::default();
            for (index, file) in self.library.files.iter().enumerate() {
                let is_other = |map: &usize| !known.contains(&Origin { file: index, map: *map });
                for map in (0..file.tree.maps.len()).filter(is_other) {
                    for tag in tags_written(&file.tree.maps[map], &file.source.text) {
                        *others.entry(tag).or_insert(0) += 1;
                    }
                }
            }
            others
        })
    }
}

/// Returns the tags that a map's headers and the calls in its Lua set, as written.
fn tags_written(map: &Map, source: &[u8]) -> HashSet<String> {
    let mut tags = HashSet::default();
    let mut add = |text: &str| {
        tags.extend(text.split_whitespace().map(str::to_lowercase));
    };
    for piece in &map.chunk(ChunkKind::Main).pieces {
        match &piece.body {
            PieceBody::Call(Header::Tags, Argument::Text(text)) => add(&text.str(source)),
            PieceBody::Lua(text) => {
                let text = text.str(source);
                let giving = text.lines().filter(|line| gives_tags(line));
                giving.flat_map(texts_in).for_each(&mut add);
            }
            _ => {}
        }
    }
    tags
}

/// Returns whether a map has a CHANCE as it is written, right or wrong, or a call that gives one.
fn writes_chance(map: &Map, source: &[u8]) -> bool {
    let text = source.get(map.span.clone()).unwrap_or_default();
    let has = |word: &str| memmem::find(text, word.as_bytes()).is_some();
    has(Header::Chance.keyword()) || has("chance(")
}

/// Adds the words of SUBVAULT lines, and those in Lua strings that do not set tags.
fn add_asked_for(file: &SourceFile, words: &mut HashSet<Vec<u8>>) {
    let source = &file.source.text;
    let mut add = |text: &str| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        for word in text.as_bytes().split(|byte| !is_part(byte)) {
            // Most words are already known.
            if !words.contains(word) {
                words.insert(word.to_ascii_lowercase());
            }
        }
    };
    let of_maps = file.tree.maps.iter().flat_map(|map| &map.chunks);
    let chunks = of_maps.chain([&file.tree.global_prelude]);
    for piece in chunks.flat_map(|chunk| &chunk.pieces) {
        match &piece.body {
            PieceBody::Call(Header::Subvault, Argument::Text(text)) => add(&text.str(source)),
            PieceBody::Lua(text) | PieceBody::LuaMarker { expression: text, .. } => {
                if memchr2(b'"', b'\'', text.bytes(source)).is_none() {
                    continue;
                }
                for line in text.str(source).lines() {
                    let texts = texts_in(line);
                    if !texts.is_empty() && !gives_tags(line) {
                        texts.into_iter().for_each(&mut add);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns whether a line of Lua sets tags of its map.
fn gives_tags(line: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices("tags").any(|(at, word)| {
        let follows = line[at + word.len()..].trim_start().starts_with(['(', '"', '\'']);
        follows && !line[..at].ends_with(is_part)
    })
}

/// Returns the strings in a line.
fn texts_in(line: &str) -> Vec<&str> {
    let (mut texts, mut rest) = (Vec::new(), line);
    while let Some(start) = memchr2(b'"', b'\'', rest.as_bytes()) {
        let behind = &rest[start + 1..];
        let quote = rest.as_bytes()[start];
        let Some(end) = memchr(quote, behind.as_bytes()) else { break };
        texts.push(&behind[..end]);
        rest = &behind[end + 1..];
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_lua_name_tags_unless_they_give_them() {
        assert_eq!(texts_in("dgn.map_by_tag('arrivals') -- \"x y\" 'z"), ["arrivals", "x y"]);
        assert!(gives_tags(": tags('no_flod')") && gives_tags("tags \"a\""));
        assert!(!gives_tags("dgn.map_by_tag('a')") && !gives_tags("e.remove_tags('a')"));
    }
}
