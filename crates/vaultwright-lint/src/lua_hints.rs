//! Hints for Lua errors.

use std::borrow::Cow;

use memchr::memmem;
use vaultwright_content::Content;
use vaultwright_engine::Problem;
use vaultwright_syntax::Header;

use crate::lua;
use crate::near::{Near, nearest};
use crate::nearest_names::branches_with_levels;
use crate::spans::line_around;

/// Lua's messages about common mistakes, and what to do about them.
const USUAL: [(&str, &str); 12] = [
    ("Can't find coords for", "no cell of the map shows it: write a glyph that is drawn"),
    ("Can't find", "no file is called so: its folder and name stand there, as in dlua/vault.lua"),
    (
        "of the marker is not finished",
        "close every bracket, text and function of it; a line that ends in \\ goes on below",
    ),
    (
        "is one expression, which ends",
        "a function in a Lua block may do more, and the marker call it",
    ),
    ("no comment may stand behind", "write the comment on a line of its own"),
    ("missing argument to userdata", "call what belongs to a thing with ':', as in marker:pos()"),
    ("unfinished string", "close the text with the quote that opens it, on the same line"),
    ("near '!'", "Lua writes ~= for 'is not the same', and `not` for 'not'"),
    ("'then' expected near '='", "write == to compare: = assigns"),
    ("'then' expected", "write `then` behind the condition"),
    ("'do' expected", "write `do` behind the head of the loop"),
    ("'end' expected", "an `end` is missing; `else if` needs one more than `elseif`"),
];

/// Returns what to do about an error of Lua that nothing else is known of.
pub(crate) fn hint(problem: &Problem, content: &Content) -> String {
    let message = &*problem.message;
    if let Some(near) = meant(problem, content) {
        return near.hint();
    }
    if message.contains("DgnTriggerer can't handle event type") {
        let types: Vec<&str> = lua::triggerer_types().collect();
        return format!("it waits for one of {}", types.join(", "));
    }
    if let Some((_, rest)) = message.split_once("attempt to call global '") {
        return of_global(rest, &problem.file.source.text);
    }
    if let Some(hint) = dot_for_colon(problem) {
        return hint;
    }
    let is_syntax = message.contains("expected near") || message.contains("near '<eof>'");
    if is_syntax && line_of(problem).split_whitespace().any(|word| OTHER_ELSEIF.contains(&word)) {
        return "Lua writes `elseif`, in one word".to_owned();
    }
    if let Some(hint) = open_line(problem) {
        return hint;
    }
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

/// When hooks run.
const HOOKS: [&str; 5] = ["pre_main", "post_main", "post_place", "pre_epilogue", "post_epilogue"];

/// Returns the name that is meant by a word which a function of the engine complains of.
pub(crate) fn meant(problem: &Problem, content: &Content) -> Option<Near> {
    let message = &*problem.message;
    let between = |before: &str, behind: &str| {
        let (_, rest) = message.split_once(before)?;
        rest.split_once(behind).map(|(word, _)| word)
    };
    if let Some(name) = between("Could not resolve '", "' to a function") {
        let text = String::from_utf8_lossy(&problem.file.source.text);
        return nearest(name, functions_in(&text));
    }
    if let Some((_, hook)) = message.split_once("Bad hook table for hook ") {
        return nearest(hook.trim(), HOOKS.into_iter());
    }
    if let Some(type_) = between("DgnTriggerer can't handle event type '", "'") {
        return nearest(type_, lua::triggerer_types());
    }
    let branch = between("'", "' matches no branches")?;
    nearest(branch, branches_with_levels(content))
}

/// Returns the names of functions that a file defines.
fn functions_in(text: &str) -> impl Iterator<Item = &str> {
    let names = text.match_indices("function ").filter_map(|(at, word)| {
        let (name, _) = text[at + word.len()..].split_once('(')?;
        Some(name.trim())
    });
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    names.filter(move |name| !name.is_empty() && name.chars().all(is_part))
}

/// What other languages write for `elseif`.
const OTHER_ELSEIF: [&str; 3] = ["elif", "elsif", "elseIf"];

/// Methods that are called with a dot, and what Lua says then.
const METHODS: [(&str, &str); 5] = [
    ("new", "No parameters provided"),
    ("new", "new() needs"),
    ("new", "field 'super'"),
    ("add_triggerer", "a nil value"),
    ("add_triggerer", "triggerer has no type"),
];

fn line_of(problem: &Problem) -> Cow<'_, str> {
    let text = &problem.file.source.text;
    String::from_utf8_lossy(&text[line_around(text, problem.span.start)])
}

