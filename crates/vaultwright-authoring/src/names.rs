//! Names shared by files: maps, tags and functions, where they are defined and used.

use std::ops::Range;
use std::sync::Arc;

use vaultwright::SourceFile;
use vaultwright::syntax::{Header, TokenKind};

use crate::Document;
use crate::lua_names::lua_names;

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// A map.
    Map,
    /// A tag of maps.
    Tag,
    /// A function defined by scripts.
    Function,
}

/// A name at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// What it refers to.
    pub kind: NameKind,
    /// The name.
    pub text: String,
    /// The byte range.
    pub span: Range<usize>,
}

/// A position where a name occurs.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The byte range.
    pub span: Range<usize>,
    /// Whether the name is defined there: `NAME:`, `TAGS:`, `tags(…)`, `function`.
    pub is_definition: bool,
}

/// The role of a name where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Definition,
    Use,
    /// A word of Lua that is the function if there is one.
    Mention,
}

pub(crate) type Found = (Name, Role);

/// Returns the name at a byte.
#[must_use]
pub fn name_at(document: &Document, offset: usize) -> Option<Name> {
    let around = |(name, role): &Found| {
        let is_name = matches!(role, Role::Definition | Role::Use);
        is_name && name.span.start <= offset && offset <= name.span.end
    };
    names(document).into_iter().find(around).map(|(name, _)| name)
}

/// Returns where a name occurs in files, in order.
#[must_use]
pub fn occurrences(name: &Name, files: &[Arc<SourceFile>]) -> Vec<Occurrence> {
    let mut found = Vec::new();
    for file in files {
        if contains(&file.source.text, name.text.as_bytes()) {
            found.extend(in_file(name, file));
        }
    }
    // If there is no such function, a mentioned word is just a variable.
    if !found.iter().any(|(_, role)| *role == Role::Definition) {
        found.retain(|(_, role)| *role != Role::Mention);
    }
    found.into_iter().map(|(occurrence, _)| occurrence).collect()
}

fn in_file(name: &Name, file: &Arc<SourceFile>) -> Vec<(Occurrence, Role)> {
    let mut own = names(&Document::of(Arc::clone(file)));
    own.retain(|(other, _)| other.text == name.text && other.kind == name.kind);
    let places = own.into_iter().map(|(other, role)| {
        let is_definition = role == Role::Definition;
        (Occurrence { file: Arc::clone(file), span: other.span, is_definition }, role)
    });
    places.collect()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}

/// Returns all names of a document, with their roles.
fn names(document: &Document) -> Vec<Found> {
    let text = document.text();
    let mut found = Vec::new();
    let mut header = None;
    for token in document.tokens() {
        match token.kind {
            TokenKind::Keyword(here) => header = Some(here),
            TokenKind::Newline => header = None,
            TokenKind::Argument | TokenKind::ArgumentPart | TokenKind::Item => match header {
                Some(Header::Tags) => {
                    for span in words(text, &token.span()) {
                        push(text, span, NameKind::Tag, Role::Definition, &mut found);
                    }
                }
                Some(Header::Subvault) => {
                    subvault_tags(text, &token.span(), None, &mut found);
                }
                _ => {}
            },
            _ => {}
        }
    }
    for map in &document.file().tree.maps {
        push(text, map.name.span(), NameKind::Map, Role::Definition, &mut found);
    }
    for lua in document.lua_texts() {
        lua_names(&lua, &mut found);
    }
    found.sort_by_key(|(name, _)| name.span.start);
    found.dedup_by(|(a, _), (b, _)| a.span == b.span);
    found
}

/// Adds a name without surrounding blanks, unless nothing else is left.
pub(crate) fn push(
    text: &[u8],
    span: Range<usize>,
    kind: NameKind,
    role: Role,
    found: &mut Vec<Found>,
) {
    let piece = &text[span.clone()];
    let blank = piece.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let trimmed = piece.trim_ascii();
    if !trimmed.is_empty() {
        let span = span.start + blank..span.start + blank + trimmed.len();
        let text = String::from_utf8_lossy(trimmed).into_owned();
        found.push((Name { kind, text, span }, role));
    }
}

