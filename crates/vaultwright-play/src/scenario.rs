//! Scenarios: tests of how vaults behave in play, written in Lua.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};
use vaultwright_engine::{Engine, Failure, Moment, compile_lua};
use vaultwright_syntax::Source;

use crate::scenario_api;
use crate::session::Session;

/// A file of scenarios.
pub struct ScenarioFile {
    session: Rc<RefCell<Session>>,
    scenarios: Vec<(String, Function)>,
}

/// The result of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The name of the scenario.
    pub name: String,
    /// Why it failed; `None` if it passed.
    pub failure: Option<ScenarioFailure>,
    /// The messages to the player and the output of scripts, in order.
    pub said: Vec<String>,
}

/// Why a scenario failed, and the state at that moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFailure {
    /// The unmet expectation, or the Lua error.
    pub message: String,
    /// The line in the file.
    pub line: Option<u32>,
    /// The messages that the scenario had not read yet.
    pub unread: Vec<String>,
    /// The latest moments at which something changed.
    pub timeline: Vec<Moment>,
    /// The part of the level around the player and the markers, as text.
    pub picture: Vec<String>,
}

/// Lets functions that a scenario calls itself, such as `dgn.grid`, act on its session.
fn answer_scripts(session: &Rc<RefCell<Session>>) {
    let held = Rc::downgrade(session);
    // SAFETY: the session cannot leave the `ScenarioFile`, which is not `Send`.
    unsafe {
        session.borrow_mut().play_mut().answer_scripts(move |act| {
            let session = held.upgrade();
            if let Some(Ok(mut session)) = session.as_ref().map(|session| session.try_borrow_mut())
            {
                act(session.play_mut());
            }
        });
    }
}

/// The name Lua uses for the text of a file: it truncates names longer than about sixty bytes.
const CHUNK: &str = "scenario";

impl ScenarioFile {
    /// Loads a file: compiles its vaults into the engine and lists its scenarios. The error says
    /// what is wrong with either.
    pub fn load(engine: Engine, name: &str, text: &str, seed: u64) -> Result<ScenarioFile, String> {
        let mut engine = engine;
        let listed: Rc<RefCell<Vec<(String, Function)>>> = Rc::default();
        let vaults: Rc<RefCell<String>> = Rc::default();
        let list = |lua: &Lua| -> mlua::Result<()> {
            let names = Rc::clone(&listed);
            let scenario = lua.create_function(move |_, (name, run): (String, Function)| {
                names.borrow_mut().push((name, run));
                Ok(())
            })?;
            lua.globals().raw_set("scenario", scenario)?;
            let texts = Rc::clone(&vaults);
            let collect = lua.create_function(move |_, text: String| {
                let mut texts = texts.borrow_mut();
                texts.push_str(&text);
                texts.push('\n');
                Ok(())
            })?;
            lua.globals().raw_set("vaults", collect)?;
            compile_lua(lua, CHUNK, text.as_ref())?.call(())
        };
        // SAFETY: the engine goes into the `ScenarioFile` with all that is made here, and that is
        // not `Send`.
        let listing = unsafe { engine.with_lua(list) };
        listing.map_err(|error| named(Failure::new(&error), name).to_string())?;
        let des = vaults.take();
        let source = Source::new(format!("{name} (vaults)"), des.into_bytes());
        // Loaded even if empty: scripts' state is later restored to this point.
        let problems = engine.load(vec![source]);
        if let Some(problem) = problems.first() {
            let at = problem.file.lines.position(problem.span.start);
            return Err(format!(
                "vaults of {name}, line {} column {}: {}",
                at.line, at.column, problem.message
            ));
        }
        let session = Rc::new(RefCell::new(Session::new(engine, seed)));
        answer_scripts(&session);
        let scenarios = listed.take();
        Ok(ScenarioFile { session, scenarios })
    }

    /// Returns the names of the scenarios, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.scenarios.iter().map(|(name, _)| name.as_str())
    }

    /// Runs the scenarios whose name contains `filter`, each from a fresh start.
    pub fn run(&self, filter: &str, seed: u64) -> Vec<Outcome> {
        let chosen = self.scenarios.iter().filter(|(name, _)| name.contains(filter));
        chosen.map(|(name, run)| self.run_one(name, run, seed)).collect()
    }

    fn run_one(&self, name: &str, run: &Function, seed: u64) -> Outcome {
        let session = &self.session;
        session.borrow_mut().begin(seed);
        session.borrow_mut().play_mut().keep_timeline();
        // SAFETY: the engine cannot leave the `ScenarioFile`, which is not `Send`.
        let lua = unsafe { session.borrow_mut().play_mut().with_lua(Lua::clone) };
        let result =
            scenario_api::build(&lua, session, seed).and_then(|api: Table| run.call::<Value>(api));
        let failure = result.err().map(|error| self.failure(&error));
        let mut session = session.borrow_mut();
        session.take_messages();
        let heard = session.take_heard().into_iter().map(|said| said.text);
        let printed = session.play_mut().take_placed_messages();
        let said = heard.chain(printed).collect();
        Outcome { name: name.to_owned(), failure, said }
    }

    fn failure(&self, error: &mlua::Error) -> ScenarioFailure {
        let failure = Failure::new(error);
        let line = failure.frames.iter().find(|frame| frame.chunk == CHUNK);
        let line = line.map(|frame| frame.line);
        let mut session = self.session.borrow_mut();
        let unread = session.take_messages().into_iter().map(|said| said.text).collect();
        ScenarioFailure {
            line,
            message: failure.message,
            unread,
            timeline: session.play().timeline(),
            picture: crate::picture::picture(&session),
        }
    }
}

/// Returns the failure with the name of this file.
fn named(mut failure: Failure, name: &str) -> Failure {
    for frame in failure.frames.iter_mut().filter(|frame| frame.chunk == CHUNK) {
        name.clone_into(&mut frame.chunk);
    }
    failure
}
