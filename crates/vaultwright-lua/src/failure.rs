//! Parsing the errors of scripts: position, message, stack.

use mlua::Error;

use crate::dialect::RUNTIME;
use crate::meter::{Budget, Spent};

/// A Lua error: what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of error.
    pub kind: FailureKind,
    /// The message without its position.
    pub message: String,
    /// The call stack, innermost first, as far as Lua knows it.
    pub frames: Vec<Frame>,
}

/// The kinds of Lua errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The chunk does not compile.
    Syntax,
    /// The chunk failed while running.
    Runtime,
    /// The chunk exceeded its memory limit.
    Memory,
    /// The chunk exceeded its instruction budget.
    Budget,
}

/// A frame of the call stack: a line of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The chunk's name.
    pub chunk: String,
    /// The line, from 1.
    pub line: u32,
}

impl Failure {
    /// Parses an error of a chunk, right after it has run. If the budget is used up, the error
    /// counts as exceeding it, whatever its text.
    pub fn of_chunk(error: &Error, budget: &Budget) -> Failure {
        let failure = Failure::new(error);
        let kind = match budget.spent() {
            Some(Spent::Instructions | Spent::Time | Spent::Text) => FailureKind::Budget,
            Some(Spent::Memory) => FailureKind::Memory,
            None => failure.kind,
        };
        Failure { kind, ..failure }
    }

