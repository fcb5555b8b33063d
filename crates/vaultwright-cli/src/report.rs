//! Problems as text for people and programs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use ariadne::{Color, Config, Label, Report, ReportKind, Source};
use serde_json::{Value, json};
use vaultwright::lint::{code_of, codes};
use vaultwright::{Fix, Problem, Severity};

use crate::output::Colours;
use crate::shown;

/// After so many problems a line each must do.
const MAX_EXCERPTS: usize = 300;
/// Longer lines are not shown.
const MAX_EXCERPT_LENGTH: usize = 500;

/// Returns problems as people read them: with source excerpt, caret and hint.
pub fn human(problems: &[Problem], colours: Colours) -> String {
    let (with_excerpts, others) = problems.split_at(problems.len().min(MAX_EXCERPTS));
    let mut out = Vec::new();
    // They are in the order of their files: what one needs is gone before the next.
    for of_file in with_excerpts.chunk_by(|a, b| Arc::ptr_eq(&a.file, &b.file)) {
        let excerpt = Excerpt::of(of_file);
        for problem in of_file {
            excerpt.report(problem, colours, &mut out);
        }
    }
    out.extend(others.iter().flat_map(|problem| one_line(problem).into_bytes()));
    String::from_utf8_lossy(&out).into_owned()
}

/// The lines of a file that problems begin on, and nothing of the other lines: what Ariadne goes
/// through letter by letter is short.
struct Excerpt {
    source: Source<String>,
    /// The character that each of the lines begins with.
    begins: BTreeMap<u32, usize>,
}

impl Excerpt {
    /// Returns that for problems of one file.
    fn of(problems: &[Problem]) -> Excerpt {
        let shown = problems.iter().filter(|problem| is_shown(problem));
        let lines: BTreeSet<u32> = shown.map(first_line).collect();
        let (mut text, mut chars, mut begins) = (String::new(), 0, BTreeMap::new());
        let mut next = 1;
        for line in lines {
            let file = &problems[0].file;
            let between = (line - next) as usize;
            text.extend(std::iter::repeat_n('\n', between));
            let own = shown::in_columns(&in_utf8(&file.source.text[file.lines.line(line)]));
            begins.insert(line, chars + between);
            chars += between + own.chars().count() + 1;
            text += &own;
            text.push('\n');
            next = line + 1;
        }
        Excerpt { source: Source::from(text), begins }
    }

    /// Writes a problem of the file.
    fn report(&self, problem: &Problem, colours: Colours, out: &mut Vec<u8>) {
        let begin = self.begins.get(&first_line(problem)).filter(|_| is_shown(problem));
        let Some(begin) = begin else {
            return out.extend_from_slice(one_line(problem).as_bytes());
        };
        let line = line_of(problem);
        let name = shown::in_line(&problem.file.source.name);
        let (kind, shade) = match problem.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        // Ariadne counts characters, the scanner bytes.
        let text = &problem.file.source.text;
        let chars = |offset: usize| begin + in_utf8(&text[line.start..offset]).chars().count();
        let start = chars(problem.span.start);
        let end = chars(problem.span.end.min(line.end)).max(start + 1);
        let label = Label::new((name.clone(), start..end)).with_color(shade);
        let mut report = Report::build(kind, (name.clone(), start..end))
            .with_config(Config::default().with_color(colours == Colours::Ansi))
            .with_code(code_of(problem))
            .with_message(shown::in_line(&message(problem)));
        report = match &problem.hint {
            Some(hint) => report.with_label(label.with_message(shown::in_line(hint))),
            None => report.with_label(label),
        };
        // Writing to a Vec cannot fail.
        let _ = report.finish().write((name, &self.source), out);
    }
}

/// Returns whether the line of a problem is shown with it.
fn is_shown(problem: &Problem) -> bool {
    !problem.file.source.text.is_empty() && line_of(problem).len() <= MAX_EXCERPT_LENGTH
}

/// Returns the line (from 1) that a problem begins on.
fn first_line(problem: &Problem) -> u32 {
    problem.file.lines.position(problem.span.start).line
}

/// Returns the bytes of the line that a problem begins on.
fn line_of(problem: &Problem) -> Range<usize> {
    problem.file.lines.line(first_line(problem))
}

/// Returns a text of a file; what is no UTF-8 in it is replaced.
fn in_utf8(text: &[u8]) -> Cow<'_, str> {
    str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}

