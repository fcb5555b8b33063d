//! Positions as pages count them: lines from 0, columns from 0 in UTF-16.

use std::ops::Range;

use serde_json::{Value, json};
use vaultwright_authoring::{Places, Unit};

/// A text whose bytes have positions.
pub struct TextPlaces(Places);

impl TextPlaces {
    pub fn of(bytes: impl Into<Vec<u8>>) -> TextPlaces {
        TextPlaces(Places::new(bytes, Unit::Utf16))
    }

    pub fn position(&self, offset: usize) -> Value {
        let place = self.0.place(offset);
        json!({ "line": place.line, "column": place.column })
    }

    pub fn range(&self, span: &Range<usize>) -> Value {
        json!({ "start": self.position(span.start), "end": self.position(span.end) })
    }
}
