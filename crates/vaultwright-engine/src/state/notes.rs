//! Notes of a build's steps.

use vaultwright_map::Grid;

use super::host::Host;
use crate::observe::trace::{note_on, shape};

/// Notes a step, if anybody wants to know.
pub(crate) fn note(host: &Host, name: &'static str, detail: impl FnOnce() -> String) {
    if is_traced(host) {
        let detail = detail();
        let mut level = host.level.borrow_mut();
        host.with_context(|ctx| note_on(&mut level, ctx, name, || detail));
    }
}

/// Whether somebody wants to know the steps of the level that is built.
pub(crate) fn is_traced(host: &Host) -> bool {
    host.level.borrow().journal.is_open()
}

/// The draws of the generator of the level that is built.
pub(crate) fn level_draws(host: &Host) -> u64 {
    host.rng.borrow().draws_of(host.level.borrow().journal.stream)
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
