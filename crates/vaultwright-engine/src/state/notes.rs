//! Notes of a build's steps.

use vaultwright_map::Grid;

use super::host::Host;
use super::site::level_stream;
use crate::observe::event::{BuildEvent, DoneStep};
use crate::observe::trace::shape;

/// Notes a step, if an observer wants steps.
pub(crate) fn note(host: &Host, name: &'static str, detail: impl FnOnce() -> String) {
    note_as_of(host, name, || level_draws(host), detail);
}

/// As [`note`], for a step that was over when so many draws had been made.
pub(crate) fn note_as_of(
    host: &Host,
    name: &'static str,
    draws: impl FnOnce() -> u64,
    detail: impl FnOnce() -> String,
) {
    if is_traced(host) {
        let (draws, detail) = (draws(), detail());
        let (level, content) = (&host.level, &host.content);
        host.tell(&BuildEvent::Step(DoneStep { name, detail, draws, level, content }));
    }
}

/// Whether an observer wants the steps of the level that is built.
pub(crate) fn is_traced(host: &Host) -> bool {
    host.observers.borrow().want_steps()
}

/// The draws of the generator of the level that is built.
pub(crate) fn level_draws(host: &Host) -> u64 {
    host.game.streams.draws_of(level_stream(host.game.place))
}

/// Notes that a call of the language has drawn so many numbers for a map.
pub(crate) fn note_call(
    host: &Host,
    function: &str,
    arguments: &str,
    own: u64,
    grid: Option<&Grid>,
) {
    if own > 0 {
        note(host, "lua", || {
            let shape = grid.map_or(String::new(), |grid| format!(" {}", shape(grid)));
            format!("{function}({arguments}) own={own}{shape}")
        });
    }
}
