//! Lua that ends or goes on where its author does not see it: a table whose `}}` ends the block, a
//! condition without `then`, an `end` without its colon.

use std::cmp::Ordering;
use std::ops::Range;

use vaultwright_engine::{Code, Fix, Problem};
use vaultwright_syntax::SyntaxErrorKind;

use crate::fixes::edit;
use crate::spans::{line_around, syntax_errors_from};

/// No more lines are looked at before or behind a mistake.
const MAX_LINES: usize = 60;

/// Moves an error of Lua to the line that is at fault, where that is another.
pub(crate) fn find_place(problem: &mut Problem) {
    if let Some((condition, _)) = open_condition(problem) {
        problem.span = condition;
    } else if let Some(end) = end_of_table(problem) {
        problem.span = end;
    }
}

/// Returns what to do, if the mistake is of this kind.
pub(crate) fn hint(problem: &Problem) -> Option<String> {
    if let Some((_, word)) = open_condition(problem) {
        return Some(format!("write `{word}` at the end of the line"));
    }
    if let Some(end) = bare_end(problem) {
        let line = problem.file.lines.position(end.start).line;
        return Some(format!("line {line} is no Lua without a colon: write `: end`"));
    }
    let end = end_of_table(problem)?;
    let (line, own) = (problem.file.lines.position(end.start).line, line_of(problem));
    Some(match line == own {
        true => "`}}` ends the block of Lua, in a table too: write `} }`".to_owned(),
        false => {
            format!("the `}}}}` in line {line} has ended the block of Lua: write `}} }}` there")
        }
    })
}

/// Returns what mends it; `None` where another problem has the fix.
pub(crate) fn fix(problem: &Problem) -> Option<Box<Fix>> {
    if let Some((condition, word)) = open_condition(problem) {
        let at = condition.end;
        return edit(&format!("write `{word}`"), at..at, &format!(" {word}"));
    }
    if let Some(end) = bare_end(problem) {
        let is_here = line_around(&problem.file.source.text, problem.span.start).start == end.start;
        return is_here.then(|| edit("write `: end`", end.start..end.start, ": "))?;
    }
    let end = end_of_table(problem)?;
    let is_here = problem.code == Code::Lua;
    is_here.then(|| edit("write `} }`", end.start + 1..end.start + 1, " "))?
}

fn line_of(problem: &Problem) -> u32 {
    problem.file.lines.position(problem.span.start).line
}

/// Returns the condition in the line before an error that has no `then`, or the loop without `do`,
/// and that word.
fn open_condition(problem: &Problem) -> Option<(Range<usize>, &'static str)> {
    let is_lua = problem.code == Code::Lua;
    let words = [("then", ["if", "elseif"]), ("do", ["for", "while"])];
    let expected = |word: &str| problem.message.contains(&format!("'{word}' expected"));
    let (word, begins) = words.into_iter().find(|(word, _)| is_lua && expected(word))?;
    let text = &problem.file.source.text;
    let own = line_around(text, problem.span.start);
    let is_open = |line: Range<usize>| {
        let (lua, words) = lua_words(text, line)?;
        (begins.contains(words.first()?) && !words.contains(&word)).then_some((lua, word))
    };
    // Who has been here before has put it there; what is wrong in the line itself is another thing.
    let near = problem.message.rsplit_once("near '").map_or("", |(_, near)| near);
    let is_near = |(lua, _): &(Range<usize>, _)| {
        let near = near.trim_end_matches('\'').as_bytes();
        memchr::memmem::find(&text[lua.clone()], near).is_some()
    };
    let here = is_open(own.clone()).filter(|open| problem.span == open.0 && !is_near(open));
    here.or_else(|| {
        let is_code = |line: &Range<usize>| {
            let line = text[line.clone()].trim_ascii();
            !line.is_empty() && !line.starts_with(b"#")
        };
        is_open(lines_before(text, own.start).find(is_code)?)
    })
}

/// Returns the Lua of a line without its colon, and its words, if there is no comment in it.
fn lua_words(text: &[u8], line: Range<usize>) -> Option<(Range<usize>, Vec<&str>)> {
    let lua = std::str::from_utf8(&text[line.clone()]).ok()?;
    if lua.contains("--") {
        return None;
    }
    let rest = lua.trim_start();
    let rest = rest.strip_prefix(':').unwrap_or(rest).trim_start();
    let start = line.start + lua.len() - rest.len();
    let is_gap = |c: char| !c.is_alphanumeric() && c != '_';
    let words = rest.split(is_gap).filter(|word| !word.is_empty()).collect();
    Some((start..start + rest.trim_end().len(), words))
}