fn one_line(problem: &Problem) -> String {
    let at = problem.file.lines.position(problem.span.start);
    let name = shown::in_line(&problem.file.source.name);
    let (code, level) = (code_of(problem), level(problem));
    let mut text = shown::in_line(&with_hint(problem));
    if text.len() > MAX_EXCERPT_LENGTH {
        let cut = (0..=MAX_EXCERPT_LENGTH).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(cut);
        text.push('…');
    }
    format!("{name}:{}:{}: {level} [{code}] {text}\n", at.line, at.column)
}

fn message(problem: &Problem) -> String {
    match &problem.map {
        Some(map) => format!("{} (map {map})", problem.message),
        None => problem.message.clone(),
    }
}

/// Returns a JSON array, one object a line.
pub fn json(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(|problem| object(problem).to_string()).collect();
    match lines.is_empty() {
        true => "[]\n".to_owned(),
        false => shown::json(&format!("[\n{}\n]\n", lines.join(",\n"))),
    }
}

fn object(problem: &Problem) -> Value {
    let start = problem.file.lines.position(problem.span.start);
    let end = problem.file.lines.position(problem.span.end);
    json!({
        "code": code_of(problem),
        "severity": level(problem),
        "message": problem.message,
        "hint": problem.hint,
        "map": problem.map,
        "file": &*problem.file.source.name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "fixes": problem.fix.iter().map(|fix| fix_object(problem, fix)).collect::<Vec<_>>(),
    })
}

fn fix_object(problem: &Problem, fix: &Fix) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        let start = problem.file.lines.position(edit.span.start);
        let end = problem.file.lines.position(edit.span.end);
        json!({
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            "text": edit.text,
        })
    });
    json!({ "title": fix.title, "safe": fix.safe, "edits": edits.collect::<Vec<_>>() })
}

fn level(problem: &Problem) -> &'static str {
    match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Returns problems as SARIF 2.1.0.
pub fn sarif(problems: &[Problem]) -> String {
    let rules: Vec<Value> = codes()
        .map(|info| {
            json!({
                "id": info.code,
                "shortDescription": { "text": info.title },
                "fullDescription": { "text": info.explanation },
            })
        })
        .collect();
    let results: Vec<Value> = problems
        .iter()
        .map(|problem| {
            let artifact = json!({ "uri": uri_of(&problem.file.source.name) });
            let fixes: Vec<Value> =
                problem.fix.iter().map(|fix| sarif_fix(problem, fix, &artifact)).collect();
            let mut result = json!({
                "ruleId": code_of(problem),
                "level": level(problem),
                "message": { "text": with_hint(problem) },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": artifact,
                        "region": region(problem, &problem.span),
                    },
                }],
            });
            if !fixes.is_empty() {
                result["fixes"] = fixes.into();
            }
            result
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "vaultwright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    shown::json(&format!("{log:#}\n"))
}

fn region(problem: &Problem, span: &Range<usize>) -> Value {
    let start = problem.file.lines.position(span.start);
    let end = problem.file.lines.position(span.end);
    let column = |line: u32, offset: usize| {
        let before = problem.file.lines.line(line).start..offset;
        let before = problem.file.source.text.get(before).unwrap_or_default();
        letters(before) + 1
    };
    json!({
        "startLine": start.line,
        "startColumn": column(start.line, span.start),
        "endLine": end.line,
        "endColumn": column(end.line, span.end),
    })
}

/// Returns how many characters a text has; one that is no UTF-8 is Latin-1.
fn letters(text: &[u8]) -> usize {
    std::str::from_utf8(text).map_or(text.len(), |text| text.chars().count())
}

fn sarif_fix(problem: &Problem, fix: &Fix, artifact: &Value) -> Value {
    let replacements = fix.edits.iter().map(|edit| {
        json!({
            "deletedRegion": region(problem, &edit.span),
            "insertedContent": { "text": edit.text },
        })
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": artifact,
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

/// Returns a path as a reference of a URI: all but unreserved characters and separators as `%` and
/// two digits.
fn uri_of(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn with_hint(problem: &Problem) -> String {
    match &problem.hint {
        Some(hint) => format!("{} ({hint})", message(problem)),
        None => message(problem),
    }
}

/// Returns problems as workflow commands of GitHub Actions.
pub fn github(problems: &[Problem]) -> String {
    let escape = |text: &str| {
        let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        shown::in_line(&text)
    };
    let property = |text: &str| escape(text).replace(':', "%3A").replace(',', "%2C");
    let line = |problem: &Problem| {
        let at = problem.file.lines.position(problem.span.start);
        format!(
            "::{} file={},line={},col={},title={}::{}\n",
            level(problem),
            property(&problem.file.source.name),
            at.line,
            at.column,
            code_of(problem),
            escape(&with_hint(problem))
        )
    };
    problems.iter().map(line).collect()
}
