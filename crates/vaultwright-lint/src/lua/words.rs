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
        if skipped.is_none() {
            // A long comment that nothing closes.
            scanner.at = line_end(text, scanner.at);
        }
        push_comment(text, before..scanner.at, &mut words);
        if skipped.is_none() {
            continue;
        }
        let start = scanner.at;
        let word = match scanner.kind() {
            Some(Kind::End) => return words,
            Some(Kind::Name(_)) => LuaWord::Name,
            Some(Kind::Number(_)) => LuaWord::Number,
            Some(Kind::Text(_)) => LuaWord::Text,
            Some(Kind::Sign(sign)) if sign.as_bytes()[0].is_ascii_alphabetic() => LuaWord::Keyword,
            Some(Kind::Sign(_)) => LuaWord::Sign,
            // A header by itself is not Lua.
            Some(Kind::Header(_)) | None => {
                let end = line_end(text, start);
                if matches!(text.get(start), Some(b'"' | b'\'' | b'[')) {
                    words.push((LuaWord::Text, start..end));
                }
                // At least one byte further, so that it ends.
                scanner.at = end.max(start + 1).min(text.len());
                continue;
            }
        };
        words.push((word, start..scanner.at));
    }
}

/// Returns where the line of a byte ends, without its `\n`.
fn line_end(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
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
    fn wherever_lua_is_cut_off_its_words_lie_in_it() {
        let whole = "x = [==[ a\n]] ]==] --[[ b\n]] y --[=[\nc ]=] -- d\n\"e\\\"\" '\\x41' \\z [[";
        for start in 0..whole.len() {
            for end in start..=whole.len() {
                let mut last = 0;
                for (_, span) in lua_words(&whole.as_bytes()[start..end]) {
                    assert!(last <= span.start && span.start < span.end, "{start}..{end} {span:?}");
                    last = span.end;
                }
                assert!(last <= end - start, "{start}..{end}");
            }
        }
    }

    #[test]
    fn unfinished_lua_has_words() {
        use LuaWord::*;
        assert_eq!(
            of("kmons(\"A = ra\nx"),
            [(Name, "kmons"), (Sign, "("), (Text, "\"A = ra"), (Name, "x")]
        );
        assert_eq!(of("@ x\ny"), [(Name, "y")]);
        assert_eq!(of("--[[ never closed"), [(Comment, "--[[ never closed")]);
        assert_eq!(of("--[==[ never\nx"), [(Comment, "--[==[ never"), (Name, "x")]);
        assert_eq!(of("[[ never"), [(Text, "[[ never")]);
    }
}
