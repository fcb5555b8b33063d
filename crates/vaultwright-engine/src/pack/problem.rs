//! Problems of maps, and where they are.

use std::ops::Range;
use std::sync::Arc;

use vaultwright_lua::FailureKind;
use vaultwright_map::ErrorCode;
use vaultwright_syntax::SyntaxErrorKind;

use super::source_file::SourceFile;

/// A problem of a map, with its location in the source.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// The severity: error or warning.
    pub severity: Severity,
    /// The message: what is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The file.
    pub file: Arc<SourceFile>,
    /// The byte range of the problem.
    pub span: Range<usize>,
    /// The name of the map, if the problem belongs to one.
    pub map: Option<String>,
    /// The change of the text that fixes it.
    pub fix: Option<Box<Fix>>,
}

/// A change of a file that fixes a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, for menus.
    pub title: String,
    /// The edits, which do not overlap or touch.
    pub edits: Vec<Edit>,
    /// Whether it can be applied without review, because it writes what the author meant.
    pub safe: bool,
}

/// A range of bytes in a file and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; if empty, the position to insert at.
    pub span: Range<usize>,
    /// The replacement text.
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
    /// The text compiles, but does not do what it says.
    Warning,
    /// The text does not compile.
    Error,
}

/// The subject of a problem. Each has a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A syntax error.
    Syntax(SyntaxErrorKind),
    /// An invalid spec.
    Spec(ErrorCode),
    /// Lua that does not compile, or fails when it runs.
    Lua,
    /// Lua that exceeded its instruction budget.
    LuaBudget,
    /// Lua that exceeded its memory limit.
    LuaMemory,
    /// Two maps with the same name.
    DuplicateName,
    /// A finding of the linter, with its code.
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

/// A failed chunk, before its location is known.
#[derive(Clone, Debug)]
pub(crate) struct ChunkError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) place: Option<(Arc<SourceFile>, Range<usize>)>,
    /// Whether it comes from a library that stands in for the tree's own.
    pub(crate) is_of_stand_in: bool,
}

impl ChunkError {
    /// Returns whether a script only passed on that a map was not placed. The library's own
    /// functions fail with these words, and so do libraries of data folders; they begin the
    /// message, behind the places where it was passed on.
    pub(crate) fn is_failed_placement(&self) -> bool {
        const WORDS: &str = "Failed to place map";
        let Some((before, _)) = self.message.split_once(WORDS) else { return false };
        let line = before.strip_suffix(": ").and_then(|place| place.rsplit_once(':'));
        let is_line = |line: &str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
        before.is_empty() || line.is_some_and(|(_, line)| is_line(line))
    }
}

#[cfg(test)]
mod tests {
    use super::{ChunkError, Code};

    #[test]
    fn a_failed_placement_begins_the_message() {
        let is_failed = |message: &str| {
            let (code, message) = (Code::Lua, message.to_owned());
            ChunkError { code, message, place: None, is_of_stand_in: false }.is_failed_placement()
        };
        assert!(is_failed("Failed to place map 'a'"));
        assert!(is_failed("a.des:12: dlua/dungeon.lua:3: Failed to place map 'a'"));
        assert!(!is_failed("my_vault: Failed to place map 'a'"));
        assert!(!is_failed("no key: what says 'Failed to place map' is odd"));
    }
}
