//! The interpreter of a tower: environments for rooms, files for scripts, randomness that the seed decides.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Error, Function, Lua, Table, Value, Variadic};
use vaultwright_lua::{Failure, Interpreter, Limits};
use vaultwright_rng::Pcg;

use crate::error::LairError;
use crate::project::{PLAYER_SCRIPT, Project};

/// One interpreter for all rooms; each has an environment of its own.
pub struct Scripts {
    interpreter: Interpreter,
    project: Rc<Project>,
    /// The name and the text of the script that every environment runs.
    script: (String, Vec<u8>),
    new_environment: Function,
    publisher: Function,
    /// The names of functions that are asked for, which go to Lua as numbers.
    names: Table,
    numbers: RefCell<HashMap<String, usize>>,
    /// Files that scripts have loaded: each is compiled once, and runs in every environment.
    loaded: Rc<RefCell<HashMap<String, Function>>>,
    /// What `math.random` draws from.
    pub random: Rc<RefCell<Pcg>>,
    /// What scripts have printed.
    pub printed: Rc<RefCell<Vec<String>>>,
    /// Tags that cannot be published, since their names are taken.
    pub taken: Rc<RefCell<Vec<String>>>,
}

/// The environment of a room, and the host's functions for it.
pub struct Environment {
    pub table: Table,
    pub change_particles: Function,
    pub change_mobiles: Function,
    pub ask: Function,
}

/// Lines that are kept of what scripts print.
const MOST_PRINTED: usize = 1000;

impl Scripts {
    /// With the map script of a project.
    pub fn new(project: &Project, limits: Limits) -> Result<Scripts, LairError> {
        let script = (project.map_script.clone(), project.map_text()?);
        Scripts::with(project, limits, script)
    }

    /// With its AI script.
    pub fn for_ai(project: &Project, limits: Limits) -> Result<Scripts, LairError> {
        Scripts::with(project, limits, project.ai_text())
    }

    fn with(
        project: &Project,
        limits: Limits,
        script: (String, Vec<u8>),
    ) -> Result<Scripts, LairError> {
        let interpreter = Interpreter::new(limits).map_err(|f| LairError::Script(f.to_string()))?;
        let printed: Rc<RefCell<Vec<String>>> = Rc::default();
        let (new_environment, publisher) = kernel(interpreter.lua(), &printed)
            .map_err(|error| LairError::Script(error.to_string()))?;
        let names = interpreter.lua().create_table();
        let names = names.map_err(|error| LairError::Script(error.to_string()))?;
        Ok(Scripts {
            names,
            numbers: RefCell::default(),
            loaded: Rc::default(),
            interpreter,
            project: Rc::new(project.clone()),
            script,
            new_environment,
            publisher,
            random: Rc::new(RefCell::new(Pcg::new(0, 0))),
            printed,
            taken: Rc::default(),
        })
    }

    pub fn lua(&self) -> &Lua {
        self.interpreter.lua()
    }

    /// Gives the next call its full budget.
    pub fn refill(&self) {
        self.interpreter.refill();
    }

    /// What is wrong with the script of the player, which is never run.
    pub fn fault_of_player_script(&self) -> Option<String> {
        let text = self.project.player_text()?;
        let fault = self.interpreter.load(PLAYER_SCRIPT, &text).err()?;
        Some(format!("{fault} (the script of the player is not used)"))
    }

    /// The number that stands for a function's name.
    pub fn number(&self, name: &str) -> mlua::Result<usize> {
        if let Some(&number) = self.numbers.borrow().get(name) {
            return Ok(number);
        }
        let mut numbers = self.numbers.borrow_mut();
        let number = numbers.len() + 1;
        self.names.raw_set(number, name)?;
        numbers.insert(name.to_owned(), number);
        Ok(number)
    }

    /// An environment in which the map script has run, with these tables as `cell` and `mobs`.
    pub fn environment(&self, cell: &Table, mobs: &Table) -> Result<Environment, LairError> {
        self.refill();
        let lua = self.lua();
        let made = || -> mlua::Result<Environment> {
            let table = self.bare_environment()?;
            table.raw_set("cell", cell)?;
            table.raw_set("mobs", mobs)?;
            let taken = Rc::clone(&self.taken);
            let warn = lua.create_function(move |_, tag: String| {
                taken.borrow_mut().push(tag);
                Ok(())
            })?;
            let (protect, change_particles, change_mobiles, ask): (
                Function,
                Function,
                Function,
                Function,
            ) = self.publisher.call((&table, &self.names, warn))?;
            self.run_script(&table)?;
            protect.call::<()>(())?;
            Ok(Environment { table, change_particles, change_mobiles, ask })
        };
        made().map_err(|error| LairError::Script(told(&error)))
    }

