//! An engine for Python.

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::json;
use vaultwright::content::Content;
use vaultwright::level::is_travelable;
use vaultwright::map::MapId;
use vaultwright::{
    Engine, Ground, LevelConditions, PlaceConditions, PlaceError, Problem, RollError, SharedLibrary,
};
use vaultwright_cli::{Failure, embedded};

use crate::errors::{self, BadPack, Finding, Unusable, error, error_at, map_named};
use crate::game::RawGame;
use crate::level::RawLevel;
use crate::play::RawPlay;
use crate::program::itself;
use crate::roll::RawRoll;
use crate::session_thread::SessionThread;

/// A pack with the interpreter that its scripts run in.
#[pyclass(frozen)]
pub struct RawEngine {
    session: SessionThread<Engine>,
    library: SharedLibrary,
    content: Arc<Content>,
    problems: Arc<[Finding]>,
}

impl RawEngine {
    /// Runs a query about a map. Raises an exception if the map is unknown or does not compile.
    fn about<R: Send + 'static>(
        &self,
        py: Python<'_>,
        map: String,
        work: impl FnOnce(&mut Engine, MapId) -> R + Send + 'static,
    ) -> PyResult<R> {
        let told = self.session.ask(py, move |engine| {
            let index = map_named(engine, &map)?;
            Ok(work(engine, index))
        })?;
        told.map_err(|unusable: Unusable| unusable.error(py))
    }
}

#[pymethods]
impl RawEngine {
    #[new]
    fn new(py: Python<'_>, words: Vec<OsString>, concrete: bool) -> PyResult<RawEngine> {
        let itself = itself(py)?;
        let started = SessionThread::start(py, move || {
            let opened = embedded::open(&words, itself).map_err(BadPack::from);
            let (mut engine, problems) = opened?;
            engine.set_concrete(concrete);
            let content = Arc::clone(engine.content());
            let found = problems.iter().map(|problem| Finding::with_hint(problem, &content));
            let problems: Arc<[Finding]> = found.collect();
            let shared = engine.share();
            // `check` reports what was printed while the pack was compiled.
            engine.take_messages();
            Ok((engine, (shared, content, problems)))
        })?;
        let (session, (library, content, problems)) =
            started.map_err(|bad: BadPack| bad.error(py))?;
        Ok(RawEngine { session, library, content, problems })
    }

    /// Creates an engine with the same compiled maps, and its own interpreter and thread.
    fn another(&self, py: Python<'_>) -> PyResult<RawEngine> {
        let library = self.library.clone();
        let started = SessionThread::start(py, move || {
            let mut engine =
                library.engine().map_err(|error| BadPack::from(Failure::from(error)))?;
            engine.take_messages();
            Ok((engine, ()))
        })?;
        let (session, ()) = started.map_err(|bad: BadPack| bad.error(py))?;
        let (library, content) = (self.library.clone(), Arc::clone(&self.content));
        Ok(RawEngine { session, library, content, problems: Arc::clone(&self.problems) })
    }

