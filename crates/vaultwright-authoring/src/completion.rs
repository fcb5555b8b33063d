//! What can be written at a place.

use std::ops::Range;

use vaultwright::Engine;
use vaultwright::syntax::Header;

use crate::Document;
use crate::functions::{ScriptFunction, script_functions};
use crate::scene::{Scene, header_of, scene};
use crate::vocabulary::{Word, words_for};

/// The most that is offered at once: editors filter as one types on.
const MAX_OFFERED: usize = 2000;

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called in the list.
    pub label: String,
    /// What is written.
    pub text: String,
    /// The bytes it takes the place of.
    pub span: Range<usize>,
    /// What it is, in a few words.
    pub kind: &'static str,
    /// What is known of it.
    pub detail: String,
    /// Its document in Markdown, or empty.
    pub documentation: String,
}

/// Returns what can be written at a byte, those that begin with what is there already.
#[must_use]
pub fn complete(document: &Document, offset: usize, engine: &Engine) -> Vec<Completion> {
    let mut found = match scene(document, offset) {
        Some(Scene::LineStart(span)) => headers(document, &span),
        Some(Scene::Argument(Header::Marker, part)) => {
            let mut all = of_words(document, &part, words_for(Header::Marker, engine));
            all.extend(marker_classes(document, &part));
            all
        }
        Some(Scene::Argument(header, part)) => of_words(document, &part, words_for(header, engine)),
        Some(Scene::LuaText { function, part }) => match header_of(&function) {
            Some(header) => of_words(document, &part, words_for(header, engine)),
            None => Vec::new(),
        },
        Some(Scene::LuaName(span)) => functions_at(document.text(), &span, script_functions()),
        None => Vec::new(),
    };
    found.truncate(MAX_OFFERED);
    found
}

fn headers(document: &Document, span: &Range<usize>) -> Vec<Completion> {
    let written = String::from_utf8_lossy(&document.text()[span.clone()]).to_lowercase();
    let keywords = Header::all().map(|(_, keyword)| keyword).chain(["MAP", "ENDMAP"]);
    let fitting = keywords.filter(|keyword| keyword.to_lowercase().starts_with(&written));
    let completions = fitting.map(|keyword| Completion {
        label: keyword.to_owned(),
        text: if keyword.ends_with(':') { format!("{keyword} ") } else { keyword.to_owned() },
        span: span.clone(),
        kind: "header",
        detail: String::new(),
        documentation: String::new(),
    });
    completions.collect()
}

/// Returns the words that go on with the end of what is written: `patrolling fire gi` with `fire
/// giant`.
fn of_words(document: &Document, part: &Range<usize>, words: Vec<Word>) -> Vec<Completion> {
    let written = String::from_utf8_lossy(&document.text()[part.clone()]).to_lowercase();
    let mut starts: Vec<usize> = vec![0];
    starts.extend(written.match_indices(' ').map(|(at, _)| at + 1));
    let fits = |from: usize| {
        words.iter().any(|word| word.text.to_lowercase().starts_with(&written[from..]))
    };
    let Some(from) = starts.into_iter().find(|&from| fits(from)) else { return Vec::new() };
    let fitting =
        words.into_iter().filter(|word| word.text.to_lowercase().starts_with(&written[from..]));
    let completions = fitting.map(|word| Completion {
        label: word.text.clone(),
        text: word.text,
        span: part.start + from..part.end,
        kind: "word",
        detail: word.detail,
        documentation: String::new(),
    });
    completions.collect()
}

/// Returns the classes of Lua markers, behind `lua:`.
fn marker_classes(document: &Document, part: &Range<usize>) -> Vec<Completion> {
    let written = &document.text()[part.clone()];
    let Some(class) = written.strip_prefix(b"lua:") else { return Vec::new() };
    functions_at(document.text(), &(part.end - class.len()..part.end), script_functions())
}

/// Returns the functions whose names begin with what is written.
pub(crate) fn functions_at(
    text: &[u8],
    span: &Range<usize>,
    functions: &[ScriptFunction],
) -> Vec<Completion> {
    let written = String::from_utf8_lossy(&text[span.clone()]).into_owned();
    let fitting = functions.iter().filter(|f| f.name.starts_with(&written));
    let completions = fitting.map(|function| Completion {
        label: function.name.clone(),
        text: function.name.clone(),
        span: span.clone(),
        kind: "function",
        detail: function.call.clone(),
        documentation: function.markdown(),
    });
    completions.collect()
}
