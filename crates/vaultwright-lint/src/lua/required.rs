//! What gives a name that a file only reads: the files of the library that its Lua loads, and
//! fields that it sets.

use foldhash::{HashSet, HashSetExt};
use memchr::memmem;
use vaultwright_engine::Engine;

use super::Look;
use super::assigns::assigns;
use super::properties::MAX_SEARCHES;

/// The ends of the functions that load a file: `crawl_require`, `require`, `dofile`, `loadfile`.
const LOADERS: [&[u8]; 3] = [b"require", b"dofile", b"loadfile"];

/// The maximum number of files that are followed.
const MAX_FILES: usize = 100;
/// The first argument of a call is not sought any further.
const MAX_CALL: usize = 200;

/// The fields that `rawset(env, "name", …)` sets somewhere in a text.
pub(super) struct RawFields {
    names: HashSet<Vec<u8>>,
    /// Whether a key is not written there, and may be any.
    any: bool,
}

impl RawFields {
    fn of(text: &[u8]) -> RawFields {
        let mut fields = RawFields { names: HashSet::new(), any: false };
        for at in memmem::find_iter(text, "rawset(") {
            let call = &text[at..];
            let comma = call.iter().take(MAX_CALL).position(|&byte| byte == b',');
            let Some(comma) = comma else { continue };
            match quoted(&call[comma + 1..]) {
                Some(name) => drop(fields.names.insert(name.into_bytes())),
                None => fields.any = true,
            }
        }
        fields
    }

    fn may_set(&self, name: &str) -> bool {
        self.any || self.names.contains(name.as_bytes())
    }
}

impl Look<'_> {
    /// Returns whether a file of the library that the Lua here loads gives a global name.
    pub(super) fn is_loaded(&self, name: &str) -> bool {
        let lua = || self.trees.iter().map(|tree| &tree.lua.text[..]);
        give(self.loaded.get_or_init(|| loaded(self.engine, lua())), name)
    }

    /// Returns whether the file sets a field of this name, which may be one of the environment:
    /// `_G.who = "rat"`, `e.who = "rat"`, `rawset(_G, "who", "rat")`, or any of it:
    /// `_G["w" .. i] = 1`.
    pub(super) fn is_field_given(&self, name: &str) -> bool {
        let text = &self.file.source.text;
        let sets = |at: usize| {
            let behind = text[at + name.len() + 1..].trim_ascii_start();
            let is_given = behind.starts_with(b"=") && !behind.starts_with(b"==");
            is_given && !self.is_plain_table(&text[..at])
        };
        memmem::find_iter(text, format!(".{name}").as_bytes()).any(sets)
            || memmem::find(text, b"_G[").is_some()
            || self.raw.get_or_init(|| RawFields::of(text)).may_set(name)
    }

    /// Returns whether the name at the end of a text is given a table that is written out, which is
    /// not the environment.
    fn is_plain_table(&self, before: &[u8]) -> bool {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = before.iter().rev().take_while(|byte| is_part(byte)).count();
        let table = &before[before.len() - length..];
        self.tables.set(self.tables.get() + 1);
        if table.is_empty() || self.tables.get() > MAX_SEARCHES {
            return false;
        }
        let text = &self.file.source.text;
        let has = |words: &[u8]| memchr::memmem::find(text, words).is_some();
        let given = [b"local ", table, b" = {"].concat();
        has(&given) && !has(b"setmetatable") && !has(b"setfenv")
    }
}

/// Returns the texts of the library's files that pieces of Lua load, and of those that these load.
pub(super) fn loaded<'t>(engine: &Engine, lua: impl Iterator<Item = &'t [u8]>) -> Vec<Vec<u8>> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut sought: Vec<String> = lua.flat_map(names).collect();
    let mut texts = Vec::new();
    while let Some(name) = sought.pop().filter(|_| texts.len() < MAX_FILES) {
        if !seen.insert(name.clone()) {
            continue;
        }
        if let Some(text) = engine.library_file(&name) {
            sought.extend(names(&text));
            texts.push(text);
        }
    }
    texts
}

/// Returns whether any of the texts assigns to a global name.
pub(super) fn give(texts: &[Vec<u8>], name: &str) -> bool {
    texts.iter().any(|text| assigns(text, name.as_bytes()))
}

/// Returns the names of files that a text loads, where they are written out.
fn names(lua: &[u8]) -> Vec<String> {
    let starts = LOADERS
        .iter()
        .flat_map(|loader| memmem::find_iter(lua, *loader).map(|start| start + loader.len()));
    starts.filter_map(|start| quoted(&lua[start..])).collect()
}

/// Returns the text in quotes that a text begins with, perhaps in parentheses.
fn quoted(text: &[u8]) -> Option<String> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"(").unwrap_or(text).trim_ascii_start();
    let (quote, rest) = text.split_first().filter(|(byte, _)| matches!(byte, b'"' | b'\''))?;
    let end = memchr::memchr2(*quote, b'\n', rest)?;
    (rest[end] == *quote).then(|| String::from_utf8_lossy(&rest[..end]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_with_and_without_parentheses() {
        let lua = b"crawl_require(\"dlua/a.lua\") require 'b.lua' dofile( 'c.lua' ) require(name)";
        assert_eq!(names(lua), ["dlua/a.lua", "b.lua", "c.lua"]);
        assert!(names(b"require('never ends\n')").is_empty());
    }
}