    /// Parses an error of the interpreter. The result never counts as exceeding the budget.
    pub fn new(error: &Error) -> Failure {
        let mut traces = Vec::new();
        let root = root_cause(error, &mut traces);
        let text = match root {
            Error::SyntaxError { message, .. } => message.clone(),
            Error::RuntimeError(message) | Error::MemoryError(message) => message.clone(),
            Error::BadArgument { pos, cause, .. } => bad_argument(*pos, cause, traces.last()),
            other => other.to_string(),
        };
        let kind = match root {
            Error::SyntaxError { .. } => FailureKind::Syntax,
            Error::MemoryError(_) => FailureKind::Memory,
            // What a function of the host has passed on has no other mark.
            _ if text.contains(Spent::Memory.message()) => FailureKind::Memory,
            _ => FailureKind::Runtime,
        };
        let (body, trace) = text.split_once("\nstack traceback:").unwrap_or((&text, ""));
        let (position, message) = split_position(body);
        let mut frames: Vec<Frame> = position.into_iter().collect();
        // Outer callbacks see the stack from farther out: the innermost trace comes first.
        let inner = trace.lines().chain(traces.iter().rev().flat_map(|trace| trace.lines()));
        for frame in inner.filter_map(trace_frame) {
            if frame.chunk != RUNTIME && !frames.contains(&frame) {
                frames.push(frame);
            }
        }
        let message = match value_thrown(message) {
            Some(what) => format!("the error is a {what}: error() was given no text"),
            None => without_addresses(beginning(message).trim_end()),
        };
        Failure { kind, message, frames }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.frames.first() {
            Some(frame) => write!(f, "{}:{}: {}", frame.chunk, frame.line, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Failure {}

/// So much of a message is shown, in bytes: a script may throw any text.
const MAX_MESSAGE: usize = 10_000;

/// Returns a message up to its maximum length.
fn beginning(message: &str) -> &str {
    let mut end = message.len().min(MAX_MESSAGE);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    &message[..end]
}

/// What Lua's own functions say of an argument; the trace begins with the function that was called.
fn bad_argument(position: usize, cause: &Error, trace: Option<&&str>) -> String {
    let told = match root_cause(cause, &mut Vec::new()) {
        Error::RuntimeError(message) => message.clone(),
        other => other.to_string(),
    };
    let wrong = told.strip_prefix("bad argument (").and_then(|rest| rest.strip_suffix(')'));
    // A function of the host may stand behind another, which has the name.
    let hosts = trace.into_iter().flat_map(|trace| trace.lines()).map(str::trim_start).skip(1);
    let called = hosts
        .take_while(|line| line.starts_with("[C]"))
        .find_map(|line| line.split_once(" in function '")?.1.strip_suffix('\''));
    let to = called.map_or(String::new(), |name| format!(" to '{name}'"));
    format!("bad argument #{position}{to} ({})", wrong.unwrap_or(&told))
}

/// What was given to `error` if it was no text but a value without one, such as a table.
fn value_thrown(message: &str) -> Option<&str> {
    let (what, address) = message.split_once(": 0x")?;
    let is_kind = ["table", "function", "userdata", "thread"].contains(&what);
    (is_kind && address.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(what)
}

/// Takes the addresses out of a message (`table: 0x55…`): they differ from run to run.
fn without_addresses(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find(": 0x") {
        let digits = rest[at + 4..].bytes().take_while(u8::is_ascii_hexdigit).count();
        out.push_str(&rest[..at]);
        rest = &rest[at + 4 + digits..];
    }
    out.push_str(rest);
    out
}

fn root_cause<'e>(error: &'e Error, traces: &mut Vec<&'e str>) -> &'e Error {
    match error {
        Error::CallbackError { traceback, cause } => {
            traces.push(traceback);
            root_cause(cause, traces)
        }
        Error::WithContext { cause, .. } => root_cause(cause, traces),
        other => other,
    }
}

/// `chunk:12: message` → the frame and the message.
fn split_position(text: &str) -> (Option<Frame>, &str) {
    let mut from = 0;
    while let Some(at) = text[from..].find(':').map(|at| from + at) {
        let rest = &text[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0
            && rest[digits..].starts_with(": ")
            && let Ok(line) = rest[..digits].parse()
        {
            // What a script has put before a place that it was told is no part of the chunk's name.
            if text[..at].contains(": ") || text[..at].contains(" #") {
                break;
            }
            let frame = Frame { chunk: text[..at].to_owned(), line };
            return (Some(frame), &rest[digits + 2..]);
        }
        from = at + 1;
        if from > 80 {
            break;
        }
    }
    (None, text)
}

fn trace_frame(line: &str) -> Option<Frame> {
    let line = line.trim_start();
    let (chunk, rest) = line.split_once(':')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    Some(Frame { chunk: chunk.to_owned(), line })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Limits};

    #[test]
    fn an_argument_is_told_with_the_function_it_was_for() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let double = lua.create_function(|_, number: f64| Ok(number * 2.0)).unwrap();
        lua.globals().set("double", double).unwrap();
        let error = interpreter.load("a", b"\nreturn double({})").unwrap().call::<f64>(());
        let failure = Failure::new(&error.unwrap_err());
        let start = "bad argument #1 to 'double' (";
        assert!(failure.message.starts_with(start), "{}", failure.message);
        assert!(!failure.message.contains("bad argument (") && failure.frames[0].line == 2);
    }

    #[test]
    fn a_message_has_an_end() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let throw = interpreter.load("a", b"error(('\xc3\xa4\\n'):rep(1e6))").unwrap();
        let failure = Failure::new(&throw.call::<()>(()).unwrap_err());
        assert!(failure.message.starts_with('ä') && failure.message.len() <= MAX_MESSAGE);
    }

    #[test]
    fn a_series_of_chunks_has_an_end() {
        let limits = Limits { instructions: 100_000, ..Limits::default() };
        let interpreter = Interpreter::new(limits).unwrap();
        let budget = interpreter.budget();
        let spin = interpreter.load("a", b"for i = 1, 20000 do end").unwrap();
        let calls = |limit: usize| {
            (0..limit).take_while(|_| {
                budget.refill_in_series(1000).is_ok() && spin.call::<()>(()).is_ok()
            })
        };
        budget.limit_series(Some(3));
        let ended = calls(1000).count();
        assert!((5..40).contains(&ended), "{ended}");
        // Nothing is refilled any more, whoever asks for it.
        budget.refill();
        assert!(spin.call::<()>(()).is_err());
        budget.limit_series(None);
        assert_eq!(calls(100).count(), 100);
    }

    #[test]
    fn messages_are_split_from_their_positions() {
        let (frame, message) = split_position("dat/dlua/util.lua:291: attempt to: fail");
        assert_eq!(frame, Some(Frame { chunk: "dat/dlua/util.lua".into(), line: 291 }));
        assert_eq!(message, "attempt to: fail");
        for own in ["no position: here", "so: #0.0.main:3: it", "see #0.0.main:3: it"] {
            assert_eq!(split_position(own), (None, own));
        }
    }

    #[test]
    fn the_budget_is_told_by_the_account_and_not_by_words() {
        let limits = Limits { instructions: 100_000, ..Limits::default() };
        let interpreter = Interpreter::new(limits).expect("an interpreter");
        let kind_of = |code: &str| {
            interpreter.refill();
            let chunk = interpreter.load("chunk", code.as_bytes()).expect("a chunk");
            let error = chunk.call::<()>(()).expect_err("an error");
            Failure::of_chunk(&error, &interpreter.budget()).kind
        };
        assert_eq!(kind_of("while true do end"), FailureKind::Budget);
        assert_eq!(kind_of("pcall(function() while true do end end) x.y = 1"), FailureKind::Budget);
        assert_eq!(kind_of("error('instruction budget used up')"), FailureKind::Runtime);
    }

    #[test]
    fn errors_of_the_host_that_are_caught_cost_what_telling_them_takes() {
        let limits = Limits { instructions: 100_000, ..Limits::default() };
        let interpreter = Interpreter::new(limits).expect("an interpreter");
        let lua = interpreter.lua();
        let fail = lua.create_function(|_, ()| mlua::Result::<()>::Err(mlua::Error::runtime("no")));
        lua.globals().set("fail", fail.expect("a function")).expect("a global");
        for catch in ["pcall(fail)", "xpcall(fail, tostring)"] {
            let often = |times: u32| {
                interpreter.refill();
                let code = format!("for i = 1, {times} do {catch} end");
                interpreter.load("chunk", code.as_bytes()).expect("a chunk").call::<()>(())
            };
            assert!(often(10).is_ok(), "{catch}");
            let error = often(30).expect_err("an error");
            assert_eq!(Failure::of_chunk(&error, &interpreter.budget()).kind, FailureKind::Budget);
        }
    }

    #[test]
    fn errors_that_are_no_text_say_so() {
        for (code, message) in [
            ("error({ code = 1 })", "the error is a table: error() was given no text"),
            ("error(function() end)", "the error is a function: error() was given no text"),
            ("error('table: 0x12 x', 0)", "table x"),
        ] {
            let error = mlua::Lua::new().load(code).exec().expect_err("an error");
            assert_eq!(Failure::new(&error).message, message);
        }
    }
}
