//! What can be wrong with a file.

use std::ops::Range;

/// Something the grammar does not allow, with what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What kind of mistake.
    pub kind: SyntaxErrorKind,
    /// The bytes at fault.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Whether the file compiles all the same (the reference drops the text silently).
    pub warning: bool,
}

/// The kinds of syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// A word with a colon that is no header.
    UnknownHeader,
    /// A header of older versions.
    RemovedHeader,
    /// A byte that fits nowhere.
    UnexpectedCharacter,
    /// A token that the grammar does not allow here.
    UnexpectedToken,
    /// A header without the argument it needs.
    MissingArgument,
    /// A line that begins with a comma after a continuation, or text lost at one.
    BrokenContinuation,
    /// A blank line, or text after a tab, in a drawing.
    BadRow,
    /// A malformed MARKER.
    BadMarker,
    /// Text outside any map.
    OutsideMap,
    /// Text that the reference drops without a message.
    DroppedText,
    /// A drawing or block without an end.
    Unclosed,
    /// Lua outside maps that comes too late to be run.
    LateLua,
}
