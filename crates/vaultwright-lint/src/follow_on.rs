//! Findings that only follow from another: the same one again, functions that are missing since the
//! Lua before the first map of their file has failed, and what stands outside of maps since a
//! `default-depth:` has ended one.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use vaultwright_engine::{Code, Problem, Severity, SourceFile};
use vaultwright_map::ErrorCode;
use vaultwright_syntax::{ChunkKind, Header, SyntaxErrorKind};

use crate::lua::assigns;
use crate::spans::line_around;
use crate::{code_of, codes};

/// No more of a file is looked through for what gives a name.
const MAX_TEXT: usize = 200_000;
/// No more lines are looked through for what has ended a map.
const MAX_LINES: usize = 200;

/// What is said of a name that is not there: what stands before it.
const MISSING: [&str; 4] = [
    "attempt to call global '",
    "attempt to index global '",
    "Could not resolve '",
    "nobody defines '",
];

/// Removes findings that only follow from others of their file.
pub(crate) fn remove(problems: &mut Vec<Problem>) {
    maps_that_end_early(problems);
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

/// Of a map that a `default-depth:` below its NAME ends, tells that instead of all that stands
/// outside then.
fn maps_that_end_early(problems: &mut Vec<Problem>) {
    let mut ends: HashSet<(Arc<str>, usize)> = HashSet::default();
    let mut ended: HashSet<(Arc<str>, String)> = HashSet::default();
    problems.retain_mut(|problem| {
        let Some((start, map)) = default_depth_before(problem) else { return true };
        let file = name_of(problem);
        ended.insert((Arc::clone(&file), map));
        problem.span = start..start + Header::DefaultDepth.keyword().len();
        problem.message = "default-depth: ends the map above it".to_owned();
        let hint = "it stands above NAME, for the maps below it; for one map write DEPTH";
        problem.hint = Some(hint.to_owned());
        ends.insert((file, start))
    });
    if ended.is_empty() {
        return;
    }
    let lacks_rest = |problem: &Problem| {
        problem.code == Code::Spec(ErrorCode::NotSelectable)
            || problem.code == Code::Lint(codes::NO_DRAWING)
    };
    problems.retain(|problem| {
        let of_map = || Some((name_of(problem), problem.map.clone()?));
        !lacks_rest(problem) || of_map().is_none_or(|own| !ended.contains(&own))
    });
}

/// Returns where the `default-depth:` begins that has ended a map without a drawing before what
/// stands outside of any, and the map's name.
fn default_depth_before(problem: &Problem) -> Option<(usize, String)> {
    if problem.code != Code::Syntax(SyntaxErrorKind::OutsideMap) {
        return None;
    }
    let text = &problem.file.source.text;
    let above = |at: &usize| Some(line_around(text, at.checked_sub(1)?).start);
    let starts = std::iter::successors(Some(line_around(text, problem.span.start).start), above);
    let begins = |at: usize, header: Header| text[at..].starts_with(header.keyword().as_bytes());
    let mut starts = starts.take(MAX_LINES).take_while(|&at| !begins(at, Header::Name));
    let start = starts.find(|&at| begins(at, Header::DefaultDepth))?;
    let maps = &problem.file.tree.maps;
    let map = &maps[maps.partition_point(|map| map.span.start < start).checked_sub(1)?];
    let is_drawn = !map.chunk(ChunkKind::Map).pieces.is_empty();
    (!is_drawn).then(|| (start, map.name.str(text).into_owned()))
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
