//! How often markers were told of events.

use std::collections::BTreeMap;

use vaultwright_level::EventKind;

use super::event::{BuildEvent, Observer};

/// How often markers of a class were told of an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToldEvents(pub(crate) BTreeMap<(String, EventKind), u64>);

impl Observer for ToldEvents {
    fn notice(&mut self, event: &BuildEvent) {
        if let BuildEvent::Telling { event, class, .. } = event {
            *self.0.entry(((*class).to_owned(), event.kind)).or_default() += 1;
        }
    }
}
