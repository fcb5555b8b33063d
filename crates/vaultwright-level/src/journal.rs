//! What the build of a level did, step by step (goldens/README, "The trace").

use vaultwright_content::Features;

use crate::film::{CellChange, Film};
use crate::level::Level;

/// One step of a build, with the state right after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the attempt, from 1.
    pub attempt: usize,
    /// The name of the step.
    pub name: &'static str,
    /// The draws from the level's generator so far, including discarded attempts.
    pub draws: u64,
    /// The state of the level; `None` for draws of scripts.
    pub state: Option<StepState>,
    /// Details that the step reports.
    pub detail: String,
    /// What the step changed, if this was requested.
    pub changes: Vec<CellChange>,
}

/// The state of a level after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepState {
    /// The FNV-1a hash of the feature names, each followed by a newline, row by row.
    pub hash: u64,
    /// The number of cells with a monster.
    pub monsters: usize,
    /// The number of item stacks on the floor.
    pub items: usize,
}

/// The maximum number of script draws in one row.
const MAX_DRAWS_OF_A_ROW: usize = 50;

/// Collects the steps of a build.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// The number of the current attempt, from 1.
    pub attempt: usize,
    steps: Vec<Step>,
    film: Option<Film>,
    random: Vec<String>,
    random_draws: u64,
}

impl Journal {
    /// Returns a journal that also records what each step changes.
    pub fn filming() -> Journal {
        Journal { film: Some(Film::default()), ..Journal::default() }
    }

    /// Adds a step.
    pub fn add(&mut self, name: &'static str, draws: u64, state: StepState, detail: String) {
        self.end_row();
        self.push(name, draws, Some(state), detail);
    }

    /// Makes the next step list every cell, if the journal records changes.
    pub fn begin_film_anew(&mut self) {
        if let Some(film) = &mut self.film {
            *film = Film::default();
        }
    }

    /// Adds to the latest step what has changed since the one before, if the journal records
    /// changes.
    pub fn film(&mut self, level: &Level, features: &Features) {
        if let (Some(film), Some(step)) = (&mut self.film, self.steps.last_mut()) {
            step.changes = film.changes(level, features);
        }
    }

    /// Adds a draw of a script. Successive draws share a row.
    pub fn add_random(&mut self, draw: String, draws: u64) {
        self.random.push(draw);
        self.random_draws = draws;
        if self.random.len() >= MAX_DRAWS_OF_A_ROW {
            self.end_row();
        }
    }

    /// Returns the recorded steps.
    pub fn into_steps(mut self) -> Vec<Step> {
        self.end_row();
        self.steps
    }

    fn end_row(&mut self) {
        let draws = std::mem::take(&mut self.random);
        if !draws.is_empty() {
            self.push("lua_random", self.random_draws, None, draws.join(" "));
        }
    }

    fn push(&mut self, name: &'static str, draws: u64, state: Option<StepState>, detail: String) {
        let (attempt, changes) = (self.attempt, Vec::new());
        self.steps.push(Step { attempt, name, draws, state, detail, changes });
    }
}
