//! Alternatives whose mistakes the reference forgets (VW351).

use std::ops::Range;

use vaultwright_engine::Problem;

use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for lost in &view.entry.definition.lost {
        let span = place_of(view, &lost.text, &lost.culprit);
        let (text, error) = (&lost.text, &lost.message);
        let (message, hint) = match lost.kept {
            true => (
                format!("what is wrong with '{text}' is forgotten without a word: {error}"),
                "take out what cannot be; the alternative is made without it",
            ),
            false => (
                format!("'{text}' is dropped without a word: {error}"),
                "mend it, or take it out; the alternatives behind it hide the mistake",
            ),
        };
        problems.push(view.warning(codes::LOST_ITEM, span, message, hint));
    }
}

/// The words at fault in the source; the map's name if Lua put them together.
fn place_of(view: &View, text: &str, culprit: &str) -> Range<usize> {
    let source = view.text();
    let in_comment = |at: usize| {
        let line = source[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        source[line..].trim_ascii_start().starts_with(b"#")
    };
    let find = |words: &str, within: Range<usize>| {
        let (start, words) = (within.start, words.as_bytes());
        let parts = source[within].windows(words.len().max(1)).enumerate();
        let mut found = parts.filter(|(_, part)| *part == words).map(|(index, _)| start + index);
        let at = found.find(|&at| !in_comment(at))?;
        Some(at..at + words.len())
    };
    let Some(whole) = find(text, view.map.span.clone()) else { return view.map.name.span() };
    match culprit.is_empty() {
        true => whole,
        false => find(culprit, whole.clone()).unwrap_or(whole),
    }
}
