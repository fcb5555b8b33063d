//! A source file with its lines.

use std::sync::Arc;

use crate::span::MAX_FILE_SIZE;

/// A source text, and its name in reports.
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
    /// Creates a source from a name and its bytes, skipping a byte-order mark.
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

/// Returns a text without the byte-order mark that some editors write.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// A position in a source: line and column from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
}

/// Converts byte offsets to lines and columns.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Box<[u32]>,
    len: usize,
}

impl LineIndex {
    /// Indexes a text. If it exceeds 4 GiB, the rest counts as the end of one line.
    pub fn new(text: &[u8]) -> LineIndex {
        let ends = || memchr::memchr_iter(b'\n', &text[..text.len().min(MAX_FILE_SIZE)]);
        let mut starts = Vec::with_capacity(1 + ends().count());
        starts.push(0);
        starts.extend(ends().map(|at| at as u32 + 1));
        LineIndex { starts: starts.into(), len: text.len() }
    }

    /// Returns the length of the text in bytes.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether a text has lines")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the position of a byte offset; for offsets beyond the end, the position of the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        Position { line: line as u32 + 1, column: (offset - self.starts[line] as usize) as u32 + 1 }
    }

    /// Returns the byte range of a line (from 1) without its line end; empty beyond the last line.
    pub fn line(&self, line: u32) -> std::ops::Range<usize> {
        let index = (line.max(1) - 1) as usize;
        let Some(&start) = self.starts.get(index) else { return self.len..self.len };
        let end = self.starts.get(index + 1).map_or(self.len, |&next| next as usize - 1);
        start as usize..end
    }
}
