//! Those who watch.

use vaultwright_level::Journal;
use vaultwright_map::PickTrace;

use super::event::{BuildEvent, Observer};
use super::tally::Tallying;
use super::timeline::Timeline;
use super::told_events::ToldEvents;

/// The observers of what happens with an interpreter; none unless asked for.
#[derive(Default)]
pub(crate) struct Observers {
    /// Wants the steps: traces, films, what explains a cell.
    pub(crate) journal: Option<Journal>,
    /// Wants picks: coverage.
    pub(crate) picks: Option<PickTrace>,
    /// Wants what happens to maps: statistics.
    pub(crate) tallying: Option<Tallying>,
    /// Wants what markers are told of in play, and what changes then.
    pub(crate) timeline: Option<Timeline>,
    /// Wants to know how often markers are told.
    pub(crate) told_events: Option<ToldEvents>,
}

impl Observers {
    /// Tells all of them.
    pub(crate) fn notice(&mut self, event: &BuildEvent) {
        let Observers { journal, picks, tallying, timeline, told_events } = self;
        fn tell(observer: &mut Option<impl Observer>, event: &BuildEvent) {
            if let Some(observer) = observer {
                observer.notice(event);
            }
        }
        tell(journal, event);
        tell(picks, event);
        tell(tallying, event);
        tell(timeline, event);
        tell(told_events, event);
    }

    /// Returns whether an observer wants steps, whose details cost time.
    pub(crate) fn want_steps(&self) -> bool {
        self.journal.is_some()
    }

    /// Returns whether an observer wants what changes in play.
    pub(crate) fn want_changes(&self) -> bool {
        self.timeline.is_some()
    }

    /// Returns whether an observer wants what markers are told of.
    pub(crate) fn want_telling(&self) -> bool {
        self.timeline.is_some() || self.told_events.is_some()
    }

    /// Returns whether an observer wants statements and picks.
    pub(crate) fn want_picks(&self) -> bool {
        let counts = |tallying: &Tallying| tallying.picks.is_some();
        self.picks.is_some() || self.tallying.as_ref().is_some_and(counts)
    }
}
