//! What is wrong with a map, and where.

use std::ops::Range;
use std::sync::Arc;

use vaultwright_lua::FailureKind;
use vaultwright_map::ErrorCode;
use vaultwright_syntax::SyntaxErrorKind;

use super::source_file::SourceFile;

/// Something wrong with a map, with its place in the source.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The file.
    pub file: Arc<SourceFile>,
    /// The bytes at fault.
    pub span: Range<usize>,
    /// The map it belongs to.
    pub map: Option<String>,
    /// The change of the text that mends it.
    pub fix: Option<Box<Fix>>,
}

/// A change of a file that mends a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for menus.
    pub title: String,
    /// The edits, none of which touches another.
    pub edits: Vec<Edit>,
    /// Whether it can be made unseen: what it writes is what the author meant.
    pub safe: bool,
}

/// Bytes of a file and what takes their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go; where the text comes in, if it is empty.
    pub span: Range<usize>,
    /// What is written.
    pub text: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = self.file.lines.position(self.span.start);
        write!(f, "{}:{}:{}: {}", self.file.source.name, at.line, at.column, self.message)
    }
}

impl std::error::Error for Problem {}

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Compiles, but does not do what it says.
    Warning,
    /// Does not compile.
    Error,
}

/// The subject of a problem; each has a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A syntax error.
    Syntax(SyntaxErrorKind),
    /// A spec that means nothing.
    Spec(ErrorCode),
    /// Lua that does not compile or fails.
    Lua,
    /// Lua that ran too long.
    LuaBudget,
    /// Lua that took too much memory.
    LuaMemory,
    /// Two maps of one name.
    DuplicateName,
    /// A finding of the linter, by its code.
    Lint(&'static str),
}

impl From<FailureKind> for Code {
    fn from(kind: FailureKind) -> Code {
        match kind {
            FailureKind::Syntax | FailureKind::Runtime => Code::Lua,
            FailureKind::Budget => Code::LuaBudget,
            FailureKind::Memory => Code::LuaMemory,
        }
    }
}

/// A failed chunk, before its place is known.
#[derive(Clone, Debug)]
pub(crate) struct ChunkError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) place: Option<(Arc<SourceFile>, Range<usize>)>,
    /// Whether it comes of a library that stands in for that of the tree.
    pub(crate) is_of_stand_in: bool,
}

impl ChunkError {
    /// Returns whether a script has only passed on that a map was not placed, as the library's own
    /// functions do: with these words, which libraries of data folders use as well.
    pub(crate) fn is_failed_placement(&self) -> bool {
        self.message.contains("Failed to place map")
    }
}
