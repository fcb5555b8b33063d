//! From values of ours to those of the protocol.

use std::ops::Range as Span;

use lsp_types::{Position, Range};
use vaultwright_authoring::{Place, Places};

pub fn position(place: Place) -> Position {
    Position { line: place.line, character: place.column }
}

pub fn range(places: &Places, span: &Span<usize>) -> Range {
    let (start, end) = places.range(span);
    Range { start: position(start), end: position(end) }
}

pub fn offset(places: &Places, position: Position) -> usize {
    places.offset(Place { line: position.line, column: position.character })
}
