use std::cell::Cell;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::debug::HookTriggers;
use mlua::{Error, Function, Lua, LuaOptions, LuaString, StdLib, Value, VmState};

use crate::failure::BUDGET_MESSAGE;
use crate::{Failure, Limits};

/// How often the budget is looked at, in instructions.
const BUDGET_STEP: u32 = 1000;

/// A Lua state without the means to do harm.
pub struct Interpreter {
    lua: Lua,
    limits: Limits,
    left: Rc<Cell<u64>>,
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
        lua.set_memory_limit(limits.memory).map_err(|e| Failure::new(&e))?;
        Ok(Interpreter { lua, limits, left })
    }

    /// The state itself.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Gives the next chunk its full budget of instructions.
    pub fn refill(&self) {
        self.left.set(self.limits.instructions);
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
    lua.load(text).set_name(format!("={name}")).set_mode(ChunkMode::Text).into_function()
}

/// Takes away what reaches outside and adds what old and new scripts expect (spec 01 §16).
fn restrict(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in ["load", "loadfile", "dofile", "require", "module", "newproxy", "gcinfo"] {
        globals.raw_set(name, Value::Nil)?;
    }
    let string: mlua::Table = globals.raw_get("string")?;
    string.raw_set("dump", Value::Nil)?;
    let loadstring = lua.create_function(|lua, (text, _name): (LuaString, Option<LuaString>)| {
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
    lua.set_global_hook(triggers, move |_, _| {
        let rest = left.get().saturating_sub(u64::from(BUDGET_STEP));
        left.set(rest);
        // Once it is used up every further step fails, so that a pcall cannot go on.
        if rest == 0 { Err(Error::RuntimeError(BUDGET_MESSAGE.into())) } else { Ok(VmState::Continue) }
    })
}