/// Returns a line further down in the map that is `end` without a colon, for which an error waits
/// in vain, or which is the error.
fn bare_end(problem: &Problem) -> Option<Range<usize>> {
    let text = &problem.file.source.text;
    let own = line_around(text, problem.span.start);
    // Within a block it is Lua.
    let errors = &problem.file.tree.errors;
    let is_wrong =
        |line: &Range<usize>| errors.iter().any(|error| line.contains(&error.span.start));
    let is_bare =
        |line: &Range<usize>| text[line.clone()].trim_ascii_end() == b"end" && is_wrong(line);
    match problem.code {
        Code::Lua if problem.message.contains("'end' expected") => {
            let ends = |line: &Range<usize>| text[line.clone()].trim_ascii() == b"MAP";
            let opens =
                |line: &Range<usize>| text[line.clone()].windows(2).any(|pair| pair == b"{{");
            let behind = lines_behind(text, own.end);
            behind.take_while(|line| !ends(line) && !opens(line)).find(is_bare)
        }
        Code::Syntax(SyntaxErrorKind::UnexpectedCharacter) => Some(own).filter(is_bare),
        _ => None,
    }
}

/// Returns the `}}` of a table at the end of a line before or in which Lua ends too early.
fn end_of_table(problem: &Problem) -> Option<Range<usize>> {
    let text = &problem.file.source.text;
    let own = line_around(text, problem.span.start);
    let of_table = |line: Range<usize>| {
        let words = text[line.clone()].trim_ascii();
        let count = |sign: u8| words.iter().filter(|&&byte| byte == sign).count();
        let opens = words.windows(2).position(|pair| pair == b"{{");
        // A block may begin and end in one line.
        let is_block = opens.is_some_and(|at| {
            words[..at].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ')
        });
        // Lines of Lua with a colon, and headers, end at their ends.
        let is_block =
            is_block || words.first().is_none_or(|&byte| byte == b':' || byte.is_ascii_uppercase());
        // Of a table over several lines only the end stands here.
        let is_closed = || match count(b'{').cmp(&count(b'}')) {
            Ordering::Equal => true,
            Ordering::Less => has_stray_end(problem),
            Ordering::Greater => false,
        };
        let is_table = words.ends_with(b"}}") && !is_block && is_closed();
        let end = line.start + text[line].trim_ascii_end().len();
        is_table.then_some(end - 2..end)
    };
    match problem.code {
        Code::Lua if is_open_table(&problem.message) => of_table(own),
        Code::Syntax(SyntaxErrorKind::UnexpectedCharacter | SyntaxErrorKind::UnexpectedToken) => {
            let is_name = |line: &Range<usize>| text[line.clone()].starts_with(b"NAME:");
            let is_end = |line: &Range<usize>| text[line.clone()].trim_ascii_end() == b"}}";
            let before = lines_before(text, own.start);
            before.take_while(|line| !is_name(line) && !is_end(line)).find_map(of_table)
        }
        _ => None,
    }
}

/// Returns whether Lua has ended within a table.
fn is_open_table(message: &str) -> bool {
    message.contains("'}' expected") && message.contains("near '<eof>'")
}

/// Returns whether a `}}` that closes nothing stands in the line of a problem, or behind it in the
/// map.
fn has_stray_end(problem: &Problem) -> bool {
    let text = &problem.file.source.text;
    let start = line_around(text, problem.span.start).start;
    let errors = syntax_errors_from(&problem.file, start).iter().take(MAX_LINES);
    let mut lines = errors.map(|error| line_around(text, error.span.start));
    lines.any(|line| {
        let is_end = text[line.clone()].trim_ascii_end() == b"}}";
        is_end && memchr::memmem::find(&text[start..line.start], b"\nNAME:").is_none()
    })
}

/// Returns the lines before one, the nearest first.
fn lines_before(text: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> {
    let before = move |line: &Range<usize>| Some(line_around(text, line.start.checked_sub(1)?));
    std::iter::successors(before(&(start..start)), before).take(MAX_LINES)
}

/// Returns the lines behind the end of one.
fn lines_behind(text: &[u8], end: usize) -> impl Iterator<Item = Range<usize>> {
    let behind =
        move |line: &Range<usize>| (line.end < text.len()).then(|| line_around(text, line.end + 1));
    std::iter::successors(behind(&(end..end)), behind).take(MAX_LINES)
}
