//! The interpreter of a tower: environments for rooms and mobiles, loading files, and randomness
//! decided by the seed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Error, Function, Lua, Table, Value, Variadic};
use vaultwright_lua::{Budget, Failure, FailureKind, Interpreter, Limits, compile, text_of};
use vaultwright_rng::Pcg;

use crate::error::LairError;
use crate::findings::{Findings, shortened};
use crate::project::{AiScript, PLAYER_SCRIPT, Project};

/// A single interpreter for all rooms. Each room has its own environment.
///
/// Environments are stored in Lua tables, so that Rust holds few references, whatever the number of
/// rooms and mobiles.
pub struct Scripts {
    interpreter: Interpreter,
    project: Rc<Project>,
    /// The name and text of the script that runs in every environment.
    script: (String, Vec<u8>),
    kernel: Kernel,
    /// The environments of rooms or mobiles, by number.
    environments: Table,
    /// The call of each mobile for its turn, by number.
    acts: Table,
    /// The names of called functions, which are passed to Lua as numbers.
    names: Table,
    numbers: RefCell<HashMap<String, usize>>,
    /// Files loaded by scripts: each is compiled once, and runs in every environment.
    loaded: Rc<RefCell<HashMap<String, Function>>>,
    random_function: Function,
    load_function: Function,
    /// The generator of `math.random`.
    pub random: Rc<RefCell<Pcg>>,
    printed: Rc<RefCell<Printed>>,
    /// Problems of scripts that do not stop anything.
    pub findings: Rc<RefCell<Findings>>,
}

/// A stream that scripts draw from until this is dropped.
struct Turn<'r> {
    drawn_from: &'r RefCell<Pcg>,
    other: &'r mut Pcg,
}

impl<'r> Turn<'r> {
    fn take(drawn_from: &'r RefCell<Pcg>, other: &'r mut Pcg) -> Turn<'r> {
        std::mem::swap(&mut *drawn_from.borrow_mut(), other);
        Turn { drawn_from, other }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        std::mem::swap(&mut *self.drawn_from.borrow_mut(), self.other);
    }
}

/// The host's functions in Lua.
struct Kernel {
    new_environment: Function,
    publisher: Function,
    forget_rooms: Function,
    ask: Function,
    change_particles: Function,
    change_mobiles: Function,
    show_cells: Function,
    /// The metatable of all strings.
    strings: Table,
}

/// The first lines that scripts have printed.
#[derive(Default)]
struct Printed {
    lines: Vec<String>,
    others: u64,
}

/// The maximum number of recorded lines, and of characters in each.
const MAX_PRINTED: usize = 1000;
const MAX_LINE: usize = 1000;

impl Scripts {
    /// Creates the scripts of a project with its map script.
    pub fn new(project: &Project, limits: Limits) -> Result<Scripts, LairError> {
        let script = (project.title(&project.map_script), project.map_text()?);
        Scripts::with(project, limits, script, Rc::default())
    }

    /// Creates the scripts of a project with its AI script. Their findings are added to existing
    /// ones.
    pub fn for_ai(
        project: &Project,
        limits: Limits,
        findings: Rc<RefCell<Findings>>,
    ) -> Result<Scripts, LairError> {
        let AiScript { name, text } = project.ai_script();
        Scripts::with(project, limits, (name, text), findings)
    }

    fn with(
        project: &Project,
        limits: Limits,
        script: (String, Vec<u8>),
        findings: Rc<RefCell<Findings>>,
    ) -> Result<Scripts, LairError> {
        let interpreter = Interpreter::new(limits).map_err(|f| LairError::Script(f.to_string()))?;
        let made = || -> mlua::Result<Scripts> {
            let lua = interpreter.lua().clone();
            let printed: Rc<RefCell<Printed>> = Rc::default();
            let loaded: Rc<RefCell<HashMap<String, Function>>> = Rc::default();
            let project = Rc::new(project.clone());
            let random = Rc::new(RefCell::new(Pcg::new(0, 0)));
            Ok(Scripts {
                kernel: Kernel::new(&lua, &printed)?,
                environments: lua.create_table()?,
                acts: lua.create_table()?,
                names: lua.create_table()?,
                numbers: RefCell::default(),
                random_function: random_function(&lua, &random)?,
                load_function: load_function(&lua, &project, &loaded)?,
                loaded,
                interpreter,
                project,
                script,
                random,
                printed,
                findings,
            })
        };
        made().map_err(|error| LairError::Script(told(&error)))
    }

