//! Spans of a text: its lines, and what is left of a span without the blanks around it.

use std::ops::Range;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_words_are_none_of_them() {
        assert_eq!(trimmed(b"a: b c \n", 2..8), Some(3..6));
        assert_eq!([trimmed(b"a:  \n", 2..5), trimmed(b"a", 0..9)], [None, None]);
    }
}
