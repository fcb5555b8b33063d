//! What the build of a level did, step by step (goldens/README, "The trace").

use vaultwright_content::Features;

use crate::film::{CellChange, Film};
use crate::level::Level;

/// One step of a build, just after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The attempt, from 1.
    pub attempt: usize,
    /// What has happened.
    pub name: &'static str,
    /// Draws from the level's generator so far, attempts thrown away included.
    pub draws: u64,
    /// How the level looks; `None` for draws of scripts.
    pub state: Option<StepState>,
    /// What the step says of itself.
    pub detail: String,
    /// What it has changed, if that was asked for.
    pub changes: Vec<CellChange>,
}

/// The state of a level after a step.
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

/// Collects the steps of a build.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// The attempt that is under way, from 1.
    pub attempt: usize,
    steps: Vec<Step>,
    film: Option<Film>,
    random: Vec<String>,
    random_draws: u64,
}

impl Journal {
    /// Returns a journal that collects steps with what each has changed.
    pub fn filming() -> Journal {
        Journal { film: Some(Film::default()), ..Journal::default() }
    }

    /// Adds a step.
    pub fn add(&mut self, name: &'static str, draws: u64, state: StepState, detail: String) {
        self.end_row();
        self.push(name, draws, Some(state), detail);
    }

    /// Makes the next step tell every cell, if the journal films.
    pub fn begin_film_anew(&mut self) {
        if let Some(film) = &mut self.film {
            *film = Film::default();
        }
    }

    /// Adds to the newest step what has changed since the one before, if the journal films.
    pub fn film(&mut self, level: &Level, features: &Features) {
        if let (Some(film), Some(step)) = (&mut self.film, self.steps.last_mut()) {
            step.changes = film.changes(level, features);
        }
    }

    /// Adds a draw of a script; successive ones share a row.
    pub fn add_random(&mut self, draw: String, draws: u64) {
        self.random.push(draw);
        self.random_draws = draws;
        if self.random.len() >= DRAWS_OF_A_ROW {
            self.end_row();
        }
    }

    /// Returns the steps collected.
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
