//! The latest moments of a level in play.

use std::collections::VecDeque;

use vaultwright_level::{Event, MarkerId};
use vaultwright_map::Point;

use super::event::{BuildEvent, Observer};

/// The maximum number of moments.
const MAX_MOMENTS: usize = 500;

/// A marker received an event, and what it did in response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Ticks since the game began.
    pub time: i64,
    /// What happened.
    pub event: Event,
    /// The marker that received the event, and its cell.
    pub marker: (MarkerId, Point),
    /// What changed, in words.
    pub changes: Vec<String>,
}

/// The latest moments at which anything changed, to find out why something happened.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    moments: VecDeque<Moment>,
    /// The moments in progress: events cause events.
    open: Vec<Moment>,
}

impl Observer for Timeline {
    fn notice(&mut self, event: &BuildEvent) {
        match event {
            BuildEvent::Telling { time, event, marker, .. } => {
                let changes = Vec::new();
                self.open.push(Moment { time: *time, event: *event, marker: *marker, changes });
            }
            BuildEvent::Change(change) => {
                if let Some(moment) = self.open.last_mut() {
                    moment.changes.push((*change).to_owned());
                }
            }
            BuildEvent::Told => {
                let ended = self.open.pop().filter(|moment| !moment.changes.is_empty());
                self.moments.extend(ended);
                if self.moments.len() > MAX_MOMENTS {
                    self.moments.pop_front();
                }
            }
            _ => {}
        }
    }
}

impl Timeline {
    pub(crate) fn moments(&self) -> impl Iterator<Item = &Moment> {
        self.moments.iter()
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_level::EventKind;

    use super::*;

    fn tell(timeline: &mut Timeline, time: i64, during: impl FnOnce(&mut Timeline)) {
        let event = Event::global(EventKind::Turn, 10);
        let marker = (1, Point::new(2, 3));
        timeline.notice(&BuildEvent::Telling { time, event, marker, class: "Fog" });
        during(timeline);
        timeline.notice(&BuildEvent::Told);
    }

    #[test]
    fn changes_belong_to_the_innermost_moment() {
        let mut timeline = Timeline::default();
        tell(&mut timeline, 1, |timeline| {
            timeline.notice(&BuildEvent::Change("a door opens"));
            tell(timeline, 2, |timeline| timeline.notice(&BuildEvent::Change("a frog appears")));
        });
        let told: Vec<_> = timeline.moments().map(|m| (m.time, m.changes.concat())).collect();
        assert_eq!(told, [(2, "a frog appears".to_owned()), (1, "a door opens".to_owned())]);
    }

    #[test]
    fn moments_without_a_change_are_not_kept_and_old_ones_go() {
        let mut timeline = Timeline::default();
        tell(&mut timeline, 0, |_| {});
        assert_eq!(timeline.moments().count(), 0);
        for time in 0..=MAX_MOMENTS as i64 {
            tell(&mut timeline, time, |timeline| timeline.notice(&BuildEvent::Change("fog")));
        }
        assert_eq!(timeline.moments().count(), MAX_MOMENTS);
        assert_eq!(timeline.moments().next().map(|moment| moment.time), Some(1));
    }
}
