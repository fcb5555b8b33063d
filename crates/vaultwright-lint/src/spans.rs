//! Spans of a text: its lines, what is left of a span without the blanks around it, and what of a
//! file's tree stands there.

use std::ops::Range;

use vaultwright_engine::SourceFile;
use vaultwright_syntax::{Map, SyntaxError};

/// Returns the line ending of a text.
pub(crate) fn end_of_lines(text: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', text) {
        Some(at) if text[..at].ends_with(b"\r") => "\r\n",
        _ => "\n",
    }
}

/// Returns the line around a byte, without its ending.
pub(crate) fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
    start..end
}

/// Returns the line around a byte without its ending, in any system's format.
pub(crate) fn words_of_line(text: &[u8], at: usize) -> Range<usize> {
    let line = line_around(text, at);
    let has_return = text[line.clone()].ends_with(b"\r");
    line.start..line.end - usize::from(has_return)
}

/// Returns the bytes of a span without surrounding blanks; `None` if there is nothing else.
pub(crate) fn trimmed(text: &[u8], span: Range<usize>) -> Option<Range<usize>> {
    let words = text.get(span.clone())?;
    let start = span.start + words.len() - words.trim_ascii_start().len();
    let end = start + words.trim_ascii().len();
    (start < end).then_some(start..end)
}

/// Returns the number of the last map that begins at a byte or in front of it; it may have ended
/// there.
pub(crate) fn map_begun(file: &SourceFile, at: usize) -> Option<usize> {
    file.tree.maps.partition_point(|map| map.span.start <= at).checked_sub(1)
}

/// Returns the first map that ends behind a byte: the one around it, or the next one.
pub(crate) fn map_around_or_next(file: &SourceFile, at: usize) -> Option<&Map> {
    file.tree.maps.get(file.tree.maps.partition_point(|map| map.span.end <= at))
}

/// Returns the syntax errors from a byte on.
pub(crate) fn syntax_errors_from(file: &SourceFile, at: usize) -> &[SyntaxError] {
    let errors = &file.tree.errors;
    &errors[errors.partition_point(|error| error.span.start < at)..]
}

/// Returns whether a line of a map has a syntax error.
pub(crate) fn has_syntax_error(file: &SourceFile, map: &Map) -> bool {
    let errors = syntax_errors_from(file, map.span.start).iter();
    errors.take_while(|error| error.span.start < map.span.end).any(|error| !error.warning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_words_are_none_of_them() {
        assert_eq!(trimmed(b"a: b c \n", 2..8), Some(3..6));
        assert_eq!([trimmed(b"a:  \n", 2..5), trimmed(b"a", 0..9)], [None, None]);
    }
}
