//! Changes to a text that keep its lines.

use super::floats::{FloatId, Floats};

/// Where a piece goes among those of the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    /// Ends something: what was noted first is inside.
    After,
    /// At the start of a block's body.
    Body,
    /// Begins something: what was noted last is outside.
    Before,
    /// Takes the place of what was there.
    Instead,
}

struct Edit {
    start: usize,
    end: usize,
    side: Side,
    text: Vec<u8>,
    /// The piece is written only if this is a float.
    only_if: Option<FloatId>,
}

/// Changes in the order in which they were noted.
#[derive(Default)]
pub(super) struct Edits {
    edits: Vec<Edit>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    pub(super) fn after(&mut self, at: usize, text: &str) {
        self.note(at..at, Side::After, text.as_bytes(), None);
    }

    pub(super) fn before(&mut self, at: usize, text: &str) {
        self.note(at..at, Side::Before, text.as_bytes(), None);
    }

    pub(super) fn at_body(&mut self, at: usize, text: &str) {
        self.note(at..at, Side::Body, text.as_bytes(), None);
    }

    pub(super) fn instead(&mut self, range: std::ops::Range<usize>, text: &[u8]) {
        self.note(range, Side::Instead, text, None);
    }

    /// Puts a call around a range, if a value turns out to be a float.
    pub(super) fn around_float(
        &mut self,
        range: std::ops::Range<usize>,
        function: &str,
        float: FloatId,
    ) {
        let opening = format!("{function}(");
        self.note(range.start..range.start, Side::Before, opening.as_bytes(), Some(float));
        self.note(range.end..range.end, Side::After, b")", Some(float));
    }

    /// Adds a piece that ends something, if a value turns out to be a float.
    pub(super) fn after_float(&mut self, at: usize, text: &str, float: FloatId) {
        self.note(at..at, Side::After, text.as_bytes(), Some(float));
    }

    fn note(
        &mut self,
        range: std::ops::Range<usize>,
        side: Side,
        text: &[u8],
        only_if: Option<FloatId>,
    ) {
        let text = text.to_vec();
        self.edits.push(Edit { start: range.start, end: range.end, side, text, only_if });
    }

    /// The text with all changes; what is replaced leaves its line ends behind.
    pub(super) fn apply(mut self, text: &[u8], floats: &Floats) -> Vec<u8> {
        self.edits.retain(|edit| edit.only_if.is_none_or(|float| floats.holds(float)));
        let mut order: Vec<usize> = (0..self.edits.len()).collect();
        order.sort_by(|&a, &b| {
            let (first, second) = (&self.edits[a], &self.edits[b]);
            let noted = if first.side == Side::Before { b.cmp(&a) } else { a.cmp(&b) };
            (first.start, first.side).cmp(&(second.start, second.side)).then(noted)
        });
        let mut out = Vec::with_capacity(text.len() + 64);
        let mut done = 0;
        for index in order {
            let edit = &self.edits[index];
            let start = edit.start.max(done);
            out.extend_from_slice(&text[done..start]);
            out.extend_from_slice(&edit.text);
            done = edit.end.max(start);
            if edit.side == Side::Instead && !edit.text.contains(&b'\n') {
                out.extend(text[start..done].iter().filter(|byte| **byte == b'\n'));
            }
        }
        out.extend_from_slice(&text[done..]);
        out
    }
}
