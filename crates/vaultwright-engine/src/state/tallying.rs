//! What statistics note while a level is built.

use std::time::Instant;

use vaultwright_map::PickTrace;

use super::host::Host;
use crate::observe::tally::Tally;
use crate::observe::veto::Veto;
use crate::pack::problem::{ChunkError, Code};

/// Runs `resolve` for a map, and enters in the books what comes of it; without it, none for a map
/// that is left out.
pub(crate) fn tallied<T, E>(
    host: &Host,
    name: &str,
    resolve: impl FnOnce() -> Result<T, E>,
    error_of: impl Fn(&E) -> Option<&ChunkError>,
) -> Option<Result<T, E>> {
    if host.tallying.borrow().is_none() {
        return Some(resolve());
    }
    let index = host.library.borrow().find(name);
    let picking = {
        let mut tallying = host.tallying.borrow_mut();
        let books = tallying.as_mut().zip(index);
        let Some((books, index)) = books else {
            drop(tallying);
            return Some(resolve());
        };
        books.tally.maps.entry(index).or_default().tries += 1;
        if books.options.left_out.contains(&index) {
            return None;
        }
        if let Some(announce) = &mut books.options.announce {
            announce(name);
        }
        books.options.picks
    };
    let outer = picking.then(|| host.trace.replace(Some(PickTrace::default())));
    let start = Instant::now();
    let result = resolve();
    let time = start.elapsed();
    let trace = outer.and_then(|outer| host.trace.replace(outer));
    if let (Some(books), Some(index)) = (host.tallying.borrow_mut().as_mut(), index) {
        books.tally.maps.entry(index).or_default().time += time;
        if let Some(trace) = trace {
            add_picks(host, &mut books.tally, trace);
        }
        if let Some(error) = result.as_ref().err().and_then(error_of) {
            books.tally.errors.push((index, described(error)));
            if matches!(error.code, Code::LuaBudget | Code::LuaMemory) {
                books.options.left_out.insert(index);
                books.tally.struck.push(index);
                host.refill();
            }
        }
    }
    Some(result)
}

fn add_picks(host: &Host, tally: &mut Tally, trace: PickTrace) {
    let library = host.library.borrow();
    for ((map, site, segment), (weights, counts)) in trace.picks {
        let Some(index) = library.find(&map) else { continue };
        let key = (index, site, segment);
        let sum = tally.picks.entry(key).or_insert_with(|| (weights, vec![0; counts.len()]));
        for (sum, count) in sum.1.iter_mut().zip(counts) {
            *sum += count;
        }
    }
}

/// Notes that a map has been placed.
pub(crate) fn note_use(host: &Host, name: &str) {
    if let Some(books) = host.tallying.borrow_mut().as_mut()
        && let Some(index) = host.library.borrow().find(name)
    {
        books.tally.maps.entry(index).or_default().uses += 1;
    }
}

/// Notes a veto that a script does not pass on.
pub(crate) fn note_swallowed_veto(host: &Host, veto: Veto) {
    if let Some(books) = host.tallying.borrow_mut().as_mut() {
        books.tally.swallowed_vetoes.push(veto);
    }
}

/// Notes a Lua error outside resolving, such as in a hook.
pub(crate) fn note_error(host: &Host, name: &str, error: &ChunkError) {
    if let Some(books) = host.tallying.borrow_mut().as_mut()
        && let Some(index) = host.library.borrow().find(name)
    {
        books.tally.errors.push((index, described(error)));
    }
}

/// An error as one line, with its place where that is known.
fn described(error: &ChunkError) -> String {
    let message = error.message.lines().next().unwrap_or("");
    match &error.place {
        Some((file, span)) => {
            let line = file.lines.position(span.start).line;
            format!("{}:{line}: {message}", file.source.base_name())
        }
        None => message.to_owned(),
    }
}
