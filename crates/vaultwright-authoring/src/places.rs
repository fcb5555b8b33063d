//! Positions as counted by editors.

use std::ops::Range;

use vaultwright::syntax::LineIndex;

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, used by JavaScript and by most editor protocols.
    Utf16,
}

/// A position: line and column, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0, in the requested unit.
    pub column: u32,
}

/// A text with positions for its bytes. A text that is not UTF-8 is treated as Latin-1.
pub struct Places {
    bytes: Vec<u8>,
    lines: LineIndex,
    unit: Unit,
    latin1: bool,
    /// The lines on which columns are bytes, whatever the unit.
    plain: Vec<bool>,
}

impl Places {
    /// Computes the positions of a text.
    pub fn new(bytes: impl Into<Vec<u8>>, unit: Unit) -> Places {
        let bytes = bytes.into();
        let latin1 = std::str::from_utf8(&bytes).is_err();
        let plain = bytes.split(|&byte| byte == b'\n').map(<[u8]>::is_ascii).collect();
        Places { lines: LineIndex::new(&bytes), bytes, unit, latin1, plain }
    }

    /// Returns the position of a byte; for one beyond the end, the end of the text.
    #[must_use]
    pub fn place(&self, offset: usize) -> Place {
        let at = self.lines.position(offset);
        let start = self.lines.line(at.line).start;
        let before = &self.bytes[start..offset.clamp(start, self.bytes.len())];
        let column = match self.counts_bytes(at.line - 1) {
            true => before.len(),
            false => String::from_utf8_lossy(before).encode_utf16().count(),
        };
        Place { line: at.line - 1, column: column as u32 }
    }

    /// Returns whether the columns of a line, from 0, are bytes.
    fn counts_bytes(&self, line: u32) -> bool {
        let is_plain = || self.plain.get(line as usize).copied().unwrap_or_default();
        self.latin1 || self.unit == Unit::Utf8 || is_plain()
    }

    /// Returns the positions of both ends of a span.
    #[must_use]
    pub fn range(&self, span: &Range<usize>) -> (Place, Place) {
        (self.place(span.start), self.place(span.end))
    }

    /// Returns the end of a line, from 0, before what ends it.
    #[must_use]
    pub fn end_of(&self, line: u32) -> Place {
        let end = self.offset(Place { line, column: u32::MAX });
        self.place(end)
    }

    /// Returns the byte at a place; the end of its line, or of the text, for a place beyond it.
    #[must_use]
    pub fn offset(&self, place: Place) -> usize {
        let last = self.lines.position(self.bytes.len()).line;
        if place.line >= last {
            return self.bytes.len();
        }
        let line = self.lines.line(place.line + 1);
        let text = &self.bytes[line.start..line.end.min(self.bytes.len())];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let column = place.column as usize;
        if self.counts_bytes(place.line) {
            return line.start + column.min(text.len());
        }
        let mut units = 0;
        for (at, letter) in String::from_utf8_lossy(text).char_indices() {
            if units >= column {
                return line.start + at;
            }
            units += letter.len_utf16();
        }
        line.start + text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_bytes_are_each_others_inverse() {
        let text = "a\n\u{e9}\u{1f409}b\r\n\nend";
        for unit in [Unit::Utf8, Unit::Utf16] {
            let places = Places::new(text.as_bytes(), unit);
            for (offset, _) in text.char_indices().filter(|(_, c)| *c != '\r' && *c != '\n') {
                assert_eq!(places.offset(places.place(offset)), offset, "{unit:?}, {offset}");
            }
        }
        let places = Places::new(text.as_bytes(), Unit::Utf16);
        assert_eq!(places.place(8), Place { line: 1, column: 3 });
        assert_eq!(places.offset(Place { line: 1, column: 99 }), 9);
        assert_eq!(places.offset(Place { line: 99, column: 0 }), text.len());
        assert_eq!(places.offset(Place { line: 3, column: 99 }), text.len());
    }

    #[test]
    fn places_of_a_long_line_take_no_longer() {
        let text = format!("a\u{e9}\n{}", "rat / ".repeat(100_000));
        let places = Places::new(text.as_bytes(), Unit::Utf16);
        for column in 0..600_000 {
            assert_eq!(places.offset(places.place(4 + column)), 4 + column);
        }
    }

    #[test]
    fn a_byte_is_a_column_in_latin1() {
        let places = Places::new(&b"\xe9\xe9x"[..], Unit::Utf16);
        assert_eq!(places.place(2), Place { line: 0, column: 2 });
        assert_eq!(places.offset(Place { line: 0, column: 2 }), 2);
    }
}
