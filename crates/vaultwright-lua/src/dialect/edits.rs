//! Changes to a text that keep its lines.

use std::borrow::Cow;
use std::ops::Range;

use super::floats::{FloatId, Floats, LocalId, companion};

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
    piece: Piece,
    only_if: Option<When>,
}

/// When a piece is written.
#[derive(Clone, Copy)]
enum When {
    /// If this is a float.
    Float(FloatId),
    /// If it shows only when the text runs whether this is one.
    ShownLater(FloatId),
}

/// What is written.
enum Piece {
    Text(Vec<u8>),
    /// The end of a call: whether a value is a float.
    Condition(FloatId),
    /// What variables have been given, for those that hold now floats, now other numbers.
    Companions(Vec<Given>, Declared),
    /// The variables that tell what these global ones hold, and whether that is floats before the
    /// text gives them anything.
    OfGlobals(Vec<(LocalId, bool)>),
}

/// A variable that has been given a value.
pub(super) struct Given {
    pub(super) local: LocalId,
    /// Where its name stands in the text.
    pub(super) name: Range<usize>,
    pub(super) value: FloatId,
}

/// Whether variables that tell what others hold are new, as those are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Here,
    Before,
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
        self.note(at..at, Side::After, Piece::text(text), None);
    }

    pub(super) fn before(&mut self, at: usize, text: &str) {
        self.note(at..at, Side::Before, Piece::text(text), None);
    }

    pub(super) fn at_body(&mut self, at: usize, text: &str) {
        self.note(at..at, Side::Body, Piece::text(text), None);
    }

    pub(super) fn instead(&mut self, range: Range<usize>, text: &[u8]) {
        self.note(range, Side::Instead, Piece::Text(text.to_vec()), None);
    }

    /// Says what variables have been given, behind the statement or where a block begins.
    pub(super) fn companions(&mut self, at: usize, given: Vec<Given>, declared: Declared) {
        self.note(at..at, Side::After, Piece::Companions(given, declared), None);
    }

    /// Declares what tells what global variables hold, at the start of the text.
    pub(super) fn companions_of_globals(&mut self, globals: Vec<(LocalId, bool)>) {
        self.note(0..0, Side::Body, Piece::OfGlobals(globals), None);
    }

    /// Puts a call around a range, if a value turns out to be a float.
    pub(super) fn around_float(&mut self, range: Range<usize>, function: &str, float: FloatId) {
        let opening = format!("{function}(");
        let (start, end) = (range.start..range.start, range.end..range.end);
        let when = Some(When::Float(float));
        self.note(start.clone(), Side::Before, Piece::text(&opening), when);
        self.note(end.clone(), Side::After, Piece::text(")"), when);
        let (opening, when) = (format!("{function}_if("), Some(When::ShownLater(float)));
        self.note(start, Side::Before, Piece::text(&opening), when);
        self.note(end, Side::After, Piece::Condition(float), when);
    }

    /// Adds a piece that ends something, if a value turns out to be a float.
    pub(super) fn after_float(&mut self, at: usize, text: &str, float: FloatId) {
        self.note(at..at, Side::After, Piece::text(text), Some(When::Float(float)));
    }

    fn note(&mut self, range: Range<usize>, side: Side, piece: Piece, only_if: Option<When>) {
        self.edits.push(Edit { start: range.start, end: range.end, side, piece, only_if });
    }

    /// The text with all changes; what is replaced leaves its line ends behind.
    pub(super) fn apply(mut self, text: &[u8], floats: &Floats) -> Vec<u8> {
        self.edits.retain(|edit| match edit.only_if {
            None => true,
            Some(When::Float(float)) => floats.holds(float),
            Some(When::ShownLater(float)) => floats.shows_later(float),
        });
        // Where nothing that is shown asks them, nobody does.
        let are_asked = self.edits.iter().any(|edit| matches!(edit.piece, Piece::Condition(_)));
        let tells = |piece: &Piece| matches!(piece, Piece::Companions(..) | Piece::OfGlobals(..));
        self.edits.retain(|edit| are_asked || !tells(&edit.piece));
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
            let piece = edit.piece.written(text, floats);
            out.extend_from_slice(&piece);
            done = edit.end.max(start);
            if edit.side == Side::Instead && !piece.contains(&b'\n') {
                out.extend(text[start..done].iter().filter(|byte| **byte == b'\n'));
            }
        }
        out.extend_from_slice(&text[done..]);
        out
    }
}

impl Piece {
    fn text(text: &str) -> Piece {
        Piece::Text(text.as_bytes().to_vec())
    }

    fn written(&self, text: &[u8], floats: &Floats) -> Cow<'_, [u8]> {
        let written = match self {
            Piece::Text(text) => return Cow::Borrowed(text),
            Piece::Condition(float) => match floats.only_whole(*float) {
                Some(whole) => format!(", true, {whole})"),
                None => format!(", {})", floats.condition(*float, "")),
            },
            Piece::Companions(given, declared) => {
                let mixed: Vec<&Given> =
                    given.iter().filter(|given| floats.is_mixed(given.local)).collect();
                if mixed.is_empty() {
                    return Cow::Borrowed(b"");
                }
                let names: Vec<String> = mixed.iter().map(|given| companion(given.local)).collect();
                let condition = |given: &&Given| {
                    let name = String::from_utf8_lossy(&text[given.name.clone()]);
                    floats.condition(given.value, &name)
                };
                let conditions: Vec<String> = mixed.iter().map(condition).collect();
                let word = if *declared == Declared::Here { "local " } else { "" };
                format!(" {word}{} = {}", names.join(", "), conditions.join(", "))
            }
            Piece::OfGlobals(globals) => {
                let mixed = globals.iter().filter(|(global, _)| floats.is_mixed(*global));
                mixed
                    .map(|(global, at_first)| format!("local {} = {at_first} ", companion(*global)))
                    .collect()
            }
        };
        Cow::Owned(written.into_bytes())
    }
}
