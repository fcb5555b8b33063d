//! Findings that only follow from another: the same one again, and functions that are missing since
//! the Lua before the first map of their file has failed.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use vaultwright_engine::{Code, Problem, Severity, SourceFile};

use crate::code_of;
use crate::lua::assigns;

/// No more of a file is looked through for what gives a name.
const MAX_TEXT: usize = 200_000;

/// What is said of a name that is not there: what stands before it.
const MISSING: [&str; 4] = [
    "attempt to call global '",
    "attempt to index global '",
    "Could not resolve '",
    "nobody defines '",
];

/// Removes findings that only follow from others of their file.
pub(crate) fn remove(problems: &mut Vec<Problem>) {
    let mut told = HashSet::default();
    problems.retain(|problem| {
        let place = (Arc::as_ptr(&problem.file), problem.span.start, problem.span.end);
        // A function that fails may be called wrongly by each of the maps.
        let map = problem.map.clone().filter(|_| problem.code == Code::Lua);
        told.insert((place, code_of(problem), problem.message.clone(), map))
    });
    let failed = problems.iter().filter(|problem| is_of_prelude(problem));
    let failed: HashMap<Arc<str>, bool> = failed.map(|p| (name_of(p), loads_nothing(p))).collect();
    if failed.is_empty() {
        return;
    }
    let mut given: HashMap<(Arc<str>, String), bool> = HashMap::default();
    problems.retain(|problem| {
        let file = name_of(problem);
        let (Some(loads_nothing), Some(name)) = (failed.get(&file), missing(problem)) else {
            return true;
        };
        let text = &problem.file.source.text;
        let gives = || assigns(&text[..text.len().min(MAX_TEXT)], name.as_bytes());
        let follows = *loads_nothing || *given.entry((file, name.to_owned())).or_insert_with(gives);
        is_of_prelude(problem) || !follows
    });
}

fn name_of(problem: &Problem) -> Arc<str> {
    Arc::clone(&problem.file.source.name)
}

/// Returns whether a problem is an error of the Lua before the first map of its file.
fn is_of_prelude(problem: &Problem) -> bool {
    let is_error = problem.severity == Severity::Error && problem.code == Code::Lua;
    is_error && problem.map.is_none() && is_before_maps(&problem.file, problem.span.start)
}

fn is_before_maps(file: &SourceFile, at: usize) -> bool {
    file.tree.maps.first().is_none_or(|map| at < map.span.start)
}

/// Returns whether a problem is that a file is not found whose functions are missing then.
fn loads_nothing(problem: &Problem) -> bool {
    problem.message.contains("Can't find") || problem.message.contains("can't find")
}

/// Returns the name that a problem says is not there.
fn missing(problem: &Problem) -> Option<&str> {
    let (_, rest) = MISSING.iter().find_map(|words| problem.message.split_once(words))?;
    rest.split_once('\'').map(|(name, _)| name)
}
