//! The lints of headers, applied to strings in calls: tags (VW341), depths without a level (VW322),
//! levels that PLACE cannot name (VW374), and comments (VW304) and keys (VW305) where all
//! characters are glyphs.

use std::ops::Range;

use vaultwright_map::DepthRanges;
use vaultwright_syntax::Header;

use super::tree::Span;
use super::value::{Known, Value};
use super::{Finding, Look};
use crate::near::Advice;
use crate::{codes, selection, structure, tags};

/// The maximum number of tags to check in a string.
const MAX_TAGS: usize = 100;

impl Look<'_> {
    /// Checks the tags that a map sets, all in the first argument.
    pub(super) fn tags(&mut self, tree: usize, arguments: &[Value]) {
        for known in arguments.first().into_iter().flat_map(|value| &value.texts) {
            // Concatenated strings may contain incomplete tags, unless they are of literals alone.
            if known.parts.len() != 1 && !self.is_written_out(tree, known) {
                continue;
            }
            let text = String::from_utf8_lossy(&known.text).into_owned();
            for tag in text.split_whitespace().take(MAX_TAGS) {
                if let Some(flaw) = tags::misspelt(self.engine, &self.names.in_use, tag) {
                    let advice = Advice { hint: flaw.hint, near: flaw.near };
                    let finding = Finding::of(codes::UNKNOWN_TAG, flaw.message, advice);
                    self.say(tree, known, tag, finding);
                }
            }
        }
    }

    /// Returns whether a concatenation is one of literals, with nothing between them that is not
    /// known.
    fn is_written_out(&self, tree: usize, known: &Known) -> bool {
        let text = &self.trees[tree].lua.text;
        let joined = |pair: &[(usize, usize, Span)]| {
            let [(_, one, from), (_, other, to)] = pair else { return false };
            let between = text.get(from.end..to.start).map(<[u8]>::trim_ascii);
            (*one, *other) == (tree, tree) && between == Some(b"..")
        };
        let first = known.parts.first().map_or(0, |(.., span)| span.start);
        let before = text[..first].trim_ascii_end();
        let last = known.parts.last().map_or(0, |(.., span)| span.end);
        let behind = text.get(last..).unwrap_or_default().trim_ascii_start();
        known.parts.windows(2).all(joined) && !before.ends_with(b"..") && !behind.starts_with(b"..")
    }

    /// Checks a statement without errors.
    pub(super) fn statement_of(&mut self, tree: usize, header: Header, known: &Known) {
        if known.parts.len() != 1 {
            return;
        }
        match header {
            Header::Depth | Header::Place => self.depths(tree, header, known),
            Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear => {
                self.glyphs(tree, header, known);
            }
            _ => {}
        }
    }

    fn depths(&mut self, tree: usize, header: Header, known: &Known) {
        let branches = self.engine.content().branches();
        let text = String::from_utf8_lossy(&known.text);
        let ranges = DepthRanges::parse(&text, branches).unwrap_or_default();
        for message in ranges.0.iter().filter_map(|range| selection::no_level(range, branches)) {
            let finding =
                Finding::of(codes::NO_SUCH_LEVEL, message, selection::WRITE_A_LEVEL.to_owned());
            self.say(tree, known, text.trim(), finding);
        }
        let place = (header == Header::Place).then(|| selection::no_place(&ranges, branches));
        if let Some(message) = place.flatten() {
            let finding =
                Finding::of(codes::PLACE_IN_ABYSS, message, selection::WRITE_DEPTH.to_owned());
            self.say(tree, known, text.trim(), finding);
        }
    }

    fn glyphs(&mut self, tree: usize, header: Header, known: &Known) {
        if let Some(at) = structure::comment_in(&known.text) {
            let comment = String::from_utf8_lossy(&known.text[at..]).into_owned();
            let (message, hint) = structure::COMMENT_IN_GLYPHS;
            let finding = Finding::of(codes::COMMENT_BEHIND, message.to_owned(), hint.to_owned());
            self.say(tree, known, &comment, finding);
        }
        let has_key = header == Header::Shuffle && structure::key_of_shuffle(&known.text).is_some();
        let map = self.trees[tree].map.map(|map| &self.file.tree.maps[map]);
        let shows = |map| structure::shows_equals_sign(map, &self.file.source.text);
        if has_key && map.is_some_and(|map| !shows(map)) {
            let (message, hint) = structure::KEY_IN_SHUFFLE;
            let finding = Finding::of(codes::SHUFFLE_KEY, message.to_owned(), hint.to_owned());
            self.say(tree, known, "=", finding);
        }
    }

    /// Reports a finding at the words in question of a string.
    fn say(&mut self, tree: usize, known: &Known, words: &str, finding: Finding) {
        let place: Range<usize> = self.place_of(known, words);
        self.tell(self.trees[tree].map, place, finding);
    }
}
