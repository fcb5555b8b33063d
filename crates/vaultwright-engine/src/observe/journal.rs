//! The steps of a build in order, and what each has changed (goldens/README, "The trace").

use vaultwright_content::Content;
use vaultwright_level::{Journal, Level, StepState};

use super::event::{BuildEvent, Observer};
use super::trace::Fnv;

impl Observer for Journal {
    fn notice(&mut self, event: &BuildEvent) {
        match event {
            BuildEvent::Attempt(number) => self.attempt = *number,
            BuildEvent::Step(step) => {
                let state = state_of(step.level, step.content);
                self.add(step.name, step.draws, state, step.detail.clone());
                match step.name {
                    // What an attempt leaves behind is nothing to the next one.
                    "attempt" => self.begin_film_anew(),
                    _ => self.film(step.level, step.content.features()),
                }
            }
            BuildEvent::ScriptDraw(draw, draws) => self.add_random(draw.clone(), *draws),
            _ => {}
        }
    }
}

fn state_of(level: &Level, content: &Content) -> StepState {
    let features = content.features();
    let mut hash = Fnv::default();
    level.features().iter().for_each(|&id| hash.line(features.get(id).name.as_bytes()));
    let items = level.items.values().map(Vec::len).sum();
    StepState { hash: hash.0, monsters: level.monsters.len(), items }
}
