//! A source file with its lines.

use std::sync::Arc;

use crate::span::LARGEST;

/// A source text with the name it is reported under.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as shown in messages.
    pub name: Arc<str>,
    /// The bytes of the file.
    pub text: Arc<[u8]>,
    /// Whether a byte-order mark stood before them.
    pub is_marked: bool,
}

impl Source {
    /// Returns a source from a name and its bytes; a byte-order mark is read over.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<[u8]>>) -> Source {
        let text = text.into();
        let is_marked = text.len() > without_mark(&text).len();
        let text = if is_marked { Arc::from(without_mark(&text)) } else { text };
        Source { name: name.into(), text, is_marked }
    }

    /// Returns the last component of the name.
    pub fn base_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }
}

/// Returns a text without the byte-order mark that some editors write first.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// A place in a source: line and column from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

/// Finds lines and columns of byte offsets.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Box<[u32]>,
    len: usize,
}

impl LineIndex {
    /// Indexes a text. What is beyond 4 GiB counts as the end of one line.
    pub fn new(text: &[u8]) -> LineIndex {
        let ends = || memchr::memchr_iter(b'\n', &text[..text.len().min(LARGEST)]);
        let mut starts = Vec::with_capacity(1 + ends().count());
        starts.push(0);
        starts.extend(ends().map(|at| at as u32 + 1));
        LineIndex { starts: starts.into(), len: text.len() }
    }

    /// Returns how many bytes the text has.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether a text has lines")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the position of a byte offset; offsets past the end give the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        Position { line: line as u32 + 1, column: (offset - self.starts[line] as usize) as u32 + 1 }
    }

    /// Returns the byte range of a line (from 1) without its line end; empty past the end.
    pub fn line(&self, line: u32) -> std::ops::Range<usize> {
        let index = (line.max(1) - 1) as usize;
        let Some(&start) = self.starts.get(index) else { return self.len..self.len };
        let end = self.starts.get(index + 1).map_or(self.len, |&next| next as usize - 1);
        start as usize..end
    }
}
