//! Hints for errors of syntax that come from the line above, or from an entry that looks like none.

use vaultwright_engine::{Code, Problem};
use vaultwright_syntax::{Header, SyntaxErrorKind};

use crate::call_slips::is_continued;
use crate::spans::line_around;

/// Returns the hint for an error of syntax, where its own is not what is meant.
pub(crate) fn hint(problem: &Problem) -> Option<String> {
    match problem.code {
        Code::Syntax(SyntaxErrorKind::UnexpectedToken) => lone_digit(problem),
        Code::Syntax(SyntaxErrorKind::UnexpectedCharacter) => behind_lua(problem),
        _ => None,
    }
}

/// `MONS: 9`, where 9 on the map would be a random monster without it.
fn lone_digit(problem: &Problem) -> Option<String> {
    let text = &problem.file.source.text;
    let line = &text[line_around(text, problem.span.start)];
    let word = text.get(problem.span.clone())?.trim_ascii();
    let [digit @ b'0'..=b'9'] = word else { return None };
    let digit = char::from(*digit);
    line.starts_with(Header::Mons.keyword().as_bytes()).then(|| {
        format!(
            "an entry has two characters at least: write any for a random monster{}",
            if matches!(digit, '0' | '8' | '9') {
                format!(", or put {digit} on the map, without an entry")
            } else {
                String::new()
            }
        )
    })
}

/// A line that goes on with Lua of the line above.
fn behind_lua(problem: &Problem) -> Option<String> {
    let text = &problem.file.source.text;
    let own = line_around(text, problem.span.start);
    let above = line_around(text, own.start.checked_sub(1)?);
    is_continued(&text[above]).then(|| {
        "the line above is Lua, which does not go on so: begin this one with ':'".to_owned()
    })
}
