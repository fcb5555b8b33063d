use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::debug::{Debug, DebugEvent, HookTriggers};
use mlua::state::{GcIncParams, GcMode};
use mlua::{Error, Function, Lua, LuaOptions, LuaString, StdLib, Value, VmState};

use crate::failure::BUDGET_MESSAGE;
use crate::{Failure, Limits, compile};

/// How often the budget is looked at, in instructions.
const BUDGET_STEP: u32 = 1000;

/// A Lua state without the means to do harm.
pub struct Interpreter {
    lua: Lua,
    limits: Limits,
    left: Rc<Cell<u64>>,
    lines: Rc<RefCell<BTreeSet<(String, u32)>>>,
}

/// How many instructions the chunk that runs may still use.
pub struct Budget {
    left: Rc<Cell<u64>>,
    full: u64,
}

impl Budget {
    /// Gives the next chunk its full budget.
    pub fn refill(&self) {
        self.left.set(self.full);
    }

    /// Charges work that the host does for a script, in instructions. Once nothing is left the script is
    /// stopped: the error has to be handed on to it.
    pub fn spend(&self, work: u64) -> mlua::Result<()> {
        let rest = self.left.get().saturating_sub(work);
        self.left.set(rest);
        if rest > 0 { Ok(()) } else { Err(Error::RuntimeError(BUDGET_MESSAGE.to_owned())) }
    }

    /// Runs Lua of the host's own, which the script does not pay for.
    pub fn exempt<T>(&self, work: impl FnOnce() -> T) -> T {
        let left = self.left.replace(self.full.max(self.left.get()));
        let result = work();
        self.left.set(left);
        result
    }
}

impl Interpreter {
    /// A fresh state.
    pub fn new(limits: Limits) -> Result<Interpreter, Failure> {
        let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH;
        let options = LuaOptions::new().catch_rust_panics(false);
        let lua = Lua::new_with(libraries, options).map_err(|e| Failure::new(&e))?;
        let left = Rc::new(Cell::new(limits.instructions));
        restrict(&lua).map_err(|e| Failure::new(&e))?;
        install_budget(&lua, &left).map_err(|e| Failure::new(&e))?;
        // Scripts make much garbage and hold little: collecting less often is a third faster.
        lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().pause(300)));
        lua.set_memory_limit(limits.memory).map_err(|e| Failure::new(&e))?;
        Ok(Interpreter { lua, limits, left, lines: Rc::default() })
    }

    /// The state itself.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Gives the next chunk its full budget of instructions.
    pub fn refill(&self) {
        self.left.set(self.limits.instructions);
    }

    /// A handle on the budget of instructions.
    pub fn budget(&self) -> Budget {
        Budget { left: Rc::clone(&self.left), full: self.limits.instructions }
    }

    /// Notes every line that runs, until [`Interpreter::stop_line_notes`].
    pub fn start_line_notes(&self) -> mlua::Result<()> {
        let notes = Rc::clone(&self.lines);
        let left = Rc::clone(&self.left);
        let triggers = HookTriggers::new().every_line().every_nth_instruction(BUDGET_STEP);
        self.lua.set_global_hook(triggers, move |_, debug| {
            if debug.event() != DebugEvent::Line {
                return spend(&left, debug);
            }
            let line = debug.current_line().unwrap_or(0) as u32;
            if let Some(chunk) = debug.source().short_src {
                notes.borrow_mut().insert((chunk.into_owned(), line));
            }
            Ok(VmState::Continue)
        })
    }

    /// The chunks and lines that have run since the start, in order.
    pub fn stop_line_notes(&self) -> mlua::Result<BTreeSet<(String, u32)>> {
        install_budget(&self.lua, &self.left)?;
        Ok(self.lines.take())
    }

    /// Compiles a chunk of source text; bytecode is refused.
    pub fn load(&self, name: &str, text: &[u8]) -> Result<Function, Failure> {
        load(&self.lua, name, text).map_err(|error| Failure::new(&error))
    }
}

fn load(lua: &Lua, name: &str, text: &[u8]) -> mlua::Result<Function> {
    if text.first() == Some(&0x1b) {
        return Err(Error::RuntimeError(format!("{name}: compiled Lua is refused")));
    }
    compile(lua, name, text)
}

/// Takes away what reaches outside and adds what old and new scripts expect (spec 01 §16).
fn restrict(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in ["load", "loadfile", "dofile", "require", "module", "newproxy", "gcinfo"] {
        globals.raw_set(name, Value::Nil)?;
    }
    let string: mlua::Table = globals.raw_get("string")?;
    string.raw_set("dump", Value::Nil)?;
    let loadstring =
        lua.create_function(|lua, (text, _name): (LuaString, Option<LuaString>)| {
            match load(lua, &chunk_title(&text.to_string_lossy()), &text.as_bytes()) {
                Ok(function) => Ok((Value::Function(function), Value::Nil)),
                Err(error) => {
                    let message = lua.create_string(Failure::new(&error).to_string())?;
                    Ok((Value::Nil, Value::String(message)))
                }
            }
        })?;
    globals.raw_set("loadstring", loadstring)?;
    lua.load(include_str!("compat.lua")).set_name("=compat.lua").exec()
}

/// The reference names a string chunk by its text; one line of it is enough.
fn chunk_title(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let shown: String = line.chars().take(40).collect();
    format!("[string \"{shown}\"]")
}

fn install_budget(lua: &Lua, left: &Rc<Cell<u64>>) -> mlua::Result<()> {
    let left = Rc::clone(left);
    let triggers = HookTriggers::new().every_nth_instruction(BUDGET_STEP);
    lua.set_global_hook(triggers, move |_, debug| spend(&left, debug))
}

/// Once the budget is used up every further step fails, so that a pcall cannot go on.
fn spend(left: &Cell<u64>, debug: &Debug) -> mlua::Result<VmState> {
    let rest = left.get().saturating_sub(u64::from(BUDGET_STEP));
    left.set(rest);
    if rest > 0 {
        return Ok(VmState::Continue);
    }
    let place = debug.source().short_src.zip(debug.current_line());
    let place = place.map_or(String::new(), |(chunk, line)| format!("{chunk}:{line}: "));
    Err(Error::RuntimeError(format!("{place}{BUDGET_MESSAGE}")))
}
