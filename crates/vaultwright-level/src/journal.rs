//! What the build of a level did, step by step (goldens/README, "The trace").

use crate::film::{CellChange, Film};

/// One step of a build, just after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The attempt, from 1.
    pub attempt: usize,
    /// What has happened.
    pub name: &'static str,
    /// Draws from the level's generator so far, attempts thrown away included.
    pub draws: u64,
    /// How the level looks; none for draws of scripts.
    pub state: Option<StepState>,
    /// What the step says of itself.
    pub detail: String,
    /// What it has changed, if that was asked for.
    pub changes: Vec<CellChange>,
}

/// How a level looks after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepState {
    /// FNV-1a over the names of the features, each followed by a newline, row by row.
    pub hash: u64,
    /// Cells with a monster.
    pub monsters: usize,
    /// Stacks of items lying about.
    pub items: usize,
}

/// The most draws of scripts that one row holds.
const DRAWS_OF_A_ROW: usize = 50;

/// Collects the steps of a build, if anybody wants them.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// The attempt that is under way, from 1.
    pub attempt: usize,
    /// The stream of random numbers that the level is built with.
    pub stream: usize,
    steps: Option<Vec<Step>>,
    pub(crate) film: Option<Film>,
    random: Vec<String>,
    random_draws: u64,
}

impl Journal {
    /// A journal that collects steps.
    pub fn open(stream: usize) -> Journal {
        Journal { stream, steps: Some(Vec::new()), ..Journal::default() }
    }

    /// A journal that collects steps with what each has changed.
    pub fn filming(stream: usize) -> Journal {
        Journal { film: Some(Film::default()), ..Journal::open(stream) }
    }

    /// Whether steps are collected.
    pub fn is_open(&self) -> bool {
        self.steps.is_some()
    }

    /// Adds a step.
    pub fn add(&mut self, name: &'static str, draws: u64, state: StepState, detail: String) {
        self.end_row();
        self.push(name, draws, Some(state), detail);
    }

    /// The next step tells every cell, if the journal films.
    pub fn begin_film_anew(&mut self) {
        if let Some(film) = &mut self.film {
            *film = Film::default();
        }
    }

    /// Adds to the last step what it has changed.
    pub(crate) fn add_changes(&mut self, changes: Vec<CellChange>) {
        if let Some(step) = self.steps.as_mut().and_then(|steps| steps.last_mut()) {
            step.changes = changes;
        }
    }

    /// Adds a draw of a script; successive ones share a row.
    pub fn add_random(&mut self, draw: String, draws: u64) {
        if !self.is_open() {
            return;
        }
        self.random.push(draw);
        self.random_draws = draws;
        if self.random.len() >= DRAWS_OF_A_ROW {
            self.end_row();
        }
    }

    /// The steps collected; the journal is closed.
    pub fn take(&mut self) -> Vec<Step> {
        self.end_row();
        self.film = None;
        self.steps.take().unwrap_or_default()
    }

    fn end_row(&mut self) {
        let draws = std::mem::take(&mut self.random);
        if !draws.is_empty() {
            self.push("lua_random", self.random_draws, None, draws.join(" "));
        }
    }

    fn push(&mut self, name: &'static str, draws: u64, state: Option<StepState>, detail: String) {
        if let Some(steps) = &mut self.steps {
            let (attempt, changes) = (self.attempt, Vec::new());
            steps.push(Step { attempt, name, draws, state, detail, changes });
        }
    }
}
