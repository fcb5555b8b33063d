//! Lua as words, for highlighting and completion, even if it is incomplete.

use std::ops::Range;

use super::token::{Kind, Scanner};

/// The kind of a word in Lua.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LuaWord {
    /// `if`, `local`, …
    Keyword,
    /// Any name.
    Name,
    /// A number.
    Number,
    /// A string, including its quotes.
    Text,
    /// An operator or a bracket.
    Sign,
    /// A comment.
    Comment,
}

/// Returns the words of a piece of Lua, in order. Skips the rest of a line that is not Lua, and
/// treats an unfinished string as a string.
#[must_use]
pub fn lua_words(text: &[u8]) -> Vec<(LuaWord, Range<usize>)> {
    let mut scanner = Scanner::new(text);
    let mut words = Vec::new();
    loop {
        let before = scanner.at;
        let skipped = scanner.skip_blanks();
        push_comment(text, before..scanner.at.min(text.len()), &mut words);
        let start = scanner.at.min(text.len());
        let kind = skipped.and_then(|()| scanner.kind());
        let word = match kind {
            Some(Kind::End) => return words,
            Some(Kind::Name(_)) => LuaWord::Name,
            Some(Kind::Number(_)) => LuaWord::Number,
            Some(Kind::Text(_)) => LuaWord::Text,
            Some(Kind::Sign(sign)) if sign.as_bytes()[0].is_ascii_alphabetic() => LuaWord::Keyword,
            Some(Kind::Sign(_)) => LuaWord::Sign,
            // A header by itself is not Lua.
            Some(Kind::Header(_)) | None => {
                let rest = &text[start..];
                let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                if matches!(rest.first(), Some(b'"' | b'\'' | b'[')) {
                    words.push((LuaWord::Text, start..start + length));
                }
                // Advances by at least one byte, to ensure termination.
                scanner.at = (start + length).max(start + 1);
                continue;
            }
        };
        words.push((word, start..scanner.at));
    }
}

fn push_comment(text: &[u8], gap: Range<usize>, words: &mut Vec<(LuaWord, Range<usize>)>) {
    let blanks = &text[gap.clone()];
    let Some(start) = blanks.iter().position(|byte| !byte.is_ascii_whitespace()) else { return };
    let end = blanks.iter().rposition(|byte| !byte.is_ascii_whitespace()).unwrap_or(start);
    words.push((LuaWord::Comment, gap.start + start..gap.start + end + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(LuaWord, &str)> {
        let words = lua_words(text.as_bytes());
        words.into_iter().map(|(word, span)| (word, &text[span])).collect()
    }

    #[test]
    fn words_are_told_apart() {
        use LuaWord::*;
        let words = of("if a.b == 'x' then -- why\n f(1) end");
        let expected = [
            (Keyword, "if"),
            (Name, "a"),
            (Sign, "."),
            (Name, "b"),
            (Sign, "=="),
            (Text, "'x'"),
            (Keyword, "then"),
            (Comment, "-- why"),
            (Name, "f"),
            (Sign, "("),
            (Number, "1"),
            (Sign, ")"),
            (Keyword, "end"),
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn unfinished_lua_has_words() {
        use LuaWord::*;
        assert_eq!(
            of("kmons(\"A = ra\nx"),
            [(Name, "kmons"), (Sign, "("), (Text, "\"A = ra"), (Name, "x")]
        );
        assert_eq!(of("@ x\ny"), [(Name, "y")]);
        assert_eq!(of("--[[ never closed"), [(Comment, "--[[")]);
        assert_eq!(of("[[ never"), [(Text, "[[ never")]);
    }
}
