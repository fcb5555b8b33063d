//! Which alternatives the statements of maps pick.

use vaultwright_map::PickTrace;

use super::event::{BuildEvent, Observer};

impl Observer for PickTrace {
    fn notice(&mut self, event: &BuildEvent) {
        match event {
            BuildEvent::DefinitionBegins(map) => self.begin(map),
            BuildEvent::DefinitionEnds => self.resume(),
            BuildEvent::Statement(function, argument) => self.enter(function, argument),
            BuildEvent::Pick(pick) => self.record(pick),
            _ => {}
        }
    }
}