    /// An environment in which the AI script has run, and the function that a mobile's text stands for.
    pub fn mind(&self, text: &str) -> Result<(Table, Function), LairError> {
        self.refill();
        let made = || -> mlua::Result<(Table, Function)> {
            let table = self.bare_environment()?;
            self.run_script(&table)?;
            let act = self.interpreter.load(text, format!("return {text}").as_bytes());
            let act = act.map_err(|failure| Error::runtime(failure.to_string()))?;
            act.set_environment(table.clone())?;
            Ok((table, act))
        };
        made().map_err(|error| LairError::Script(told(&error)))
    }

    fn bare_environment(&self) -> mlua::Result<Table> {
        let random = random_function(self.lua(), &self.random)?;
        let load = load_function(self.lua(), &self.project, &self.loaded)?;
        self.new_environment.call((random, load))
    }

    fn run_script(&self, environment: &Table) -> mlua::Result<()> {
        let known = self.loaded.borrow().get("").cloned();
        let chunk = match known {
            Some(chunk) => chunk,
            None => {
                let chunk = self.interpreter.load(&self.script.0, &self.script.1);
                let chunk = chunk.map_err(|failure| Error::runtime(failure.to_string()))?;
                self.loaded.borrow_mut().insert(String::new(), chunk.clone());
                chunk
            }
        };
        chunk.set_environment(environment.clone())?;
        chunk.call::<()>(())
    }
}

/// A Lua error as `file:line: message`.
pub fn told(error: &Error) -> String {
    Failure::new(error).to_string()
}

fn kernel(lua: &Lua, printed: &Rc<RefCell<Vec<String>>>) -> mlua::Result<(Function, Function)> {
    let printed = Rc::clone(printed);
    let print = lua.create_function(move |_, values: Variadic<Value>| {
        let texts: Vec<String> =
            values.iter().map(|value| value.to_string()).collect::<mlua::Result<_>>()?;
        let mut printed = printed.borrow_mut();
        if printed.len() < MOST_PRINTED {
            printed.push(texts.join("\t"));
        }
        Ok(())
    })?;
    lua.globals().raw_set("print", print)?;
    lua.load(include_str!("kernel.lua")).set_name("=kernel.lua").call(())
}

/// `math.random`, drawing from the stream of the pass (spec 09 §19.2).
fn random_function(lua: &Lua, random: &Rc<RefCell<Pcg>>) -> mlua::Result<Function> {
    let random = Rc::clone(random);
    lua.create_function(move |_, bounds: Variadic<f64>| {
        let mut random = random.borrow_mut();
        let (low, high) = match bounds[..] {
            [] => {
                let bits = random.next_u64() & ((1 << 52) - 1);
                return Ok(f64::from_bits(0x3ff0_0000_0000_0000 | bits) - 1.0);
            }
            [high] => (1.0, high),
            [low, high, ..] => (low, high),
        };
        let (low, high) = (low.floor(), high.floor());
        let span = high - low + 1.0;
        if !(1.0..=f64::from(u32::MAX)).contains(&span) {
            let position = if bounds.len() < 2 { 1 } else { 2 };
            return Err(Error::runtime(format!(
                "bad argument #{position} to 'random' (interval is empty)"
            )));
        }
        Ok(low + f64::from(random.below(span as u32)))
    })
}

/// What `dofile` loads: a file of the library or of the project, as a function; else why it cannot.
fn load_function(
    lua: &Lua,
    project: &Rc<Project>,
    loaded: &Rc<RefCell<HashMap<String, Function>>>,
) -> mlua::Result<Function> {
    let (project, loaded) = (Rc::clone(project), Rc::clone(loaded));
    lua.create_function(move |lua, path: String| {
        let known = loaded.borrow().get(&path).cloned();
        if let Some(chunk) = known {
            return Ok((Some(chunk), None));
        }
        let text = match project.read(&path) {
            Ok(text) if text.first() == Some(&0x1b) => {
                return Ok((None, Some(format!("{path}: compiled Lua is refused"))));
            }
            Ok(text) => text,
            Err(error) => return Ok((None, Some(error))),
        };
        let chunk = lua.load(&text[..]).set_name(format!("={path}")).into_function()?;
        loaded.borrow_mut().insert(path, chunk.clone());
        Ok((Some(chunk), None))
    })
}
