//! The class of each piece of a text, for syntax highlighting.

use std::ops::Range;

use vaultwright::lint::{LuaWord, lua_words};
use vaultwright::syntax::{Header, TokenKind};

use crate::Document;
use crate::document::LuaText;
use crate::functions::script_functions;
use crate::locals::{Scope, scopes};

/// The class of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenClass {
    /// A header's keyword, `MAP`, `ENDMAP`, or the brackets of Lua blocks.
    Header,
    /// The name of a map in its definition.
    MapName,
    /// A tag.
    Tag,
    /// The argument of a header.
    Argument,
    /// A number or a weight.
    Number,
    /// A separator between arguments.
    Separator,
    /// A row of a drawing.
    Row,
    /// A comment, of the language or of Lua.
    Comment,
    /// A keyword of Lua.
    LuaKeyword,
    /// A name in Lua.
    LuaName,
    /// A call of a script function.
    LuaFunction,
    /// A string in Lua.
    LuaText,
    /// A number in Lua.
    LuaNumber,
    /// An operator or bracket of Lua.
    LuaSign,
}

impl TokenClass {
    /// All classes, in the order of their numbers.
    pub const ALL: [TokenClass; 14] = [
        TokenClass::Header,
        TokenClass::MapName,
        TokenClass::Tag,
        TokenClass::Argument,
        TokenClass::Number,
        TokenClass::Separator,
        TokenClass::Row,
        TokenClass::Comment,
        TokenClass::LuaKeyword,
        TokenClass::LuaName,
        TokenClass::LuaFunction,
        TokenClass::LuaText,
        TokenClass::LuaNumber,
        TokenClass::LuaSign,
    ];

    /// Returns the class's name for pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TokenClass::Header => "header",
            TokenClass::MapName => "map-name",
            TokenClass::Tag => "tag",
            TokenClass::Argument => "argument",
            TokenClass::Number => "number",
            TokenClass::Separator => "separator",
            TokenClass::Row => "row",
            TokenClass::Comment => "comment",
            TokenClass::LuaKeyword => "lua-keyword",
            TokenClass::LuaName => "lua-name",
            TokenClass::LuaFunction => "lua-function",
            TokenClass::LuaText => "lua-text",
            TokenClass::LuaNumber => "lua-number",
            TokenClass::LuaSign => "lua-sign",
        }
    }
}

/// A piece of text that does not extend beyond a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextToken {
    /// The byte range.
    pub span: Range<usize>,
    /// The class.
    pub class: TokenClass,
}

/// Returns the classified pieces of a text, in order.
#[must_use]
pub fn tokens(document: &Document) -> Vec<TextToken> {
    let text = document.text();
    let mut found = Vec::new();
    let mut header = None;
    for token in document.tokens() {
        let mut add = |class| push(text, token.span(), class, &mut found);
        match token.kind {
            TokenKind::Keyword(here) => {
                header = Some(here);
                add(TokenClass::Header);
            }
            TokenKind::MapStart | TokenKind::MapEnd => add(TokenClass::Header),
            TokenKind::Comment => add(TokenClass::Comment),
            TokenKind::Row => add(TokenClass::Row),
            TokenKind::Number | TokenKind::Percent => add(TokenClass::Number),
            TokenKind::Comma | TokenKind::Punctuation => add(TokenClass::Separator),
            TokenKind::Newline => header = None,
            TokenKind::Argument
            | TokenKind::ArgumentPart
            | TokenKind::Item
            | TokenKind::Parenthesised => {
                arguments(text, &token.span(), header, &mut found);
            }
            _ => {}
        }
    }
    for map in &document.file().tree.maps {
        push(text, map.name.span(), TokenClass::MapName, &mut found);
    }
    for text in document.lua_texts() {
        lua(&text, &mut found);
    }
    found.sort_by_key(|token| (token.span.start, token.span.end));
    without_overlaps(found)
}

/// Adds the tokens of a header's argument: tags, prose, or words with separators and weights.
fn arguments(text: &[u8], span: &Range<usize>, header: Option<Header>, found: &mut Vec<TextToken>) {
    let class = match header {
        // Its position is known from the tree.
        Some(Header::Name) => return,
        Some(Header::Tags) => return push(text, span.clone(), TokenClass::Tag, found),
        // Prose.
        Some(Header::Desc | Header::Welcome) => {
            return push(text, span.clone(), TokenClass::Argument, found);
        }
        _ => TokenClass::Argument,
    };
    let mut start = span.start;
    for at in span.clone() {
        let is_separator = matches!(text[at], b'/' | b'=' | b',' | b';' | b'|');
        if is_separator {
            words(text, start..at, class, found);
            push(text, at..at + 1, TokenClass::Separator, found);
            start = at + 1;
        }
    }
    words(text, start..span.end, class, found);
}

/// Adds the tokens of a range without separators, where a weight at the end is a number.
fn words(text: &[u8], span: Range<usize>, class: TokenClass, found: &mut Vec<TextToken>) {
    let piece = text[span.clone()].trim_ascii_end();
    let span = span.start..span.start + piece.len();
    let digits = piece.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let colon = piece.len().checked_sub(digits + 1).filter(|&at| digits > 0 && piece[at] == b':');
    match colon {
        Some(at) => {
            push(text, span.start..span.start + at, class, found);
            push(text, span.start + at..span.end, TokenClass::Number, found);
        }
        None => push(text, span, class, found),
    }
}