    /// Returns the problems of maps that do not compile.
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        errors::list(py, &self.problems)
    }

    /// Returns the contents of the pack as JSON: rules, maps, features, levels.
    fn about_pack(&self, py: Python<'_>) -> PyResult<String> {
        self.session.ask(py, |engine| {
            let (content, library) = (engine.content(), engine.library());
            let maps: Vec<_> = library
                .maps
                .iter()
                .map(|map| {
                    let line = map.file.lines.position(map.syntax().span.start).line;
                    json!({
                        "name": map.selection.name,
                        "file": &*map.file.source.name,
                        "line": line,
                        "tags": map.selection.tags,
                        "orient": map.selection.orient.map(|orient| orient.name()),
                    })
                })
                .collect();
            let features: Vec<_> = content
                .features()
                .iter()
                .map(|(id, feature)| {
                    json!({
                        "name": feature.name,
                        "glyph": feature.glyph.to_string(),
                        "solid": feature.flags.solid(),
                        "passable": is_travelable(content, id),
                    })
                })
                .collect();
            let branches = content.branches();
            let places = engine.survey_order();
            let places: Vec<_> = places.iter().map(|place| place.name(branches)).collect();
            let broken: Vec<_> = library.broken.iter().map(|map| &map.name).collect();
            json!({
                "rules": content.rules.edition.name(),
                "shape": [content.level_size().height(), content.level_size().width()],
                "maps": maps,
                "broken": broken,
                "features": features,
                "places": places,
            })
            .to_string()
        })
    }

    /// Builds a level of the game of a seed; alone, in a new game, or with a map that it must have.
    #[pyo3(signature = (place, seed, alone=false, force=None))]
    fn level(
        &self,
        py: Python<'_>,
        place: String,
        seed: u64,
        alone: bool,
        force: Option<String>,
    ) -> PyResult<RawLevel> {
        let asked = place.clone();
        let built = self.session.ask(py, move |engine| {
            let at =
                engine.level_place(&place).map_err(|error| Refused::Place(error.to_string()))?;
            let named = |name: String| map_named(engine, &name).map_err(Refused::Map);
            let forced = force.map(named).transpose()?;
            let built = engine.level_under(at, seed, &LevelConditions { alone, forced });
            engine.take_messages();
            built.map(|built| (at, built)).map_err(|error| Refused::Level(error.reasons()))
        })?;
        match built {
            Ok((at, built)) => Ok(RawLevel::new(built, Arc::clone(&self.content), at, seed)),
            Err(Refused::Place(message)) => Err(error(py, "UnknownName", &message)),
            Err(Refused::Map(unusable)) => Err(unusable.error(py)),
            Err(Refused::Level(reasons)) => Err(not_built(py, &asked, seed, &reasons)),
        }
    }

    /// Returns the levels of the game of a seed, one after the other, built on their own thread.
    fn game(&self, py: Python<'_>, seed: u64) -> PyResult<RawGame> {
        RawGame::new(py, self.library.clone(), Arc::clone(&self.content), seed)
    }

    /// Returns levels to play on, with their own interpreter.
    fn play(&self, py: Python<'_>) -> PyResult<RawPlay> {
        RawPlay::new(py, self.library.clone())
    }

    /// Rolls a map.
    fn resolve(&self, py: Python<'_>, map: String, seed: u64) -> PyResult<RawRoll> {
        let name = map.clone();
        let rolled = self.about(py, map, move |engine, index| {
            let rolled = engine.resolve(index, seed);
            engine.take_messages();
            rolled.map_err(|error| Unplaced::of_roll(&error, engine.content()))
        })?;
        match rolled {
            Ok(resolved) => Ok(RawRoll::new(*resolved, Arc::clone(&self.content), seed)),
            Err(unplaced) => Err(unplaced.error(py, &name, seed)),
        }
    }

    /// Places a map on an empty level, of floor or of rock.
    fn place(&self, py: Python<'_>, map: String, seed: u64, filled: bool) -> PyResult<RawLevel> {
        let name = map.clone();
        let placed = self.about(py, map, move |engine, index| {
            let ground = if filled { Ground::Rock } else { Ground::Floor };
            let conditions = PlaceConditions { ground, ..PlaceConditions::default() };
            let placed = engine.place_under(index, seed, &conditions);
            engine.take_messages();
            placed.map_err(|error| Unplaced::of_place(&error, engine.content()))
        })?;
        match placed {
            Ok(level) => Ok(RawLevel::placed(level, Arc::clone(&self.content), name, seed)),
            Err(unplaced) => Err(unplaced.error(py, &name, seed)),
        }
    }

    /// Returns the results of many rolls of a map, as JSON.
    fn coverage(&self, py: Python<'_>, map: String, rolls: u64, seed: u64) -> PyResult<String> {
        let told = self.about(py, map, move |engine, index| {
            embedded::coverage_json(engine, index, rolls, seed)
        })?;
        Ok(told.unwrap_or_default())
    }

    /// Returns the odds of a map on levels, as JSON.
    fn odds(&self, py: Python<'_>, map: String, places: Vec<String>) -> PyResult<String> {
        let told = self.about(py, map, move |engine, index| {
            embedded::odds_json(engine, index, &places).map_err(|failure| failure.to_string())
        })?;
        told.map_err(|message| error(py, "UnknownName", &message))
    }
}

/// The reason why there is no level.
enum Refused {
    Place(String),
    Map(Unusable),
    Level(Vec<String>),
}

/// Returns the exception for a level that cannot be built.
pub fn not_built(py: Python<'_>, place: &str, seed: u64, reasons: &[String]) -> PyErr {
    let last = reasons.last().map_or("no game has it", String::as_str);
    let message = format!(
        "{place} of game {seed} cannot be built: {} attempts, the last one: {last}",
        reasons.len()
    );
    error_at(py, "LevelError", &message, None, reasons)
}

/// The reason why a map was not rolled or placed.
struct Unplaced {
    message: String,
    finding: Option<Box<Finding>>,
}

impl Unplaced {
    fn of_roll(error: &RollError, content: &Content) -> Unplaced {
        Unplaced::new(error.to_string(), error.problem(), content)
    }

    fn of_place(error: &PlaceError, content: &Content) -> Unplaced {
        Unplaced::new(error.to_string(), error.problem(), content)
    }

    fn new(message: String, problem: Option<&Problem>, content: &Content) -> Unplaced {
        let finding = problem.map(|problem| Box::new(Finding::with_hint(problem, content)));
        Unplaced { message, finding }
    }

    fn error(&self, py: Python<'_>, map: &str, seed: u64) -> PyErr {
        let why = if self.message.is_empty() { "it fits nowhere" } else { &self.message };
        let message = format!("{map}, seed {seed}: {why}");
        error_at(py, "MapError", &message, self.finding.as_deref(), &[])
    }
}
