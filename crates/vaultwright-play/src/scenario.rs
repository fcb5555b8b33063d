//! Scenarios: tests of how vaults behave in play, written in Lua.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value};
use vaultwright_engine::{Budget, Engine, Failure, Moment, compile_lua};
use vaultwright_syntax::Source;

use crate::scenario_api;
use crate::session::Session;

/// A file of scenarios.
pub struct ScenarioFile {
    session: Rc<RefCell<Session>>,
    names: Vec<String>,
    /// The functions, in the same order: Lua has room for few values that are held from outside.
    functions: Table,
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

/// How many times the budget of a chunk a scenario may use in all.
const MAX_BUDGETS: u32 = 100;

/// What a file has said while it was listed.
#[derive(Default)]
struct Listed {
    names: Vec<String>,
    /// The text of its vaults.
    vaults: String,
}

/// Runs a file, which lists its scenarios and vaults. Returns the functions of the scenarios.
fn list(lua: &Lua, text: &str, listed: &Rc<RefCell<Option<Listed>>>) -> mlua::Result<Table> {
    let functions = lua.create_table()?;
    let (into, of) = (Rc::clone(listed), functions.clone());
    let scenario = lua.create_function(move |lua, (name, run): (String, Function)| {
        keep(lua, &name)?;
        let mut listed = into.borrow_mut();
        listed.as_mut().ok_or_else(|| too_late("scenario"))?.names.push(name);
        of.raw_push(run)
    })?;
    lua.globals().raw_set("scenario", scenario)?;
    let into = Rc::clone(listed);
    let vaults = lua.create_function(move |lua, text: String| {
        keep(lua, &text)?;
        let mut listed = into.borrow_mut();
        let vaults = &mut listed.as_mut().ok_or_else(|| too_late("vaults"))?.vaults;
        vaults.push_str(&text);
        vaults.push('\n');
        Ok(())
    })?;
    lua.globals().raw_set("vaults", vaults)?;
    compile_lua(lua, CHUNK, text.as_ref())?.call::<()>(())?;
    Ok(functions)
}

/// Charges a text that is kept.
fn keep(lua: &Lua, text: &str) -> mlua::Result<()> {
    Budget::of(lua).map_or(Ok(()), |budget| budget.keep(text.len()))
}

fn too_late(function: &str) -> mlua::Error {
    mlua::Error::runtime(format!(
        "{function} cannot be called in a scenario: write it before or behind it in the file"
    ))
}

impl ScenarioFile {
    /// Loads a file: compiles its vaults into the engine and lists its scenarios. The error says
    /// what is wrong with either.
    pub fn load(engine: Engine, name: &str, text: &str, seed: u64) -> Result<ScenarioFile, String> {
        let mut engine = engine;
        let listed: Rc<RefCell<Option<Listed>>> = Rc::new(RefCell::new(Some(Listed::default())));
        // SAFETY: the engine goes into the `ScenarioFile` with all that is made here, and that is
        // not `Send`.
        let listing = unsafe { engine.with_lua(|lua| list(lua, text, &listed)) };
        let functions = listing.map_err(|error| named(Failure::new(&error), name).to_string())?;
        let Listed { names, vaults: des } = listed.take().unwrap_or_default();
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
        Ok(ScenarioFile { session, names, functions })
    }

    /// Returns the names of the scenarios, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Runs the scenarios whose name contains `filter`, each from a fresh start.
    pub fn run(&self, filter: &str, seed: u64) -> Vec<Outcome> {
        let chosen = self.names.iter().enumerate().filter(|(_, name)| name.contains(filter));
        chosen.map(|(index, name)| self.run_one(name, index, seed)).collect()
    }

    fn run_one(&self, name: &str, index: usize, seed: u64) -> Outcome {
        let session = &self.session;
        session.borrow_mut().begin(seed);
        session.borrow_mut().play_mut().keep_timeline();
        // SAFETY: the engine cannot leave the `ScenarioFile`, which is not `Send`.
        let lua = unsafe { session.borrow_mut().play_mut().with_lua(Lua::clone) };
        let budget = Budget::of(&lua);
        let limit = |fills| budget.iter().for_each(|budget| budget.limit_series(fills));
        limit(Some(MAX_BUDGETS));
        let result = scenario_api::build(&lua, session, seed).and_then(|api| {
            let run: Function = self.functions.raw_get(index + 1)?;
            run.call::<Value>(api)
        });
        limit(None);
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