fn lua(lua: &LuaText, found: &mut Vec<TextToken>) {
    let source = &lua.text[..];
    let (comments, words): (Vec<_>, Vec<_>) =
        lua_words(source).into_iter().partition(|(word, _)| *word == LuaWord::Comment);
    let scopes = scopes(source, &words);
    let mut own = Vec::new();
    for (_, at) in comments {
        push(source, at, TokenClass::Comment, &mut own);
    }
    for (index, (word, at)) in words.iter().enumerate() {
        let is_free = scopes[index] == Scope::Free;
        let class = match word {
            LuaWord::Keyword => TokenClass::LuaKeyword,
            LuaWord::Name if is_free && is_function(source, &words[..=index]) => {
                TokenClass::LuaFunction
            }
            LuaWord::Name => TokenClass::LuaName,
            LuaWord::Number => TokenClass::LuaNumber,
            LuaWord::Text => TokenClass::LuaText,
            LuaWord::Sign => TokenClass::LuaSign,
            LuaWord::Comment => TokenClass::Comment,
        };
        push(source, at.clone(), class, &mut own);
    }
    found.extend(own.into_iter().map(|token| TextToken {
        span: lua.start + token.span.start..lua.start + token.span.end,
        ..token
    }));
}

/// Returns whether the last of these words ends the name of a script function.
fn is_function(source: &[u8], words: &[(LuaWord, Range<usize>)]) -> bool {
    let Some((_, last)) = words.last() else { return false };
    let mut start = last.start;
    let mut rest = &words[..words.len() - 1];
    while let [before @ .., (LuaWord::Name, name), (LuaWord::Sign, dot)] = rest
        && &source[dot.clone()] == b"."
    {
        start = name.start;
        rest = before;
    }
    let name = &source[start..last.end];
    script_functions().iter().any(|function| function.name.as_bytes() == name)
}

/// Adds a piece, line by line, without surrounding blanks.
fn push(text: &[u8], span: Range<usize>, class: TokenClass, found: &mut Vec<TextToken>) {
    let mut start = span.start;
    for line in text[span.clone()].split_inclusive(|&byte| byte == b'\n') {
        let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let length = line.trim_ascii().len();
        if length > 0 {
            found.push(TextToken { span: start + blank..start + blank + length, class });
        }
        start += line.len();
    }
}

fn without_overlaps(tokens: Vec<TextToken>) -> Vec<TextToken> {
    let mut end = 0;
    let apart = tokens.into_iter().filter(|token| {
        let is_apart = token.span.start >= end;
        if is_apart {
            end = token.span.end;
        }
        is_apart
    });
    apart.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(&str, TokenClass)> {
        let document = Document::new("a.des", text.as_bytes());
        let tokens = tokens(&document);
        tokens.into_iter().map(|token| (&text[token.span], token.class)).collect()
    }

    #[test]
    fn every_kind_of_line_has_its_tokens() {
        use TokenClass::*;
        let found = classes(
            "# note\nNAME: a_pond\nTAGS: transparent\nMONS: rat w:5 / bat\n: if you.depth() > 2 then\nMAP\n.1.\nENDMAP\n",
        );
        let expected = [
            ("# note", Comment),
            ("NAME:", Header),
            ("a_pond", MapName),
            ("TAGS:", Header),
            ("transparent", Tag),
            ("MONS:", Header),
            ("rat w", Argument),
            (":5", Number),
            ("/", Separator),
            ("bat", Argument),
            ("if", LuaKeyword),
            ("you", LuaName),
            (".", LuaSign),
            ("depth", LuaFunction),
            ("(", LuaSign),
            (")", LuaSign),
            (">", LuaSign),
            ("2", LuaNumber),
            ("then", LuaKeyword),
            ("MAP", Header),
            (".1.", Row),
            ("ENDMAP", Header),
        ];
        for wanted in expected {
            assert!(found.contains(&wanted), "{wanted:?} is not in {found:?}");
        }
    }

    fn check_order(text: &str) {
        let document = Document::new("a.des", text.as_bytes());
        let mut end = 0;
        for token in tokens(&document) {
            assert!(token.span.start >= end && !text[token.span.clone()].contains('\n'));
            end = token.span.end;
        }
    }

    #[test]
    fn tokens_are_in_order_and_within_lines() {
        check_order("NAME: a\n{{\nlocal x = [[ a\nb ]]\n-- c\n}}\nMAP\n.\n");
    }

    #[test]
    fn a_file_may_end_anywhere_in_lua() {
        let text = "{{\n--[==[ a\n]] ]==]\n}}\nNAME: a\n: x = [[ y\nMONS: rat\n: ]] --[[\n\
                    MARKER: A = lua:f(--[[\n{{\n--[[\n}}\n: ]] '\\\nMAP\n.\nENDMAP\n";
        for (end, _) in text.char_indices() {
            check_order(&text[..end]);
            check_order(&format!("{}\n", &text[..end]));
            check_order(&text[end..]);
        }
    }

    #[test]
    fn lua_is_read_over_its_lines() {
        use TokenClass::*;
        let found = classes(
            "{{\n--[[ a\nlocal b = 1\n]]\ns = [[\nc() ]]\n}}\nNAME: a\n: --[[\nMONS: rat\n: d()\n: ]]\nMAP\n.\n",
        );
        for wanted in [("local b = 1", Comment), ("c() ]]", LuaText), ("d()", Comment)] {
            assert!(found.contains(&wanted), "{wanted:?} is not in {found:?}");
        }
    }

    #[test]
    fn a_parameter_is_no_function_of_scripts() {
        let found = classes("{{\nfunction f(marker)\n  return marker\nend\nmarker('a')\n}}\n");
        let marker = |class| found.iter().filter(|of| **of == ("marker", class)).count();
        assert_eq!((marker(TokenClass::LuaName), marker(TokenClass::LuaFunction)), (2, 1));
    }
}
