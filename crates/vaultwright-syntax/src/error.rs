//! Syntax errors.

use std::ops::Range;

/// A syntax error, with a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The kind of error.
    pub kind: SyntaxErrorKind,
    /// The byte range of the error.
    pub span: Range<usize>,
    /// The message: what is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Whether the file compiles anyway (the reference drops the text silently).
    pub warning: bool,
}

/// The kinds of syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// A word followed by a colon that is not a header.
    UnknownHeader,
    /// A header of older versions.
    RemovedHeader,
    /// An unexpected byte.
    UnexpectedCharacter,
    /// A token that is not allowed here.
    UnexpectedToken,
    /// A header without the argument it needs.
    MissingArgument,
    /// A line starting with a comma after a continuation, or text lost at a continuation.
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
    /// Lua outside maps that is too late to be run.
    LateLua,
}
