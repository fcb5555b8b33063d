//! Changes of the text that fix problems, as proposed by hints.
//!
//! Most lints know the fixes of their findings. This module contains the fixes of compile problems,
//! and the functions that create the new text.

use std::collections::BTreeMap;
use std::ops::Range;

use vaultwright_content::Content;
use vaultwright_engine::{Code, Edit, Fix, Problem};
use vaultwright_map::{DepthRanges, ErrorCode};
use vaultwright_syntax::{Header, SyntaxErrorKind, looks_like_end};

use crate::hints::{certain_name, renamed_function, replacement};
use crate::near::{Near, nearest};
use crate::nearest_names::nearest_name;
use crate::rewording::{self, Rewording};
use crate::spans::{end_of_lines, line_around, trimmed, words_of_line};
use crate::{lua_blocks, lua_hints};

/// Adds the fix proposed by its hint to a problem without one, if there is one.
pub(crate) fn add_fix(problem: &mut Problem, content: &Content) {
    if problem.fix.is_some() {
        return;
    }
    let text = &*problem.file.source.text;
    let start = problem.span.start;
    let span = trimmed(text, problem.span.clone()).unwrap_or(start..start);
    problem.fix = match problem.code {
        Code::Syntax(_) if lua_blocks::hint(problem).is_some() => lua_blocks::fix(problem),
        Code::Syntax(kind) => of_syntax(kind, text, &span, problem.hint.as_deref()),
        Code::Spec(code) => of_spec(code, problem, text, &span, content),
        Code::Lua => renamed_function(&problem.message, content)
            .and_then(|near| near.fix(text, &line_around(text, span.start)))
            .or_else(|| lua_blocks::fix(problem))
            .or_else(|| lua_hints::meant(problem, content)?.fix(text, &span)),
        _ => None,
    };
}