    pub fn lua(&self) -> &Lua {
        self.interpreter.lua()
    }

    /// Resets the budget for the next call.
    pub fn refill(&self) {
        self.interpreter.refill();
    }

    /// Returns the budget of the current call.
    pub fn budget(&self) -> Budget {
        self.interpreter.budget()
    }

    /// Returns the error in the player's script, which is never run.
    pub fn fault_of_player_script(&self) -> Option<String> {
        let text = self.project.player_text()?;
        let name = self.project.title(PLAYER_SCRIPT);
        let fault = self.interpreter.load(&name, &text).err()?;
        Some(format!("{fault} (the script of the player is not used)"))
    }

    /// Returns the number for a function's name.
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

    /// Removes the rooms of the previous floor.
    pub fn forget_rooms(&mut self) -> mlua::Result<()> {
        self.environments = self.lua().create_table()?;
        self.refill();
        self.kernel.forget_rooms.call(())
    }

    /// Creates the environment of a room by running the map script, with these tables as `cell` and
    /// `mobs`.
    pub fn add_room(&self, room: usize, cell: &Table, mobs: &Table) -> Result<Table, LairError> {
        self.refill();
        let made = || -> mlua::Result<Table> {
            let table = self.bare_environment()?;
            table.raw_set("cell", cell)?;
            table.raw_set("mobs", mobs)?;
            let findings = Rc::clone(&self.findings);
            let warn = self.lua().create_function(move |_, tag: String| {
                findings.borrow_mut().add(format!(
                    "the tag '{tag}' has the name of something else: it is counted in tag_counts only"
                ));
                Ok(())
            })?;
            let protect: Function =
                self.kernel.publisher.call((room, &table, &self.names, warn))?;
            self.run_script(&table)?;
            protect.call::<()>(())?;
            self.environments.raw_set(room + 1, &table)?;
            Ok(table)
        };
        made().map_err(|error| LairError::Script(self.failure(&error).to_string()))
    }

    /// Returns the globals of a room.
    pub fn room(&self, room: usize) -> mlua::Result<Table> {
        self.environments.raw_get(room + 1)
    }

    /// Returns the function that calls a room's script. Its arguments are the room, the number of
    /// the function, and the cell if it is a new one.
    pub fn ask(&self) -> &Function {
        &self.kernel.ask
    }

    /// Returns the functions that count a thing's tags in a room, for particles and for mobiles.
    /// Their arguments are the room, 1 or -1, and the tags.
    pub fn counters(&self) -> (Function, Function) {
        (self.kernel.change_particles.clone(), self.kernel.change_mobiles.clone())
    }

    /// Makes a room's script look up particles in this snapshot, unless it requests the current
    /// floor. Without a snapshot, it sees only that.
    pub fn show_cells(&self, room: usize, snapshot: Option<&Table>) -> mlua::Result<()> {
        // The previous script may have used up its budget.
        self.refill();
        self.kernel.show_cells.call((room, snapshot))
    }

    /// Runs something that draws from another stream than the one under way, which goes on
    /// afterwards, however that ends.
    pub fn with_random<R>(&self, random: &mut Pcg, run: impl FnOnce(&Scripts) -> R) -> R {
        let _turn = Turn::take(&self.random, random);
        run(self)
    }

    /// Makes the environment of a mobile: the AI script has run in it, and this text is what it
    /// calls for a turn.
    pub fn add_mind(&self, mobile: usize, text: &str) -> Result<(), Failure> {
        self.refill();
        let act = self.interpreter.load(text, format!("return {text}").as_bytes())?;
        let made = || -> mlua::Result<()> {
            let table = self.bare_environment()?;
            self.run_script(&table)?;
            act.set_environment(table.clone())?;
            self.environments.raw_set(mobile + 1, table)?;
            self.acts.raw_set(mobile + 1, act)
        };
        made().map_err(|error| self.failure(&error))
    }

    /// Returns the globals of a mobile, and the call for its turns; `None` if it has no mind. Its
    /// own `string` table is then used for all strings.
    pub fn mind(&self, mobile: usize) -> mlua::Result<Option<(Table, Function)>> {
        let act: Option<Function> = self.acts.raw_get(mobile + 1)?;
        let table: Option<Table> = self.environments.raw_get(mobile + 1)?;
        if let Some(table) = &table {
            self.kernel.strings.raw_set("__index", table.raw_get::<Value>("string")?)?;
        }
        Ok(table.zip(act))
    }

