//! The latest moments of a level in play.

use std::collections::VecDeque;

use vaultwright_level::MarkerId;
use vaultwright_map::Point;

use super::event::Event;

/// How many moments are kept.
const MOST_MOMENTS: usize = 500;

/// A marker was told of an event, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Ticks since the game began.
    pub time: i64,
    /// What happened.
    pub event: Event,
    /// Who was told, and where that marker is.
    pub marker: (MarkerId, Point),
    /// What changed, in words.
    pub changes: Vec<String>,
}

/// The latest moments, for those who want to see why something happened.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    moments: VecDeque<Moment>,
    /// The moments under way: events cause events.
    open: Vec<Moment>,
}

impl Timeline {
    pub(crate) fn begin(&mut self, moment: Moment) {
        self.open.push(moment);
    }

    /// Ends the innermost moment. Those in which nothing changed are told of only where `keep` says
    /// so.
    pub(crate) fn end(&mut self, keep: bool) {
        let Some(moment) = self.open.pop() else { return };
        if keep || !moment.changes.is_empty() {
            self.moments.push_back(moment);
        }
        if self.moments.len() > MOST_MOMENTS {
            self.moments.pop_front();
        }
    }

    /// Something changed in the moment under way.
    pub(crate) fn note(&mut self, change: impl FnOnce() -> String) {
        if let Some(moment) = self.open.last_mut() {
            moment.changes.push(change());
        }
    }

    pub(crate) fn moments(&self) -> impl Iterator<Item = &Moment> {
        self.moments.iter()
    }
}
