//! Names that files share: maps, tags, functions; where they are given and used.

use std::ops::Range;
use std::sync::Arc;

use vaultwright::SourceFile;
use vaultwright::lint::{LuaWord, lua_words};
use vaultwright::syntax::{Header, TokenKind};

use crate::Document;

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// A map.
    Map,
    /// A tag of maps.
    Tag,
    /// A function that scripts define.
    Function,
}

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// What it is of.
    pub kind: NameKind,
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A place where a name stands.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The bytes.
    pub span: Range<usize>,
    /// Whether the name is given there: `NAME:`, `TAGS:`, `function`.
    pub is_definition: bool,
}

/// What a name is where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Definition,
    Use,
}

/// Returns the name at a byte.
#[must_use]
pub fn name_at(document: &Document, offset: usize) -> Option<Name> {
    let around = |name: &(Name, Role)| name.0.span.start <= offset && offset <= name.0.span.end;
    names(document).into_iter().find(around).map(|(name, _)| name)
}

/// Returns where a name stands in files, in their order.
#[must_use]
pub fn occurrences(name: &Name, files: &[Arc<SourceFile>]) -> Vec<Occurrence> {
    let fits = |other: &Name| other.text == name.text && other.kind == name.kind;
    let mut found = Vec::new();
    for file in files {
        if !contains(&file.source.text, name.text.as_bytes()) {
            continue;
        }
        let own = names(&Document::of(Arc::clone(file))).into_iter();
        found.extend(own.filter(|(other, _)| fits(other)).map(|(other, role)| {
            let is_definition = role == Role::Definition;
            Occurrence { file: Arc::clone(file), span: other.span, is_definition }
        }));
    }
    found
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}

/// Returns all names of a document, and whether they are given there.
fn names(document: &Document) -> Vec<(Name, Role)> {
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
                Some(Header::Subvault) => subvaults(text, &token.span(), &mut found),
                _ => {}
            },
            _ => {}
        }
    }
    for map in &document.file().tree.maps {
        push(text, map.name.span(), NameKind::Map, Role::Definition, &mut found);
    }
    for span in document.lua() {
        functions(text, &span, &mut found);
    }
    found.sort_by_key(|(name, _)| name.span.start);
    found.dedup_by(|(a, _), (b, _)| a.span == b.span);
    found
}

fn push(
    text: &[u8],
    span: Range<usize>,
    kind: NameKind,
    role: Role,
    found: &mut Vec<(Name, Role)>,
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

/// Returns the words of a stretch, separated by blanks.
fn words(text: &[u8], span: &Range<usize>) -> Vec<Range<usize>> {
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

/// Adds the tags of `SUBVAULT: A : tag:20 / one_tag another`.
fn subvaults(text: &[u8], span: &Range<usize>, found: &mut Vec<(Name, Role)>) {
    let argument = &text[span.clone()];
    let Some(colon) = argument.iter().position(|byte| matches!(byte, b':' | b'=')) else { return };
    let mut start = span.start + colon + 1;
    for part in argument[colon + 1..].split(|&byte| byte == b'/') {
        let length = part.iter().position(|&byte| byte == b':').unwrap_or(part.len());
        for span in words(text, &(start..start + length)) {
            push(text, span, NameKind::Tag, Role::Use, found);
        }
        start += part.len() + 1;
    }
}

/// Functions that are defined with `function name`, calls, and texts that are a name, as markers
/// take them.
fn functions(text: &[u8], span: &Range<usize>, found: &mut Vec<(Name, Role)>) {
    let source = &text[span.clone()];
    let words = lua_words(source);
    for (index, (word, at)) in words.iter().enumerate() {
        let piece = &source[at.clone()];
        let before = index.checked_sub(1).map(|before| &source[words[before].1.clone()]);
        let after = words.get(index + 1).map(|(_, span)| &source[span.clone()]);
        let here = span.start + at.start..span.start + at.end;
        match word {
            LuaWord::Name => {
                let is_definition = before == Some(b"function");
                let is_member = matches!(before, Some(b"." | b":"));
                let is_call = matches!(after, Some(b"(" | b"{"));
                if is_definition || is_call && !is_member {
                    let role = if is_definition { Role::Definition } else { Role::Use };
                    push(text, here, NameKind::Function, role, found);
                }
            }
            LuaWord::Text if piece.len() > 2 => {
                let inner = here.start + 1..here.end - 1;
                let is_name =
                    text[inner.clone()].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
                if is_name {
                    push(text, inner, NameKind::Function, Role::Use, found);
                }
            }
            _ => {}
        }
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
}
