//! Findings allowed by the author with `# vaultwright: allow VW313`, and unused allowances.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use vaultwright_engine::{Fix, Problem, Severity, SourceFile};

use crate::codes::{UNKNOWN_ALLOWANCE, UNUSED_ALLOWANCE, code_of, explain};
use crate::fixes::{edit, without_word};
use crate::spans::{line_around, map_around_or_next};
use crate::warning;

/// The start of the remark, after the comment sign.
const REMARK: &[u8] = b"vaultwright:";

/// The part of a file that a remark applies to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// The next line that is not a comment.
    Line,
    /// The map that contains it, or the next one.
    Map,
    /// The whole file.
    File,
}

/// Where a code is allowed: the bytes from the first one of lines, maps or the file. Places of the
/// same kind do not overlap.
type Place = (Scope, &'static str, usize);

/// What the remarks in a file allow.
#[derive(Default)]
struct Allowances {
    /// The end of each place, and whether anything was found there.
    places: BTreeMap<Place, (usize, bool)>,
    /// The words of remarks, each with the place that it applies to.
    words: Vec<(Range<usize>, Place)>,
}

impl Allowances {
    fn add(&mut self, scope: Scope, code: &'static str, about: Range<usize>, word: Range<usize>) {
        let place = (scope, code, about.start);
        self.places.insert(place, (about.end, false));
        self.words.push((word, place));
    }

    /// Returns whether a code is allowed at a byte, and records that it was found there.
    fn allow(&mut self, code: &'static str, at: usize) -> bool {
        let mut allowed = false;
        for scope in [Scope::Line, Scope::Map, Scope::File] {
            let mut before = self.places.range_mut((scope, code, 0)..=(scope, code, at));
            if let Some((_, (_, is_used))) = before.next_back().filter(|(_, (end, _))| at < *end) {
                *is_used = true;
                allowed = true;
            }
        }
        allowed
    }

    /// Returns the words that allow nothing, with their codes and the bytes they apply to.
    fn unused(&self) -> impl Iterator<Item = (&Range<usize>, &'static str, Range<usize>)> {
        let is_unused = |(_, place): &&(Range<usize>, Place)| !self.places[place].1;
        self.words.iter().filter(is_unused).map(|(word, place)| {
            let (_, code, start) = *place;
            (word, code, start..self.places[place].0)
        })
    }
}

/// Removes the warnings that comments in their files allow, and adds one for each comment that
/// allows nothing. Errors cannot be allowed: such a map does not compile.
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
        if allowances.words.is_empty() && told.is_empty() {
            continue;
        }
        left.retain(|problem| {
            problem.severity != Severity::Warning
                || problem.file.source.name != file.source.name
                || !allowances.allow(code_of(problem), problem.span.start)
        });
        left.append(&mut told);
        let in_vain: Vec<_> = allowances.unused().collect();
        if in_vain.is_empty() {
            continue;
        }
        let is_error = |problem: &&Problem| {
            problem.severity == Severity::Error && problem.file.source.name == file.source.name
        };
        let place = |problem: &Problem| (code_of(problem), problem.span.start);
        let errors: BTreeSet<_> = left.iter().filter(is_error).map(place).collect();
        let mut unused = Vec::new();
        for (span, code, about) in in_vain {
            let mut here = errors.range((code, about.start)..(code, about.end));
            let (message, hint) = match here.next().is_some() {
                true => (
                    format!("{code} is an error here, and errors cannot be allowed"),
                    "mend what it tells of, and remove the comment, or the code from it",
                ),
                false => (
                    format!("nothing to allow: {code} is not found here"),
                    "remove the comment, or the code from it",
                ),
            };
            let problem = warning(file, UNUSED_ALLOWANCE, span.clone(), message, hint);
            unused.push(Problem { fix: without_code(&file.source.text, span), ..problem });
        }
        left.append(&mut unused);
    }
    left
}

/// Returns the fix that removes a code from a comment, or the whole comment if it has no other
/// code. Returns `None` if the line has no such comment.
fn without_code(text: &[u8], span: &Range<usize>) -> Option<Box<Fix>> {
    let line = line_around(text, span.start);
    let words = &text[line.clone()];
    let codes = words_of(&words[remark_of(words)?..], 0).skip(1).take(2).count();
    match codes {
        1 => edit("remove the comment", line.start..(line.end + 1).min(text.len()), ""),
        _ => without_word("remove the code", text, span.clone()),
    }
}

fn allowances_of(file: &Arc<SourceFile>, told: &mut Vec<Problem>) -> Allowances {
    let text = &*file.source.text;
    let mut found = Allowances::default();
    if memchr::memmem::find(text, REMARK).is_none() {
        return found;
    }
    let (mut start, mut next) = (0, 0..0);
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
            Scope::Line => {
                // Consecutive comments all apply to the same line.
                if next.start < start {
                    next = next_line(text, start);
                }
                next.clone()
            }
            Scope::Map => map_around_or_next(file, at).map_or(at..at, |map| map.span.clone()),
            Scope::File => 0..text.len() + 1,
        };
        for (word, span) in words {
            let word = String::from_utf8_lossy(word);
            match explain(&word) {
                Some(info) => found.add(scope, info.code, about.clone(), span),
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

/// Returns the position in a line where a remark starts, after `# vaultwright:` or, in Lua, `--
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

/// Returns the words of a line, separated by blanks and commas, with their bytes in the file.
fn words_of(line: &[u8], start: usize) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let mut at = start;
    line.split(is_gap).filter_map(move |word| {
        let span = at..at + word.len();
        at += word.len() + 1;
        (!word.is_empty()).then_some((word, span))
    })
}

/// Returns the bytes of the first line after `start` that is not a comment.
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