    /// Returns the names of the functions that the script of these environments defines. While it
    /// loads, it draws from `random`.
    pub fn functions(&self, random: Pcg) -> Result<Vec<String>, Failure> {
        self.refill();
        self.random.replace(random);
        let read = || -> mlua::Result<Vec<String>> {
            let table = self.bare_environment()?;
            self.run_script(&table)?;
            let mut names = Vec::new();
            for pair in table.pairs::<Value, Value>() {
                if let (Value::String(name), Value::Function(_)) = pair? {
                    names.push(name.to_string_lossy());
                }
            }
            names.sort();
            Ok(names)
        };
        read().map_err(|error| self.failure(&error))
    }

    /// Parses an error. A memory error is followed by a garbage collection, so that the next call
    /// has some memory.
    pub fn failure(&self, error: &Error) -> Failure {
        let mut failure = Failure::of_chunk(error, &self.interpreter.budget());
        if failure.kind == FailureKind::Memory {
            // If memory cannot be freed, the next call fails in the same way.
            let _ = self.lua().gc_collect();
            failure.message.push_str(" (--memory gives more)");
        }
        failure
    }

    /// Returns what scripts have printed since the last call, with one line for each `print`.
    pub fn take_printed(&self) -> Vec<String> {
        let Printed { mut lines, others } = self.printed.take();
        if others > 0 {
            lines.push(format!("({others} more lines were printed)"));
        }
        lines
    }

    fn bare_environment(&self) -> mlua::Result<Table> {
        self.kernel.new_environment.call((&self.random_function, &self.load_function))
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

/// Returns a Lua error as `file:line: message`.
pub fn told(error: &Error) -> String {
    Failure::new(error).to_string()
}

impl Kernel {
    fn new(lua: &Lua, printed: &Rc<RefCell<Printed>>) -> mlua::Result<Kernel> {
        let printed = Rc::clone(printed);
        let print = lua.create_function(move |lua, values: Variadic<Value>| {
            let mut printed = printed.borrow_mut();
            if printed.lines.len() >= MAX_PRINTED {
                printed.others += 1;
                return Ok(());
            }
            let texts: Vec<String> =
                values.iter().map(|value| printable(lua, value)).collect::<mlua::Result<_>>()?;
            printed.lines.push(shortened(&texts.join("\t"), MAX_LINE));
            Ok(())
        })?;
        lua.globals().raw_set("print", print)?;
        let kernel = lua.load(include_str!("kernel.lua")).set_name("=kernel.lua");
        let (
            new_environment,
            publisher,
            forget_rooms,
            ask,
            change_particles,
            change_mobiles,
            show_cells,
            strings,
        ) = kernel.call(())?;
        Ok(Kernel {
            new_environment,
            publisher,
            forget_rooms,
            ask,
            change_particles,
            change_mobiles,
            show_cells,
            strings,
        })
    }
}

/// Returns the start of a value's text, not more than a line needs.
fn printable(lua: &Lua, value: &Value) -> mlua::Result<String> {
    if let Value::String(text) = value {
        let bytes = text.as_bytes();
        let end = bytes.len().min(4 * MAX_LINE + 4);
        return Ok(String::from_utf8_lossy(&bytes[..end]).into_owned());
    }
    text_of(lua, value)
}

/// Returns `math.random`, which draws from the stream of the pass (spec 09 §19.2).
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

/// Returns a file of the library or of the project as a function, for `dofile`. The error says why
/// it cannot be loaded.
fn load_function(
    lua: &Lua,
    project: &Rc<Project>,
    loaded: &Rc<RefCell<HashMap<String, Function>>>,
) -> mlua::Result<Function> {
    let (project, loaded) = (Rc::clone(project), Rc::clone(loaded));
    lua.create_function(move |lua, path: String| {
        if path.is_empty() {
            return Ok((None, Some("dofile: no file is named".to_owned())));
        }
        let known = loaded.borrow().get(&path).cloned();
        if let Some(chunk) = known {
            return Ok((Some(chunk), None));
        }
        let text = match project.read(&path) {
            Ok(text) => text,
            Err(error) => return Ok((None, Some(error))),
        };
        let title = project.title(&path);
        let chunk = compile(lua, &title, &text)?;
        loaded.borrow_mut().insert(path, chunk.clone());
        Ok((Some(chunk), None))
    })
}
