//! The interpreter: the environment of scripts, and how chunks are compiled and run.

use std::collections::BTreeSet;
use std::ffi::c_int;
use std::rc::Rc;

use mlua::ffi;
use mlua::state::{GcIncParams, GcMode};
use mlua::{Error, Function, Lua, LuaOptions, LuaString, StdLib, Value};

use crate::layout;
use crate::library;
use crate::meter::{Budget, Meter, PAUSE};
use crate::{Failure, Limits, TextOf, compile, compile_of, raw_tables};

/// A Lua state without access to anything harmful.
pub struct Interpreter {
    lua: Lua,
    limits: Limits,
    pub(crate) meter: Rc<Meter>,
}

impl Interpreter {
    /// Creates a state.
    pub fn new(limits: Limits) -> Result<Interpreter, Failure> {
        let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH;
        let options = LuaOptions::new().catch_rust_panics(false);
        let lua = Lua::new_with(libraries, options).map_err(|e| Failure::new(&e))?;
        let meter = prepare(&lua, limits).map_err(|e| Failure::new(&e))?;
        // Objects created while the collector is running survive that cycle, so it should finish
        // quickly.
        let collector = GcIncParams::default().pause(PAUSE).step_multiplier(10_000);
        lua.gc_set_mode(GcMode::Incremental(collector));
        meter.limit_memory(&lua).map_err(|e| Failure::new(&e))?;
        Ok(Interpreter { lua, limits, meter })
    }

    /// Returns the Lua state.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Collects the garbage of scripts.
    pub(crate) fn collect(&self) -> mlua::Result<()> {
        let used = self.meter.used_memory();
        self.end_cycle()?;
        if self.meter.used_memory() > used / 2 {
            // The collector was running, and has left what became garbage meanwhile.
            self.end_cycle()?;
        }
        Ok(())
    }

    /// Finishes the collector's current cycle, or runs a whole one if it is waiting. A full
    /// collection would first go over everything once more.
    fn end_cycle(&self) -> mlua::Result<()> {
        // SAFETY: the collector may be asked at any time; finalizers run protected.
        unsafe {
            self.lua.exec_raw((), |state| {
                ffi::lua_gc(state, ffi::LUA_GCSTEP, c_int::MAX);
            })
        }
    }

    /// Returns the limits of scripts.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Resets the budget for the next chunk.
    pub fn refill(&self) {
        self.meter.refill();
    }

    /// Returns a handle to the budget.
    pub fn budget(&self) -> Budget {
        Budget(Rc::clone(&self.meter))
    }

    /// Starts recording every line that runs, until [`Interpreter::stop_line_notes`].
    pub fn start_line_notes(&self) {
        self.meter.start_line_notes();
    }

    /// Returns the chunks and lines that have run since the start of the recording, in order.
    pub fn stop_line_notes(&self) -> BTreeSet<(String, u32)> {
        self.meter.stop_line_notes()
    }

    /// Compiles a chunk of source text. Bytecode is rejected.
    pub fn load(&self, name: &str, text: &[u8]) -> Result<Function, Failure> {
        self.load_of(name, text, TextOf::Nothing)
    }

    /// Like [`Interpreter::load`], with the origin of the text.
    pub fn load_of(&self, name: &str, text: &[u8], of: TextOf) -> Result<Function, Failure> {
        compile_of(&self.lua, name, text, of).map_err(|error| Failure::new(&error))
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        // Handles to the state may outlive its interpreter.
        self.meter.leave_memory();
    }
}

/// Rejects bytecode, and source that is too long: the compiler's time grows with the square of the
/// length.
pub(crate) fn look_at_source(lua: &Lua, name: &str, text: &[u8]) -> mlua::Result<()> {
    if text.first() == Some(&0x1b) {
        return Err(Error::RuntimeError(format!("{name}: compiled Lua is refused")));
    }
    let most = lua.app_data_ref::<Rc<Meter>>().map_or(usize::MAX, |meter| meter.longest_source());
    if text.len() > most {
        return Err(Error::RuntimeError(format!(
            "{name}: the chunk has {} bytes; {most} may be compiled at once",
            text.len()
        )));
    }
    Ok(())
}

/// Charges work done for the current script to its budget, in instructions.
pub fn charge(lua: &Lua, work: u64) -> mlua::Result<()> {
    let meter = lua.app_data_ref::<Rc<Meter>>().map(|meter| Rc::clone(&meter));
    meter.map_or(Ok(()), |meter| Budget(meter).spend(work))
}

/// Returns the text of a value as scripts get it from `tostring`.
pub fn text_of(lua: &Lua, value: &Value) -> mlua::Result<String> {
    let tostring: Function = lua.named_registry_value(TOSTRING)?;
    Ok(tostring.call::<LuaString>(value)?.to_string_lossy())
}

/// The registry key of our `tostring`, which scripts cannot replace.
const TOSTRING: &str = "vaultwright tostring";

/// Makes a new state safe for scripts.
fn prepare(lua: &Lua, limits: Limits) -> mlua::Result<Rc<Meter>> {
    for probe in [layout::probe, raw_tables::probe] {
        // SAFETY: both are for an empty stack.
        unsafe { layout::check(lua, probe)? };
    }
    let meter = Meter::install(lua, limits)?;
    library::install(lua, &meter)?;
    lua.set_named_registry_value(TOSTRING, lua.globals().raw_get::<Function>("tostring")?)?;
    restrict(lua, &meter)?;
    Ok(meter)
}

/// Removes access to the outside, and adds what old and new scripts expect (spec 01 §16).
fn restrict(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in ["load", "loadfile", "dofile", "require", "module", "newproxy", "gcinfo"] {
        globals.raw_set(name, Value::Nil)?;
    }
    let string: mlua::Table = globals.raw_get("string")?;
    string.raw_set("dump", Value::Nil)?;
    let budget = Budget(Rc::clone(meter));
    let loadstring =
        lua.create_function(move |lua, (text, _name): (LuaString, Option<LuaString>)| {
            let text = text.as_bytes();
            // What compiling costs in instructions, at its worst.
            let length = text.len() as u64;
            budget.spend(length + length * length / 1000)?;
            let title = chunk_title(&String::from_utf8_lossy(&text[..text.len().min(200)]));
            match compile(lua, &title, &text) {
                Ok(function) => Ok((Value::Function(function), Value::Nil)),
                Err(error @ Error::MemoryError(_)) => Err(error),
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
