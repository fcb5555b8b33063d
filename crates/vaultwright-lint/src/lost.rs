//! Alternatives whose mistakes the reference forgets (VW351).

use std::ops::Range;

use vaultwright_engine::Problem;

use crate::View;

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for lost in &view.entry.definition.lost {
        let span = place_of(view, &lost.text, &lost.culprit);
        let what = if lost.kept { "is left away" } else { "does not come" };
        let message = format!("'{}' {what}, without a word: {}", lost.text, lost.message);
        let hint = match lost.kept {
            true => "take it out, or give it to something that can have it",
            false => "mend it, or take it out; the alternatives behind it hide the mistake",
        };
        problems.push(view.warning("VW351", span, message, hint));
    }
}

/// The words at fault in the source; the map's name if Lua put them together.
fn place_of(view: &View, text: &str, culprit: &str) -> Range<usize> {
    let source = view.text();
    let find = |words: &str, within: Range<usize>| {
        let (start, words) = (within.start, words.as_bytes());
        let found = source[within].windows(words.len().max(1)).position(|part| part == words)?;
        Some(start + found..start + found + words.len())
    };
    let Some(whole) = find(text, view.map.span.clone()) else { return view.map.name.span() };
    match culprit.is_empty() {
        true => whole,
        false => find(culprit, whole.clone()).unwrap_or(whole),
    }
}
