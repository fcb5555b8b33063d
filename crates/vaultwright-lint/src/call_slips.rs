//! Calls with the right values at the wrong places, and functions that stand where nobody looks.

use memchr::memmem;
use vaultwright_engine::Problem;

use crate::lua_slips::{MAX_LINES, Slip, is_part, line_of, map_name_at, quoted, text_of};
use crate::spans::line_around;

/// Functions that take a list, and what they take in which order.
const ORDERS: [(&str, &str); 11] = [
    ("util.foreach", "list, function"),
    ("util.forall", "list, function"),
    ("util.exists", "list, function"),
    ("util.map", "function, list"),
    ("util.filter", "function, list"),
    ("util.contains", "list, value"),
    ("util.indexof", "list, value"),
    ("util.remove", "list, value"),
    ("util.join", "separator, list"),
    ("util.random_subset", "list, number"),
    ("util.random_weighted_from", "key of the weight, list"),
];

/// What Lua says of a value in the place of another: of what, and which.
const MIXED_UP: [(&str, &str); 6] = [
    ("bad argument #1 to 'ipairs'", "table expected"),
    ("bad argument #1 to 'pairs'", "table expected"),
    ("bad argument #1 to 'concat'", "table expected"),
    ("bad argument #2 to 'concat'", "got table"),
    ("attempt to index local", "(a function value)"),
    ("attempt to call local", "(a table value)"),
];

/// Lists of values with their weights.
const WEIGHTED: [&str; 2] = ["random_choose_weighted", "util.random_branch_weighted"];

/// Returns the slip behind an error of Lua.
pub(crate) fn of(problem: &Problem) -> Option<Slip> {
    line_continued(problem)
        .or_else(|| order_of_arguments(problem))
        .or_else(|| weight_in_front(problem))
        .or_else(|| function_of_map(problem))
}

fn slip(problem: &Problem, hint: String) -> Slip {
    Slip { span: problem.span.clone(), hint, fix: None }
}

/// `: kfeat("A = x / \`, and the rest on the next line.
fn line_continued(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let is_syntax = message.contains("unfinished string") || message.contains(" near '");
    let (line, _) = line_of(problem).filter(|_| is_syntax)?;
    let goes_on = is_continued(line.as_bytes());
    goes_on.then(|| {
        let hint = "Lua behind ':' does not go on below with '\\': begin the next line with ':' \
                    too, and close the text before";
        slip(problem, hint.to_owned())
    })
}

/// Returns whether a line is one of Lua, and ends as a header does that goes on below.
pub(crate) fn is_continued(line: &[u8]) -> bool {
    line.starts_with(b":") && line.trim_ascii_end().ends_with(b"\\")
}

/// `util.foreach(f, list)`.
fn order_of_arguments(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let is_of_list = !message.contains("got nil")
        && MIXED_UP.iter().any(|(what, value)| message.contains(what) && message.contains(value));
    let (line, _) = line_of(problem).filter(|_| is_of_list)?;
    let is_called = |name: &str| {
        memmem::find_iter(line.as_bytes(), name)
            .any(|at| line[at + name.len()..].trim_start().starts_with('('))
    };
    let (name, order) = ORDERS.iter().find(|(name, _)| is_called(name))?;
    Some(slip(problem, format!("the order is {name}({order})")))
}

/// `{5, "rat"}` in a list of values with their weights.
fn weight_in_front(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let is_text = (message.contains("attempt to perform arithmetic on")
        || message.contains("attempt to compare"))
        && message.contains("string");
    let (line, _) = line_of(problem).filter(|_| is_text)?;
    WEIGHTED.iter().any(|name| line.contains(name)).then(|| {
        slip(problem, "each entry of the list is { value, weight }, in this order".to_owned())
    })
}

/// A function for a marker that the map itself defines.
fn function_of_map(problem: &Problem) -> Option<Slip> {
    let name = quoted(&problem.message, "Could not resolve '")?;
    let head = format!("function {name}");
    let text = text_of(&problem.file);
    let is_inside = |at: &usize| {
        let behind = text.get(at + head.len());
        let line = line_around(text, *at);
        let is_first = text[line.start..*at].iter().all(|byte| b" \t:".contains(byte));
        let is_named = behind.is_none_or(|byte| !is_part(char::from(*byte)));
        is_named && is_first && map_name_at(&problem.file, *at).is_some()
    };
    let at = memmem::find_iter(text, head.as_bytes()).take(MAX_LINES).find(is_inside)?;
    let line = problem.file.lines.position(at).line;
    let hint = format!(
        "line {line} has it within a map, where a marker does not look: define it outside maps, \
         before NAME"
    );
    Some(slip(problem, hint))
}
