//! Findings that an author allows: `# vaultwright: allow VW313` and what of it is not needed.

use std::ops::Range;
use std::sync::Arc;

use vaultwright_engine::{Fix, Problem, Severity, SourceFile};

use crate::codes::{UNKNOWN_ALLOWANCE, UNUSED_ALLOWANCE, code_of, explain};
use crate::fixes::{edit, without_word};
use crate::warning;

/// What begins the remark, behind the sign of a comment.
const REMARK: &[u8] = b"vaultwright:";

/// How much of a file a remark is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The next line that is no comment.
    Line,
    /// The map that it stands in, or the next one.
    Map,
    /// The whole file.
    File,
}

/// A remark that allows a code.
struct Allowance {
    code: &'static str,
    /// The bytes in which findings are allowed.
    about: Range<usize>,
    /// The word, for what is told of it.
    span: Range<usize>,
    used: bool,
}

/// Leaves out the warnings that comments of their files allow, and adds one for each comment that
/// allows nothing. Errors are never allowed: such a map does not compile.
#[must_use]
pub fn without_allowed(
    problems: Vec<Problem>,
    files: &[Arc<SourceFile>],
    wanted: &dyn Fn(&SourceFile) -> bool,
) -> Vec<Problem> {
    let mut left = problems;
    for file in files.iter().filter(|file| wanted(file)) {
        let mut told = Vec::new();
        let mut allowances = allowances_of(file, &mut told);
        if allowances.is_empty() && told.is_empty() {
            continue;
        }
        left.retain(|problem| {
            let here = problem.severity == Severity::Warning
                && problem.file.source.name == file.source.name;
            let code = code_of(problem);
            let mut allowed = false;
            for allowance in &mut allowances {
                let fits =
                    here && allowance.code == code && allowance.about.contains(&problem.span.start);
                allowance.used |= fits;
                allowed |= fits;
            }
            !allowed
        });
        left.append(&mut told);
        for unused in allowances.iter().filter(|allowance| !allowance.used) {
            let problem = warning(
                file,
                UNUSED_ALLOWANCE,
                unused.span.clone(),
                format!("nothing to allow: {} is not found here", unused.code),
                "remove the comment, or the code from it",
            );
            left.push(Problem { fix: without_code(&file.source.text, &unused.span), ..problem });
        }
    }
    left
}

/// Returns the fix that removes a code from a comment, or the whole comment if it has no other.
/// Returns `None` if the line has no such comment.
fn without_code(text: &[u8], span: &Range<usize>) -> Option<Box<Fix>> {
    let start = text[..span.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = text[span.end..].iter().position(|&byte| byte == b'\n');
    let end = end.map_or(text.len(), |at| span.end + at + 1);
    let line = &text[start..end];
    let codes = words_of(&line[remark_of(line)?..], 0).skip(1).count();
    match codes {
        1 => edit("remove the comment", start..end, ""),
        _ => without_word("remove the code", text, span.clone()),
    }
}

fn allowances_of(file: &Arc<SourceFile>, told: &mut Vec<Problem>) -> Vec<Allowance> {
    let text = &*file.source.text;
    let mut found = Vec::new();
    if memchr::memmem::find(text, REMARK).is_none() {
        return found;
    }
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let at = start;
        start += line.len();
        let Some(remark) = remark_of(line) else { continue };
        let mut words = words_of(&line[remark..], at + remark);
        let scope = match words.next().map(|(word, _)| word) {
            Some(b"allow") => Scope::Line,
            Some(b"allow-map") => Scope::Map,
            Some(b"allow-file") => Scope::File,
            _ => continue,
        };
        let about = match scope {
            Scope::Line => next_line(text, start),
            Scope::Map => map_at(file, at),
            Scope::File => 0..text.len() + 1,
        };
        for (word, span) in words {
            let word = String::from_utf8_lossy(word);
            match explain(&word) {
                Some(info) => {
                    let about = about.clone();
                    found.push(Allowance { code: info.code, about, span, used: false });
                }
                None => told.push(warning(
                    file,
                    UNKNOWN_ALLOWANCE,
                    span,
                    format!("no finding has the code '{word}'"),
                    "write codes as `check` shows them, with blanks between: VW313 VW315",
                )),
            }
        }
    }
    found
}

/// Returns where in a line a remark to us begins, behind `# vaultwright:` or, in Lua, `--
/// vaultwright:`.
fn remark_of(line: &[u8]) -> Option<usize> {
    let blanks = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut at = blanks(line);
    at += match &line[at..] {
        [b'#', ..] => 1,
        [b'-', b'-', ..] => 2,
        _ => return None,
    };
    at += blanks(&line[at..]);
    line[at..].starts_with(REMARK).then_some(at + REMARK.len())
}

/// Returns the words of a line between blanks and commas, with their bytes in the file.
fn words_of(line: &[u8], start: usize) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let mut at = start;
    line.split(is_gap).filter_map(move |word| {
        let span = at..at + word.len();
        at += word.len() + 1;
        (!word.is_empty()).then_some((word, span))
    })
}

/// Returns the bytes of the first line behind `start` that is no comment.
fn next_line(text: &[u8], start: usize) -> Range<usize> {
    let mut at = start;
    for line in text[start..].split_inclusive(|byte| *byte == b'\n') {
        let first = line.trim_ascii_start();
        if !first.starts_with(b"#") && !first.starts_with(b"--") && !first.is_empty() {
            return at..at + line.len();
        }
        at += line.len();
    }
    at..at
}

/// Returns the bytes of the map around `at`, or of the next one.
fn map_at(file: &SourceFile, at: usize) -> Range<usize> {
    let map = file.tree.maps.iter().find(|map| map.span.end > at);
    map.map_or(at..at, |map| map.span.clone())
}
