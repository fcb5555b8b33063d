//! Those who watch a build.

use vaultwright_level::Journal;
use vaultwright_map::PickTrace;

use super::event::{BuildEvent, Observer};
use super::tally::Tallying;

/// Those who watch rolls and builds of an interpreter; nobody, unless somebody asks.
#[derive(Default)]
pub(crate) struct Observers {
    /// Wants the steps: traces, films, what explains a cell.
    pub(crate) journal: Option<Journal>,
    /// Wants picks: coverage.
    pub(crate) picks: Option<PickTrace>,
    /// Wants what happens to maps: statistics.
    pub(crate) tallying: Option<Tallying>,
}

impl Observers {
    /// Tells all of them.
    pub(crate) fn notice(&mut self, event: &BuildEvent) {
        if let Some(journal) = &mut self.journal {
            journal.notice(event);
        }
        if let Some(picks) = &mut self.picks {
            picks.notice(event);
        }
        if let Some(tallying) = &mut self.tallying {
            tallying.notice(event);
        }
    }

    /// Whether somebody wants to know steps, whose details cost.
    pub(crate) fn want_steps(&self) -> bool {
        self.journal.is_some()
    }

    /// Whether somebody wants to know statements and picks.
    pub(crate) fn want_picks(&self) -> bool {
        let counts = |tallying: &Tallying| tallying.picks.is_some();
        self.picks.is_some() || self.tallying.as_ref().is_some_and(counts)
    }
}
