//! Notes of a build's steps.

use vaultwright_map::Grid;

use super::game::RunningGame;
use super::host::Host;
use super::site::level_stream;
use crate::observe::event::{BuildEvent, DoneStep};
use crate::observe::trace::shape;

impl RunningGame {
    /// Returns the draws of the generator of the level that is built.
    pub(crate) fn level_draws(&self) -> u64 {
        self.streams.draws_of(level_stream(self.place))
    }
}

impl Host {
    /// Notes a step, if an observer wants steps.
    pub(crate) fn note(&self, name: &'static str, detail: impl FnOnce() -> String) {
        if self.is_traced() {
            let (draws, detail) = (self.game.level_draws(), detail());
            let (level, content) = (&self.level, &self.content);
            self.tell(&BuildEvent::Step(DoneStep { name, detail, draws, level, content }));
        }
    }

    /// Returns whether an observer wants the steps of the level that is built.
    pub(crate) fn is_traced(&self) -> bool {
        self.observers.borrow().want_steps()
    }

    /// Notes that a call of the language has drawn so many numbers for a map.
    pub(crate) fn note_call(&self, function: &str, arguments: &str, own: u64, grid: Option<&Grid>) {
        if own > 0 {
            self.note("lua", || {
                let shape = grid.map_or(String::new(), |grid| format!(" {}", shape(grid)));
                format!("{function}({arguments}) own={own}{shape}")
            });
        }
    }
}