/// Returns what to do where a method of the library is called with a dot.
fn dot_for_colon(problem: &Problem) -> Option<String> {
    let line = line_of(problem);
    METHODS.iter().filter(|(_, words)| problem.message.contains(words)).find_map(|(method, _)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        line.match_indices(&format!(".{method}")).find_map(|(at, found)| {
            let begins = line[..at].trim_end_matches(is_part).len();
            let (object, behind) = (&line[begins..at], line[at + found.len()..].trim_start());
            let is_call = behind.starts_with(['(', '{']) && !object.is_empty();
            is_call
                .then(|| format!("write {object}:{method}: ':' hands over what stands before it"))
        })
    })
}

/// Returns what to do where a block of lines with colons, such as `: if`, is not closed.
fn open_line(problem: &Problem) -> Option<String> {
    let message = &*problem.message;
    if !message.contains("'end' expected") || !message.contains("near '<eof>'") {
        return None;
    }
    let text = &problem.file.source.text;
    let number = message.split_once(" at line ").map(|(_, rest)| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().unwrap_or(0)
    });
    let number: usize = match number {
        Some(number) => number,
        None => problem.file.lines.position(problem.span.start).line as usize,
    };
    let line = text.split(|&byte| byte == b'\n').nth(number.checked_sub(1)?)?;
    let lua = std::str::from_utf8(line.trim_ascii().strip_prefix(b":")?).ok()?;
    let word = lua.split_whitespace().next()?;
    Some(format!("the `: {word}` in line {number} needs a line `: end` in this map"))
}

/// Returns what to do where a script calls a global that is no function, by what Lua says of it.
fn of_global(rest: &str, text: &[u8]) -> String {
    match rest.split_once("' (a ") {
        Some((name, value)) if is_class(name, value, text) => {
            format!("write {name}:new: '{name}' is a class, which makes things with it")
        }
        Some((name, value)) if !value.starts_with("nil") => {
            format!("something has been assigned to '{name}' before: give that another name")
        }
        _ => "no function of that name exists here; is the file that defines it required?".into(),
    }
}

/// Returns whether a value is a table of the library with a name as classes have.
fn is_class(name: &str, value: &str, text: &[u8]) -> bool {
    let mut letters = name.chars();
    let is_capital = letters.next().is_some_and(|c| c.is_ascii_uppercase());
    let is_own = memmem::find_iter(text, name)
        .any(|at| text[at + name.len()..].trim_ascii_start().starts_with(b"="));
    value.starts_with("table") && is_capital && letters.any(|c| c.is_lowercase()) && !is_own
}

/// Returns whether the line of the error is a header without Lua of its own.
fn stands_in_block(problem: &Problem) -> bool {
    let text = &problem.file.source.text;
    let line = text[line_around(text, problem.span.start)].trim_ascii_start();
    let mut headers = Header::all().filter(|(header, _)| *header != Header::Marker);
    headers.any(|(_, keyword)| line.starts_with(keyword.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use vaultwright_content::{Edition, Rules};
    use vaultwright_engine::SourceFile;
    use vaultwright_syntax::Source;

    use super::*;
    use crate::{codes, warning};

    #[test]
    fn a_dot_in_place_of_a_colon_is_told_as_such() {
        let file = Arc::new(SourceFile::new(Source::new("a.des", *b"x\n")));
        let message = "bad argument #1 (error converting Lua missing argument to userdata)";
        let problem = warning(&file, codes::ALWAYS_REFUSED, 0..1, message.to_owned(), "");
        let content = Content::new(Rules::of(Edition::Trunk));
        let meant = "call what belongs to a thing with ':', as in marker:pos()";
        assert_eq!(hint(&problem, &content), meant);
    }
}