/// Returns the words of a range, separated by blanks.
pub(crate) fn words(text: &[u8], span: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = span.start;
    for word in text[span.clone()].split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            found.push(start..start + word.len());
        }
        start += word.len() + 1;
    }
    found
}

/// Adds the tags of `A : tag:20 / one_tag another`. They start after the colon, unless the start is
/// given.
pub(crate) fn subvault_tags(
    text: &[u8],
    span: &Range<usize>,
    from: Option<usize>,
    found: &mut Vec<Found>,
) {
    let argument = &text[span.clone()];
    let colon = || argument.iter().position(|byte| matches!(byte, b':' | b'='));
    let Some(from) = from.or_else(|| Some(colon()? + 1)) else { return };
    let mut start = span.start + from;
    for part in argument[from..].split(|&byte| byte == b'/') {
        let length = part.iter().position(|&byte| byte == b':').unwrap_or(part.len());
        for span in words(text, &(start..start + length)) {
            push(text, span, NameKind::Tag, Role::Use, found);
        }
        start += part.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{{\nfunction wake(d) end\n}}\nNAME: pond\nTAGS: wet uniq_wet\n\
        MARKER: A = lua:function_at_spot(\"wake\", {})\nMAP\nA\nENDMAP\n\
        NAME: hall\nSUBVAULT: B : wet:20 / other\nMAP\nB\nENDMAP\n";

    fn places(word: &str) -> Vec<(usize, bool)> {
        let document = Document::new("a.des", TEXT.as_bytes());
        let name = name_at(&document, TEXT.find(word).expect("a word")).expect("a name");
        let files = [Arc::clone(document.file())];
        let found = occurrences(&name, &files);
        found.iter().map(|o| (TEXT[..o.span.start].lines().count(), o.is_definition)).collect()
    }

    #[test]
    fn maps_tags_and_functions_are_found_where_they_are_given_and_used() {
        assert_eq!(places("pond"), [(4, true)]);
        assert_eq!(places("wet uniq"), [(5, true), (11, false)]);
        assert_eq!(places("wake"), [(2, true), (6, false)]);
    }

    #[test]
    fn names_in_comments_and_texts_and_locals_are_no_functions() {
        let text = "{{\n--[[ note\nlocal x = go()\n]]\nfunction go(e)\n  return go\nend\n\
            s = [[\ngo() ]]\nalias = go\n}}\nNAME: a\n: go(_G)\nMAP\n.\nENDMAP\nNAME: b\n\
            : local go = 5\n: print(go)\nMAP\n.\nENDMAP\n";
        let document = Document::new("a.des", text.as_bytes());
        let name = Name { kind: NameKind::Function, text: "go".to_owned(), span: 0..0 };
        let found = occurrences(&name, &[Arc::clone(document.file())]);
        let lines: Vec<usize> =
            found.iter().map(|o| text[..o.span.start].lines().count()).collect();
        assert_eq!(lines, [5, 6, 10, 13]);
    }

    #[test]
    fn lua_names_what_headers_give() {
        let text = "NAME: pond\nTAGS: wet\nMAP\nA\nENDMAP\n{{\nfunction wake() end\n}}\n\
            NAME: hall\n: subvault('B : wet')\n: local map = dgn.map_by_name('pond')\n\
            : dgn.hook(_G, 'post_place', wake)\n: local f = dgn.map_by_tag(\"wet\")\nMAP\nB\nENDMAP\n";
        let document = Document::new("a.des", text.as_bytes());
        let lines = |kind, name: &str| -> Vec<usize> {
            let name = Name { kind, text: name.to_owned(), span: 0..0 };
            let found = occurrences(&name, &[Arc::clone(document.file())]);
            found.iter().map(|o| text[..o.span.start].lines().count()).collect()
        };
        assert_eq!(lines(NameKind::Tag, "wet"), [2, 10, 13]);
        assert_eq!(lines(NameKind::Map, "pond"), [1, 11]);
        assert_eq!(lines(NameKind::Function, "wake"), [7, 12]);
        // A variable is not mistaken for a function.
        assert_eq!(lines(NameKind::Function, "map"), [0usize; 0]);
    }
}
