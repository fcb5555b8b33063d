//! Hints for Lua errors.

use vaultwright_engine::Problem;
use vaultwright_syntax::Header;

use crate::fixes::line_around;

/// Lua's messages about common mistakes, and what to do about them.
const USUAL: [(&str, &str); 9] = [
    (
        "of the marker is not finished",
        "close every bracket, text and function of it; a line that ends in \\ goes on below",
    ),
    (
        "is one expression, which ends",
        "a function in a Lua block may do more, and the marker call it",
    ),
    ("no comment may stand behind", "write the comment on a line of its own"),
    ("unfinished string", "close the text with the quote that opens it, on the same line"),
    ("near '!'", "Lua writes ~= for 'is not the same', and `not` for 'not'"),
    ("'then' expected near '='", "write == to compare: = assigns"),
    ("'then' expected", "write `then` behind the condition"),
    ("'do' expected", "write `do` behind the head of the loop"),
    ("'end' expected", "an `end` is missing; `else if` needs one more than `elseif`"),
];

/// Returns the hint for a Lua error about which nothing else is known.
pub(crate) fn hint(problem: &Problem) -> String {
    let message = &*problem.message;
    if let Some((_, rest)) = message.split_once("attempt to call global '") {
        return of_global(rest);
    }
    let is_syntax = message.contains("expected near") || message.contains("near '<eof>'");
    if is_syntax && stands_in_block(problem) {
        return "a header such as this stands inside a Lua block that is not closed".to_owned();
    }
    if let Some((_, hint)) = USUAL.iter().find(|(words, _)| message.contains(words)) {
        return (*hint).to_owned();
    }
    if message.contains("near '<eof>'") {
        return "the Lua ends too early: a block, bracket or call is not closed".to_owned();
    }
    if message.contains("a nil value") {
        return "a name is misspelt, or the value was never set".to_owned();
    }
    "the line is Lua; `vaultwright dump` shows it with the calls that the headers become".to_owned()
}

/// Returns the hint for a call of a global that is not a function, given Lua's message.
fn of_global(rest: &str) -> String {
    match rest.split_once("' (a ") {
        Some((name, value)) if !value.starts_with("nil") => {
            format!("something has been assigned to '{name}' before: give that another name")
        }
        _ => "no function of that name exists here; is the file that defines it required?".into(),
    }
}

/// Returns whether the line of the error is a header.
fn stands_in_block(problem: &Problem) -> bool {
    let text = &problem.file.source.text;
    let line = text[line_around(text, problem.span.start)].trim_ascii_start();
    Header::all().any(|(_, keyword)| line.starts_with(keyword.as_bytes()))
}
