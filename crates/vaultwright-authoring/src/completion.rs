//! Completions at a position.

use std::ops::Range;

use vaultwright::Engine;
use vaultwright::syntax::Header;

use crate::Document;
use crate::functions::{ScriptFunction, script_functions};
use crate::scene::{Scene, scene};
use crate::specs::Specs;
use crate::vocabulary::{Word, words_for};

/// The maximum number of completions offered at once: editors filter them while the user types.
const MAX_OFFERED: usize = 2000;

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The label in the list.
    pub label: String,
    /// The text to insert.
    pub text: String,
    /// The bytes to replace.
    pub span: Range<usize>,
    /// The kind, in a few words.
    pub kind: &'static str,
    /// A short description.
    pub detail: String,
    /// The documentation in Markdown; may be empty.
    pub documentation: String,
}

/// Returns the completions at a byte that start with the text already there.
#[must_use]
pub fn complete(document: &Document, offset: usize, engine: &Engine) -> Vec<Completion> {
    let mut found = match scene(document, offset) {
        Some(Scene::LineStart(span)) => headers(document, &span),
        Some(Scene::Argument(Header::Marker, part)) => {
            let mut all = of_words(document, &part, Header::Marker, engine);
            all.extend(marker_classes(document, &part));
            all
        }
        Some(Scene::Argument(header, part) | Scene::LuaText(header, part)) => {
            of_words(document, &part, header, engine)
        }
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

/// Returns the words that continue the end of the text: `patrolling fire gi` with `fire giant`.
/// After other words, only those are offered that form a valid spec with them.
fn of_words(
    document: &Document,
    part: &Range<usize>,
    header: Header,
    engine: &Engine,
) -> Vec<Completion> {
    let words = words_for(header, engine);
    let written = String::from_utf8_lossy(&document.text()[part.clone()]);
    let mut starts: Vec<usize> = vec![0];
    starts.extend(written.match_indices(' ').map(|(at, _)| at + 1));
    let goes_on = |word: &Word, from: usize| {
        let (text, begun) = (word.text.to_lowercase(), written[from..].to_lowercase());
        text.starts_with(&begun)
    };
    let fits = |&from: &usize| words.iter().any(|word| goes_on(word, from));
    let Some(from) = starts.into_iter().find(fits) else { return Vec::new() };
    let (before, mut specs) = (&written[..from], Specs::new(header, engine));
    let mut can_stand = |word: &Word| match word.is_whole {
        true => specs.parse(&format!("{before}{}", word.text)),
        false => before.contains(word.behind),
    };
    let fitting = words.into_iter().filter(|word| goes_on(word, from) && can_stand(word));
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

/// Returns the classes of Lua markers, after `lua:`.
fn marker_classes(document: &Document, part: &Range<usize>) -> Vec<Completion> {
    let written = &document.text()[part.clone()];
    let Some(class) = written.strip_prefix(b"lua:") else { return Vec::new() };
    functions_at(document.text(), &(part.end - class.len()..part.end), script_functions())
}

/// Returns the functions whose names start with the text.
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

#[cfg(test)]
mod tests {
    use vaultwright::{DataRoot, EngineOptions};

    use super::*;

    fn offered(line: &str) -> Vec<String> {
        let root = DataRoot::Bare;
        let engine = Engine::new(EngineOptions { root, ..EngineOptions::default() });
        let text = format!("NAME: a\n{line}\n");
        let document = Document::new("a.des", text.as_bytes());
        let found = complete(&document, text.len() - 1, &engine.expect("an engine"));
        found.into_iter().map(|completion| completion.label).collect()
    }

    #[test]
    fn only_what_parses_is_offered() {
        let has = |line: &str, word: &str| offered(line).iter().any(|label| label == word);
        for word in ["program bug", "player", "golem", "removed leopard gecko"] {
            assert!(!has("MONS: ", word), "{word}");
        }
        assert!(has("MONS: ", "rat") && has("MONS: patrolling fire gi", "fire giant"));
        assert!(!has("MONS: rat ", "orc") && has("MONS: rat ", "patrolling"));
        for word in ["", "removed deck", "great wizards, vol. ii"] {
            assert!(!has("ITEM: ", word), "{word}");
        }
        assert!(has("ITEM: ", "dagger") && has("MONS: orc ; ", "dagger"));
        assert!(!has("MONS: orc ; ", "rat"));
        assert!(!has("KFEAT: A = ", "unseen") && has("KFEAT: A = ", "floor"));
        assert!(!has("KFEAT: A = weapon shop ", "floor"));
        assert!(has("KFEAT: A = weapon shop ", "use_all") && !has("KFEAT: A = ", "use_all"));
        assert!(!has("DEPTH: ", "Dwarf") && has("DEPTH: ", "D"));
    }
}
