//! The levels of a game, one after the other.

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use vaultwright::content::Content;
use vaultwright::map::LevelPlace;
use vaultwright::{LevelResult, SharedLibrary};

use crate::errors::error;
use crate::level::RawLevel;
use crate::session_thread::{Home, next};

/// The same size as the main thread of a program.
const STACK: usize = 8 << 20;

/// A level of the game, or the error that there is no engine to build it.
type Made = Result<(LevelPlace, LevelResult), String>;

/// A level's name, and the level or the reasons why it could not be built.
type Named = (String, Option<RawLevel>, Vec<String>);

/// The levels of a game. They are built on their own thread, at most one ahead of the caller.
#[pyclass(frozen)]
pub struct RawGame {
    levels: Mutex<Option<Receiver<Made>>>,
    content: Arc<Content>,
    seed: u64,
    home: Home,
}

impl RawGame {
    pub fn new(
        py: Python<'_>,
        library: SharedLibrary,
        content: Arc<Content>,
        seed: u64,
    ) -> PyResult<RawGame> {
        let (made, levels) = sync_channel::<Made>(1);
        let work = move || {
            let mut engine = match library.engine() {
                Ok(engine) => engine,
                // If nobody waits any more, there is nobody to inform.
                Err(failure) => return drop(made.send(Err(failure.to_string()))),
            };
            for level in engine.game(seed) {
                if made.send(Ok(level)).is_err() {
                    return;
                }
            }
        };
        let builder = thread::Builder::new().name("vaultwright-game".to_owned()).stack_size(STACK);
        let started = py.detach(|| builder.spawn(work));
        started.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(RawGame { levels: Mutex::new(Some(levels)), content, seed, home: Home::here() })
    }
}

#[pymethods]
impl RawGame {
    /// Returns the next level: its name with the level, or with the reasons why it could not be
    /// built; `None` after the last.
    fn next_level(&self, py: Python<'_>) -> PyResult<Option<Named>> {
        self.home.check()?;
        let taken = self.levels.lock().ok().and_then(|mut levels| levels.take());
        // After the end, or while another thread waits for the next level.
        let Some(levels) = taken else { return Ok(None) };
        let (levels, level) = next(py, levels)?;
        let Some(level) = level else { return Ok(None) };
        if let Ok(mut place) = self.levels.lock() {
            *place = Some(levels);
        }
        let (place, built) = level.map_err(|message| error(py, "PackError", &message))?;
        let name = place.name(self.content.branches());
        Ok(Some(match built {
            Ok(built) => {
                let content = Arc::clone(&self.content);
                (name, Some(RawLevel::new(built, content, place, self.seed)), Vec::new())
            }
            Err(error) => (name, None, error.reasons()),
        }))
    }
}
