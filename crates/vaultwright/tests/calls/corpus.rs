//! What calls of functions look like: learned from the text of vaults.

use std::collections::BTreeMap;

/// Calls as vaults make them, by function (`dgn.grid`, `mons`) or method (`:name`).
#[derive(Default)]
pub struct Corpus {
    pub calls: BTreeMap<String, Vec<Vec<Argument>>>,
    /// Every value seen, whatever it was given to.
    pub values: Vec<String>,
}

/// An argument: its text if that means the same anywhere, none if it has variables of its vault.
pub type Argument = Option<String>;

/// So many calls of one function are kept.
const MAX_CALLS: usize = 60;
/// So many values altogether.
const MAX_VALUES: usize = 20_000;
/// Longer arguments are not kept.
const MAX_ARGUMENT: usize = 300;

const KEYWORDS: &[&str] = &[
    "and", "elseif", "for", "function", "if", "in", "not", "or", "return", "until", "while",
    "local",
];

impl Corpus {
    /// Learns the calls of a text, which may be anything.
    pub fn learn(&mut self, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            let byte = text[at];
            if byte == b'-' && text[at..].starts_with(b"--") || byte == b'#' {
                at += text[at..].iter().take_while(|byte| **byte != b'\n').count();
            } else if byte == b'"' || byte == b'\'' {
                at = text_end(text, at);
            } else if is_name(byte) && !byte.is_ascii_digit() {
                let end = at + text[at..].iter().take_while(|b| is_path(**b)).count();
                self.learn_call(text, at, end);
                at = end;
            } else {
                at += 1;
            }
        }
    }

    fn learn_call(&mut self, text: &[u8], start: usize, end: usize) {
        let Ok(path) = std::str::from_utf8(&text[start..end]) else { return };
        let open = end + text[end..].iter().take_while(|b| **b == b' ').count();
        if !matches!(text.get(open), Some(b'(' | b'{')) || KEYWORDS.contains(&path) {
            return;
        }
        let Some(close) = group_end(text, open) else { return };
        let inner = match text[open] {
            b'(' => &text[open + 1..close - 1],
            _ => &text[open..close],
        };
        let Ok(inner) = std::str::from_utf8(inner) else { return };
        let arguments: Vec<Argument> = split(inner).into_iter().map(closed).collect();
        for argument in arguments.iter().flatten() {
            if self.values.len() < MAX_VALUES {
                self.values.push(argument.clone());
            }
        }
        // Of a method its name is known; the object is another one each time.
        let name = match path.rsplit_once(':') {
            Some((_, method)) => format!(":{method}"),
            None => path.to_owned(),
        };
        if name.ends_with(['.', ':']) || name.contains("..") || name.starts_with('.') {
            return;
        }
        let calls = self.calls.entry(name).or_default();
        if calls.len() < MAX_CALLS && !calls.contains(&arguments) {
            calls.push(arguments);
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_path(byte: u8) -> bool {
    is_name(byte) || byte == b'.' || byte == b':'
}

/// Where the quoted text ends that begins here.
fn text_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < text.len() && text[at] != text[start] && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// Where the brackets close that open here.
fn group_end(text: &[u8], open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0);
    while at < text.len() && at - open < 2000 {
        match text[at] {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            b'"' | b'\'' => {
                at = text_end(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Arguments between commas.
fn split(inner: &str) -> Vec<&str> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    let bytes = inner.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'{' | b'[' => at = group_end(bytes, at).unwrap_or(bytes.len()),
            b'"' | b'\'' => at = text_end(bytes, at),
            b',' => {
                parts.push(&inner[from..at]);
                at += 1;
                from = at;
            }
            _ => at += 1,
        }
    }
    if !inner[from..].trim().is_empty() || !parts.is_empty() {
        parts.push(&inner[from..]);
    }
    parts
}

/// The argument if it is made of values and of functions that everybody has.
fn closed(argument: &str) -> Argument {
    let text = argument.trim();
    if text.is_empty() || text.len() > MAX_ARGUMENT || text.contains(['\n', '\r', '\\', '#']) {
        return None;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'"' | b'\'') {
            at = text_end(bytes, at);
        } else if is_name(bytes[at]) {
            let end = at + bytes[at..].iter().take_while(|b| is_path(**b)).count();
            let word = &text[at..end];
            let next = text[end..].trim_start();
            let is_key = next.starts_with('=') && !next.starts_with("==");
            let known = ["true", "false", "nil"].contains(&word)
                || word.starts_with(|first: char| first.is_ascii_digit())
                || ["dgn.", "crawl.", "you.", "feat.", "mons.", "items.", "math.", "string."]
                    .iter()
                    .any(|table| word.starts_with(table));
            if !known && !is_key {
                return None;
            }
            at = end;
        } else {
            at += 1;
        }
    }
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_learned_without_what_is_of_their_vault() {
        let mut corpus = Corpus::default();
        corpus.learn(b"-- no(1)\ndgn.grid(x, 3, \"a, b\") m:place { n = 1, f = 'q' } if (x) then mons('rat') end");
        let of = |name: &str| corpus.calls.get(name).cloned();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(of("dgn.grid"), Some(vec![vec![None, text("3"), text("\"a, b\"")]]));
        assert_eq!(of(":place"), Some(vec![vec![text("{ n = 1, f = 'q' }")]]));
        assert_eq!(of("mons"), Some(vec![vec![text("'rat'")]]));
        assert_eq!((of("no"), of("if")), (None, None));
    }
}
