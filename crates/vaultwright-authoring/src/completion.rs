//! Completions at a position.

use std::ops::Range;

use vaultwright::Engine;
use vaultwright::syntax::Header;

use crate::Document;
use crate::described;
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
    let marker = marker_name(document, offset);
    let mut found = match (marker, scene(document, offset)) {
        (Some(name), _) => marker_functions(document, &name, engine),
        (_, Some(Scene::LineStart(span))) => headers(document, &span),
        (_, Some(Scene::Argument(Header::Marker, part) | Scene::LuaText(Header::Marker, part))) => {
            of_marker(document, &part, engine)
        }
        (_, Some(Scene::Argument(header, part) | Scene::LuaText(header, part))) => {
            of_words(document, &part, header, engine)
        }
        (_, Some(Scene::LuaName(span))) => functions_at(document.text(), &span, script_functions()),
        (_, None) => Vec::new(),
    };
    found.truncate(MAX_OFFERED);
    found
}

fn headers(document: &Document, span: &Range<usize>) -> Vec<Completion> {
    let written = String::from_utf8_lossy(&document.text()[span.clone()]).to_lowercase();
    let headers = Header::all().map(|(header, keyword)| (Some(header), keyword));
    let keywords = headers.chain([(None, "MAP"), (None, "ENDMAP")]);
    let fitting = keywords.filter(|(_, keyword)| keyword.to_lowercase().starts_with(&written));
    let completions = fitting.map(|(header, keyword)| Completion {
        label: keyword.to_owned(),
        text: if keyword.ends_with(':') { format!("{keyword} ") } else { keyword.to_owned() },
        span: span.clone(),
        kind: "header",
        detail: String::new(),
        documentation: header.and_then(described::header).unwrap_or_default(),
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
    let mut specs = Specs::new(header, engine);
    let mut found: Vec<Completion> = Vec::new();
    // Behind a name that is whole stand longer names and what follows a name.
    for from in starts {
        let (before, begun) = (&written[..from], written[from..].to_lowercase());
        let goes_on = |word: &&Word| {
            let is_there = word.is_written && word.text == written[from..];
            !word.text.is_empty() && word.text.to_lowercase().starts_with(&begun) && !is_there
        };
        let mut can_stand = |word: &&Word| match word.is_whole {
            true => specs.parse(&format!("{before}{}", word.text)),
            false => before.contains(word.behind),
        };
        let fitting = words.iter().filter(|word| goes_on(word) && can_stand(word));
        found.extend(fitting.map(|word| Completion {
            label: word.text.clone(),
            text: word.text.clone(),
            span: part.start + from..part.end,
            kind: "word",
            detail: word.detail.clone(),
            documentation: String::new(),
        }));
    }
    found
}

/// Returns what a marker can be: the two ways to say it, or features behind `feat:`.
fn of_marker(document: &Document, part: &Range<usize>, engine: &Engine) -> Vec<Completion> {
    let written = &document.text()[part.clone()];
    if let Some(feature) = written.strip_prefix(b"feat:") {
        return of_words(document, &(part.end - feature.len()..part.end), Header::Marker, engine);
    }
    let ways = [("lua:", "a marker that Lua makes"), ("feat:", "a feature")];
    let fitting = ways.into_iter().filter(|(way, _)| way.as_bytes().starts_with(written));
    let completions = fitting.map(|(way, detail)| Completion {
        label: way.to_owned(),
        text: way.to_owned(),
        span: part.clone(),
        kind: "word",
        detail: detail.to_owned(),
        documentation: String::new(),
    });
    completions.collect()
}

/// Returns the name that is being written right behind the `lua:` of a marker.
fn marker_name(document: &Document, offset: usize) -> Option<Range<usize>> {
    let text = document.text();
    let offset = offset.min(text.len());
    let (header, start) = document.header_at(offset)?;
    let written = text[start..offset].strip_suffix(b"\n").unwrap_or(&text[start..offset]);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = written.iter().rev().take_while(|byte| is_part(byte)).count();
    let before = &written[..written.len() - length];
    let is_marker = header == Header::Marker && before.ends_with(b"lua:");
    is_marker.then(|| offset - length..offset)
}

/// Returns the functions that may make a marker: those of scripts, and those that the library and
/// the Lua of the pack have.
fn marker_functions(document: &Document, span: &Range<usize>, engine: &Engine) -> Vec<Completion> {
    let written = &document.text()[span.clone()];
    let mut found = functions_at(document.text(), span, script_functions());
    let names = engine.lua_names("_G").into_iter();
    let fitting = names.filter(|name| {
        name.as_bytes().starts_with(written)
            && !name.starts_with('_')
            && !script_functions().iter().any(|function| function.name == *name)
    });
    found.extend(fitting.map(|name| Completion {
        label: name.clone(),
        text: name,
        span: span.clone(),
        kind: "function",
        detail: "of the Lua that is loaded".to_owned(),
        documentation: String::new(),
    }));
    found
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
    use vaultwright::content::Edition;
    use vaultwright::{DataRoot, EngineOptions};

    use super::*;

    fn offered(line: &str) -> Vec<String> {
        offered_in(line, None)
    }

    fn offered_in(line: &str, edition: Option<Edition>) -> Vec<String> {
        let root = DataRoot::Bare;
        let engine = Engine::new(EngineOptions { root, edition, ..EngineOptions::default() });
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
        for line in ["ITEM: potion of haste ", "ITEM: any weapon "] {
            assert!(!has(line, ""), "{line}");
        }
        for line in ["WEIGHT: ", "CHANCE: 5 (D) ", "KFEAT: ", "COLOUR: a", "KMASK: "] {
            assert_eq!(offered(line), [] as [&str; 0], "{line}");
        }
        assert!(has("WEIGHT: 20 (", "D") && has("CHANCE: 5% (D, Z", "Zot"));
        for (edition, has_it) in [(Edition::V0_28, false), (Edition::Trunk, true)] {
            let masks = offered_in("KMASK: a = ", Some(edition));
            assert_eq!(masks.iter().any(|mask| mask == "allow_tele_closets"), has_it);
            assert!(masks.iter().any(|mask| mask == "no_monster_gen"));
        }
        assert!(!has("LROCKCOL: ", "black") && has("LROCKCOL: ", "red"));
        assert!(!has("TAGS: tran", "tran") && has("TAGS: tran", "transparent"));
    }

    #[test]
    fn a_name_that_is_whole_goes_on() {
        let has = |line: &str, word: &str| offered(line).iter().any(|label| label == word);
        for line in ["MONS: fire giant ", "MONS: orc ", "ITEM: long sword "] {
            assert!(has(line, "w:"), "{line}");
        }
        assert!(has("MONS: orc ", "orc warrior") && has("ITEM: long sword ", "good_item"));
    }

    #[test]
    fn a_marker_is_lua_or_a_feature() {
        let has = |line: &str, word: &str| offered(line).iter().any(|label| label == word);
        assert_eq!(offered("MARKER: a = "), ["lua:", "feat:"]);
        assert_eq!(offered("MARKER: a = fe"), ["feat:"]);
        assert!(
            has("MARKER: a = feat:", "floor")
                && has("MARKER: a = feat:stone_s", "stone_stairs_up_i")
        );
        assert!(
            has("MARKER: a = lua:", "props_marker") && has("MARKER: a = lua:props", "props_marker")
        );
        assert_eq!(offered("MARKER: "), [] as [&str; 0]);
    }
}
