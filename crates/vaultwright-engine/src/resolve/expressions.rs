//! What is wrong with the Lua of `MARKER: K = lua:EXPRESSION`. It is compiled within a call that
//! the author has not written, so that Lua's own message may be of words that are not there.

use std::ops::Range;
use std::sync::Arc;

use vaultwright_lua::mlua::{self, Lua};
use vaultwright_lua::{Failure, FailureKind, compile};
use vaultwright_syntax::{Chunk, PieceBody};

use crate::pack::problem::{ChunkError, Code};
use crate::pack::source_file::SourceFile;

/// Returns what is wrong with the first marker's expression of a chunk that does not compile;
/// `None` if they are all whole, or if what Lua says of them holds.
pub(crate) fn wrong_marker(
    lua: &Lua,
    chunk: &Chunk,
    file: &Arc<SourceFile>,
    error: &mlua::Error,
) -> Option<ChunkError> {
    let failure = Failure::new(error);
    let line = chunk.first_line()? + failure.frames.first()?.line.max(1) - 1;
    if failure.kind != FailureKind::Syntax {
        return None;
    }
    // What is unfinished may be missed only further down.
    let pieces = chunk.pieces.iter().take_while(|piece| piece.line <= line);
    let text = &file.source.text;
    let (expression, wrong) = pieces.into_iter().find_map(|piece| match &piece.body {
        PieceBody::LuaMarker { expression, .. } => {
            Some((expression, wrong_expression(lua, expression.bytes(text))?))
        }
        _ => None,
    })?;
    let mut span = expression.span();
    // One that goes on over several lines is told of as a whole.
    if text.get(span.clone()) == Some(expression.bytes(text)) {
        span = span.start + wrong.place.start..span.start + wrong.place.end;
    }
    Some(ChunkError {
        code: Code::Lua,
        message: wrong.message,
        place: Some((Arc::clone(file), span)),
        is_of_stand_in: false,
    })
}

/// How often the end of an expression is looked for before the word that Lua names.
const MAX_TRIES: usize = 16;

/// What is wrong, and where in the expression.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    message: String,
    place: Range<usize>,
}

/// Returns what Lua would say of an expression that stood alone, if it has missed its end.
fn wrong_expression(lua: &Lua, expression: &[u8]) -> Option<Wrong> {
    let compiled = |text: &[&[u8]]| compile(lua, "expression", &text.concat()).err();
    let end = expression.trim_ascii_end().len();
    let Some(error) = compiled(&[b"return ", expression]) else {
        let text = b" return function() return ";
        let is_hidden = compiled(&[text, expression, b" end"]).is_some();
        let at = expression.windows(2).rposition(|two| two == b"--").filter(|_| is_hidden)?;
        let message = "no comment may stand behind the Lua of a marker".to_owned();
        return Some(Wrong { message, place: at..end });
    };
    let message = Failure::new(&error).message;
    if let Some(near) = message.strip_prefix("'<eof>' expected near ") {
        let word = near.trim_matches('\'').as_bytes();
        let places = (0..end).filter(|&at| expression[at..].starts_with(word));
        let at = places.take(MAX_TRIES).find(|&at| {
            let before = &expression[..at];
            !before.trim_ascii().is_empty() && compiled(&[b"return ", before]).is_none()
        });
        let message = format!("the Lua of a marker is one expression, which ends before {near}");
        let place = at.map_or(0..end, |at| at..at + word.len());
        return Some(Wrong { message, place });
    }
    let (missing, _) = message.split_once(" near '<eof>'")?;
    let missing = match missing {
        "unexpected symbol" => String::new(),
        // There is no line but the one of the marker.
        missing => format!(": {}", missing.split(" (to close").next().unwrap_or(missing)),
    };
    let message = format!("the Lua of the marker is not finished{missing}");
    Some(Wrong { message, place: end.saturating_sub(1)..end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_told_of_by_their_own_words() {
        let lua = Lua::new();
        let wrong = |expression: &str| {
            let wrong = wrong_expression(&lua, expression.as_bytes());
            wrong.map(|wrong| (wrong.message, expression[wrong.place].to_owned()))
        };
        let unfinished = |more: &str, last: &str| {
            let message = format!("the Lua of the marker is not finished{more}");
            Some((message, last.to_owned()))
        };
        let before = |word: &str| {
            let message = "the Lua of a marker is one expression, which ends before";
            Some((format!("{message} '{word}'"), word.to_owned()))
        };
        assert_eq!(wrong("props_marker {"), unfinished("", "{"));
        assert_eq!(wrong("f(((  "), unfinished("", "("));
        assert_eq!(wrong("f { a = 1"), unfinished(": '}' expected", "1"));
        assert_eq!(wrong("function() return 1"), unfinished(": 'end' expected", "1"));
        assert_eq!(wrong("f('a"), unfinished(": unfinished string", "a"));
        assert_eq!(wrong("a(1) 1"), before("1"));
        assert_eq!(wrong("f() end"), before("end"));
        assert_eq!(wrong("2 2"), before("2"));
        let many = format!("f({}1) 1", "1, ".repeat(MAX_TRIES));
        assert_eq!(wrong(&many).map(|(_, place)| place), Some(many.clone()));
        let comment = "no comment may stand behind the Lua of a marker".to_owned();
        assert_eq!(wrong("f('--') -- why"), Some((comment, "-- why".to_owned())));
        assert_eq!([wrong("f()"), wrong("f { a = 1 )")], [None, None]);
    }
}
