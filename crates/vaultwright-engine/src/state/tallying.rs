//! What statistics are told of maps while a level is built, and what they forbid.

use std::cell::RefCell;
use std::time::Instant;

use vaultwright_map::MapId;

use super::host::Host;
use crate::observe::event::BuildEvent;
use crate::observe::observers::Observers;
use crate::pack::library::Library;
use crate::pack::problem::{ChunkError, Code};

/// Runs `resolve` for a map, and tells the observers what comes of it. Returns `None`, without
/// running it, for a map that the survey leaves out.
pub(crate) fn tallied<T, E>(
    host: &mut Host,
    name: &str,
    resolve: impl FnOnce(&mut Host) -> Result<T, E>,
    error_of: impl Fn(&E) -> Option<&ChunkError>,
) -> Option<Result<T, E>> {
    let Some(map) = surveyed(&host.observers, &host.library, name) else {
        return Some(resolve(host));
    };
    if host.survey.without.contains(&map) {
        // A script asks for it by name.
        return None;
    }
    host.tell(&BuildEvent::Tried(map));
    let survey = &mut host.survey;
    if survey.left_out.contains(&map) {
        return None;
    }
    if let Some(announce) = &mut survey.announce {
        announce(name);
    }
    let start = Instant::now();
    let result = resolve(host);
    let error = result.as_ref().err().and_then(error_of);
    host.tell(&BuildEvent::Resolved(map, start.elapsed(), error));
    if error.is_some_and(|error| matches!(error.code, Code::LuaBudget | Code::LuaMemory)) {
        host.survey.left_out.insert(map);
        host.tell(&BuildEvent::Struck(map));
        host.refill();
    }
    Some(result)
}

/// Returns the map of a name, if a survey is under way.
fn surveyed(observers: &RefCell<Observers>, library: &Library, name: &str) -> Option<MapId> {
    observers.borrow().tallying.as_ref()?;
    library.find(name)
}

/// Tells that a map has been placed.
pub(crate) fn note_use(observers: &RefCell<Observers>, library: &Library, name: &str) {
    if let Some(map) = surveyed(observers, library, name) {
        observers.borrow_mut().notice(&BuildEvent::Placed(map));
    }
}

/// Tells of a Lua error outside resolving, such as in a hook.
pub(crate) fn note_error(
    observers: &RefCell<Observers>,
    library: &Library,
    name: &str,
    error: &ChunkError,
) {
    if let Some(map) = surveyed(observers, library, name) {
        observers.borrow_mut().notice(&BuildEvent::HookFailed(map, error));
    }
}
