//! What a build does, step by step (goldens/README, "The trace").

use crate::host::Host;

/// One step of a build, just after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The attempt, from 1.
    pub attempt: usize,
    /// What has happened.
    pub name: &'static str,
    /// Draws from the level's generator so far.
    pub draws: u64,
    /// FNV-1a over the names of the features, each followed by a newline, row by row.
    pub hash: u64,
    /// What the step says of itself.
    pub detail: String,
}

/// Collects the steps, if anybody wants them.
#[derive(Default)]
pub(crate) struct Tracer {
    pub(crate) attempt: usize,
    pub(crate) stream: usize,
    pub(crate) steps: Option<Vec<Step>>,
}

/// Notes a step.
pub(crate) fn note(host: &Host, name: &'static str, detail: impl FnOnce() -> String) {
    if host.tracer.borrow().steps.is_none() {
        return;
    }
    let stream = host.tracer.borrow().stream;
    let draws = host.rng.borrow().draws().find(|&(id, _)| id == stream).map_or(0, |(_, n)| n);
    let level = host.level.borrow();
    let features = host.content.features();
    let hash = level.features().iter().fold(14_695_981_039_346_656_037, |hash, &id| {
        let name = features.get(id).name.bytes().chain(std::iter::once(b'\n'));
        name.fold(hash, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211))
    });
    let mut tracer = host.tracer.borrow_mut();
    let attempt = tracer.attempt;
    if let Some(steps) = &mut tracer.steps {
        steps.push(Step { attempt, name, draws, hash, detail: detail() });
    }
}