/// Applies the safe fixes of some problems of a file to its text. Returns the new text and the
/// number of fixes. If fixes touch each other, only the first is applied; the others are found
/// again later.
#[must_use]
pub fn fixed<'p>(
    text: &[u8],
    problems: impl IntoIterator<Item = &'p Problem>,
) -> Option<(Vec<u8>, usize)> {
    let fixes = problems.into_iter().filter_map(|problem| problem.fix.as_deref());
    // Ordered by start and end. None touches another, except those of the same fix.
    let mut made: BTreeMap<(usize, usize), &Edit> = BTreeMap::new();
    let mut count = 0;
    for fix in fixes.filter(|fix| fix.safe) {
        let touches = |edit: &Edit| {
            let before = made.range(..=(edit.span.end, usize::MAX)).next_back();
            before.is_some_and(|(&(_, end), _)| edit.span.start <= end)
        };
        let outside = |edit: &Edit| text.get(edit.span.clone()).is_none();
        if !fix.edits.iter().any(|edit| touches(edit) || outside(edit)) {
            made.extend(fix.edits.iter().map(|edit| ((edit.span.start, edit.span.end), edit)));
            count += 1;
        }
    }
    if made.is_empty() {
        return None;
    }
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    for edit in made.values() {
        out.extend_from_slice(&text[at..edit.span.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.span.end;
    }
    out.extend_from_slice(&text[at..]);
    Some((out, count))
}

/// Returns a fix with one edit that changes only what is wrong.
pub(crate) fn edit(title: &str, span: Range<usize>, text: &str) -> Option<Box<Fix>> {
    let edits = vec![Edit { span, text: text.to_owned() }];
    Some(Box::new(Fix { title: title.to_owned(), edits, safe: true }))
}

/// Returns a fix with one edit that the author must review.
pub(crate) fn doubtful_edit(title: &str, span: Range<usize>, text: &str) -> Option<Box<Fix>> {
    edit(title, span, text).map(|fix| Box::new(Fix { safe: false, ..*fix }))
}

/// Returns a fix that removes a word from a line, or the whole line if only its first word would be
/// left. It only examines the surrounding words, since lines may have very many.
pub(crate) fn without_word(title: &str, text: &[u8], word: Range<usize>) -> Option<Box<Fix>> {
    let is_blank = |byte: &u8| *byte != b'\n' && byte.is_ascii_whitespace();
    let before = text.get(..word.start)?;
    let before = before.len() - before.iter().rev().take_while(|byte| is_blank(byte)).count();
    let behind = text.get(word.end..)?;
    let behind = word.end + behind.iter().take_while(|byte| is_blank(byte)).count();
    let is_first = before == 0 || text[before - 1] == b'\n';
    let is_last = text.get(behind).is_none_or(|&byte| byte == b'\n');
    if is_last && before > 0 && text[before - 1] == b':' {
        let key = text[..before].iter().rposition(|&byte| byte == b' ' || byte == b'\n');
        let start = key.map_or(0, |key| key + 1);
        let begins = start == 0 || text[start - 1] == b'\n';
        if begins && !text[..start].trim_ascii_end().ends_with(b"\\") {
            return edit(title, start..(behind + 1).min(text.len()), "");
        }
    }
    let continues = text[behind..].starts_with(b"\\")
        && text[behind + 1..].iter().find(|byte| !is_blank(byte)).is_none_or(|&byte| byte == b'\n');
    match (is_last || continues) && !is_first {
        true => edit(title, before..word.end, ""),
        false => edit(title, word.start..behind, ""),
    }
}

fn of_spec(
    code: ErrorCode,
    problem: &Problem,
    text: &[u8],
    span: &Range<usize>,
    content: &Content,
) -> Option<Box<Fix>> {
    let words = String::from_utf8_lossy(text.get(span.clone())?).into_owned();
    if let Some(at) = comment_behind(problem) {
        return comment_of_its_own(text, at, &line_around(text, at));
    }
    if let Some((span, name)) = replacement(problem, content) {
        return edit(&format!("write '{name}'"), span, &name);
    }
    match code {
        ErrorCode::BadDepth => {
            let close: String = words.split_whitespace().collect();
            let is_depth = DepthRanges::parse(&close, content.branches()).is_ok();
            let is_new = is_depth && close != words;
            is_new.then(|| edit("write the depth without blanks", span.clone(), &close))?
        }
        ErrorCode::NoExits if text[span.clone()].contains(&b'=') => None,
        ErrorCode::NoExits => {
            let start = words_of_line(text, span.end).end;
            let line = format!("{}TAGS: no_exits", end_of_lines(text));
            doubtful_edit("give it the tag no_exits", start..start, &line)
        }
        _ => {
            if let Some(name) = certain_name(code.of_any_name(), &words.to_lowercase()) {
                return edit(&format!("write '{name}'"), span.clone(), name);
            }
            let meant = rewording::of(problem, code, content);
            let is_told = |meant: &Rewording| problem.hint.as_ref() == Some(&meant.hint);
            if let Some(meant) = meant.filter(is_told) {
                return meant.fix;
            }
            let near = nearest_name(problem, code, &words, content)?;
            let is_meant = |hint: &String| hint.contains(&near.name);
            problem.hint.as_ref().is_none_or(is_meant).then(|| near.fix(text, span))?
        }
    }
}

fn of_syntax(
    kind: SyntaxErrorKind,
    text: &[u8],
    span: &Range<usize>,
    hint: Option<&str>,
) -> Option<Box<Fix>> {
    let words = text.get(span.clone())?;
    let line = || line_around(text, span.start);
    let is_alone = |words: &[&[u8]]| words.contains(&text[line()].trim_ascii());
    match kind {
        SyntaxErrorKind::UnknownHeader if hint.is_some_and(|hint| hint.contains("put ': '")) => {
            edit("put a colon before the Lua", span.start..span.start, ": ")
        }
        SyntaxErrorKind::UnknownHeader => {
            let word = String::from_utf8_lossy(words).trim_end_matches(':').to_lowercase();
            let names = Header::all().map(|(_, keyword)| keyword.trim_end_matches(':'));
            let near = nearest(&word, names)?;
            let fix = hint?.contains(&near.name).then(|| near.fix(text, span)).flatten()?;
            let safe = fix.safe && suits(&near.name, &text[span.end..line().end]);
            Some(Box::new(Fix { safe, ..*fix }))
        }
        SyntaxErrorKind::RemovedHeader => {
            let word = String::from_utf8_lossy(words).trim_end_matches(':').to_owned();
            let (_, now) = RENAMED_HEADERS.iter().find(|(old, _)| *old == word)?;
            Near::renamed(word, *now).fix(text, span)
        }
        SyntaxErrorKind::UnexpectedToken if words == b"," => {
            let blank = if text.get(span.end) == Some(&b' ') { "" } else { " " };
            let is_tags = text[line()].trim_ascii().starts_with(Header::Tags.keyword().as_bytes());
            let edit = if is_tags { edit } else { doubtful_edit };
            edit("write a blank for the comma", span.clone(), blank)
        }
        SyntaxErrorKind::UnexpectedCharacter if is_alone(&[b"MAP"]) => {
            edit("move MAP to the first column", words_of_line(text, span.start), "MAP")
        }
        SyntaxErrorKind::UnexpectedCharacter if words.ends_with(b"MAP:") => {
            edit("remove the colon", span.end - 1..span.end, "")
        }
        SyntaxErrorKind::UnexpectedCharacter if words.starts_with(b"\xef\xbb\xbf") => {
            edit("remove the byte-order mark", span.start..span.start + 3, "")
        }
        SyntaxErrorKind::UnexpectedCharacter if words.starts_with(b"#") => {
            comment_of_its_own(text, span.start, &line())
        }
        SyntaxErrorKind::UnexpectedCharacter if is_alone(&[b"}}", b"ENDMAP"]) => {
            let line = line();
            doubtful_edit("remove the line", line.start..(line.end + 1).min(text.len()), "")
        }
        SyntaxErrorKind::BadRow if words.is_empty() => end_before_blank(text, &line()),
        SyntaxErrorKind::Unclosed if words.ends_with(b"MAP") => end_of_drawing(text, line().end),
        _ => None,
    }
}

/// Returns whether a header can have such an argument, as far as syntax goes.
fn suits(header: &str, argument: &[u8]) -> bool {
    // Of the whole level there is one colour or tile.
    if header.starts_with("LFLOOR") || header.starts_with("LROCK") {
        return !argument.contains(&b'=');
    }
    let colon = if argument.starts_with(b":") || header.ends_with(':') { "" } else { ":" };
    let line = [b"NAME: a\n", header.as_bytes(), colon.as_bytes(), argument].concat();
    // What goes on in the next line is not looked at.
    line.ends_with(b"\\") || vaultwright_syntax::parse(&line).errors.is_empty()
}

/// Returns the start of a comment that follows a header, within the words of a problem.
pub(crate) fn comment_behind(problem: &Problem) -> Option<usize> {
    let (text, span) = (&*problem.file.source.text, problem.span.clone());
    let words = text.get(span.clone())?;
    let at = words.windows(2).position(|pair| matches!(pair, b" #" | b"\t#"))? + span.start + 1;
    let line = &text[line_around(text, at)];
    Header::all().any(|(_, keyword)| line.starts_with(keyword.as_bytes())).then_some(at)
}

/// Headers that were renamed.
const RENAMED_HEADERS: [(&str, &str); 3] =
    [("COLOR", "COLOUR"), ("LFLOORCOLOUR", "LFLOORCOL"), ("LROCKCOLOUR", "LROCKCOL")];

/// Returns a fix that moves the comment starting there to a line above.
pub(crate) fn comment_of_its_own(text: &[u8], at: usize, line: &Range<usize>) -> Option<Box<Fix>> {
    let comment = String::from_utf8(text[at..line.end].trim_ascii_end().to_vec()).ok()?;
    let code = text[line.start..at].trim_ascii_end().len();
    if code == 0 {
        return None;
    }
    Some(Box::new(Fix {
        title: "move the comment to a line of its own".to_owned(),
        edits: vec![
            Edit { span: line.start..line.start, text: comment + end_of_lines(text) },
            Edit { span: line.start + code..words_of_line(text, at).end, text: String::new() },
        ],
        safe: true,
    }))
}

const CLOSE: &str = "close the drawing with ENDMAP";

/// Returns the fix that ends a drawing at a line that is not one of its rows, or at the row before
/// it that is meant to be the end.
pub(crate) fn end_before(text: &[u8], line: usize) -> Option<Box<Fix>> {
    if let Some(row) = line.checked_sub(1).map(|at| words_of_line(text, at))
        && looks_like_end(&text[row.clone()])
    {
        return edit(WRITE_END, row, "ENDMAP");
    }
    edit(CLOSE, line..line, &format!("ENDMAP{}", end_of_lines(text)))
}

const WRITE_END: &str = "write ENDMAP, alone and in the first column";

/// Ends a drawing at its first blank line if a header follows, since no row looks like one.
fn end_before_blank(text: &[u8], line: &Range<usize>) -> Option<Box<Fix>> {
    let before = line_around(text, line.start.checked_sub(1)?);
    if text[before.clone()].trim_ascii().is_empty() {
        return None;
    }
    let mut rest = text[line.end..].split(|&byte| byte == b'\n');
    let next = rest.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
    let follows = next
        .is_none_or(|next| Header::all().any(|(_, keyword)| next.starts_with(keyword.as_bytes())));
    let is_end = next.is_some() || looks_like_end(&text[before]);
    (follows && is_end).then(|| end_before(text, line.start))?
}

/// Ends a drawing that extends to the end of the file.
fn end_of_drawing(text: &[u8], start: usize) -> Option<Box<Fix>> {
    let mut at = start + 1;
    for line in text.get(at..)?.split(|&byte| byte == b'\n') {
        let start = at;
        at += line.len() + 1;
        if looks_like_end(line) {
            return edit(WRITE_END, words_of_line(text, start), "ENDMAP");
        }
        if Header::all().any(|(_, keyword)| line.starts_with(keyword.as_bytes())) {
            // Whatever looks like a header is one, after the missing end.
            let end = format!("ENDMAP{}", end_of_lines(text));
            return doubtful_edit(CLOSE, start..start, &end);
        }
    }
    let end = text.trim_ascii_end().len();
    edit(CLOSE, end..end, &format!("{}ENDMAP", end_of_lines(text)))
}
