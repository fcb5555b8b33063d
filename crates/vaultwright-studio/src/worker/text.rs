//! Positions as pages count them: lines from 0, columns from 0 in UTF-16.

use std::ops::Range;

use serde_json::{Value, json};
use vaultwright::syntax::LineIndex;

/// A text whose bytes have positions.
pub struct TextPlaces {
    bytes: Vec<u8>,
    lines: LineIndex,
    /// Each byte is a character.
    latin1: bool,
}

impl TextPlaces {
    pub fn of(bytes: impl Into<Vec<u8>>) -> TextPlaces {
        let bytes = bytes.into();
        let latin1 = std::str::from_utf8(&bytes).is_err();
        TextPlaces { lines: LineIndex::new(&bytes), bytes, latin1 }
    }

    pub fn position(&self, offset: usize) -> Value {
        let at = self.lines.position(offset);
        let start = self.lines.line(at.line).start;
        let before = &self.bytes[start..offset.clamp(start, self.bytes.len())];
        let column = match self.latin1 {
            true => before.len(),
            false => String::from_utf8_lossy(before).encode_utf16().count(),
        };
        json!({ "line": at.line - 1, "column": column })
    }

    pub fn range(&self, span: &Range<usize>) -> Value {
        json!({ "start": self.position(span.start), "end": self.position(span.end) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_a_browser() {
        let text = TextPlaces::of("a\n\u{e9}\u{1f409}b".as_bytes());
        assert_eq!(text.position(0), json!({ "line": 0, "column": 0 }));
        assert_eq!(text.position(8), json!({ "line": 1, "column": 3 }));
        assert_eq!(text.position(99), json!({ "line": 1, "column": 4 }));
        let latin1 = TextPlaces::of(&b"\xe9\xe9x"[..]);
        assert_eq!(latin1.position(2), json!({ "line": 0, "column": 2 }));
    }
}
