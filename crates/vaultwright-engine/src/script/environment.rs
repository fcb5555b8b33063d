//! The environment of a map's chunks, and hooks (spec 01 §11, §12). The work is done in
//! `lua/kernel.lua`; here are its handles.

use std::rc::Rc;

use vaultwright_lua::Interpreter;
use vaultwright_lua::lookup::lookup;
use vaultwright_lua::mlua::{self, FromLua, Function, Lua, Table, Value};

use super::arguments::MapRef;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// The functions of the kernel.
struct Kernel {
    /// run(map, name, function) → result of the chunk, in the environment of that name.
    run: Function,
    /// fire(map, name, hook)
    fire: Function,
    /// has_hook(name, hook) → boolean
    has_hook: Function,
    /// flush(name), flush() for all
    flush: Function,
    /// copy(from name, map, name)
    copy_hooks: Function,
    /// plain_map(environment) → its map or nil
    plain_map: Function,
    /// has_main_hooks() → boolean
    has_main_hooks: Function,
    /// waiting(name) → whether hooks run before, and after, its epilogue
    waiting: Function,
}

/// Loads the kernel over whatever the data root's own library has defined.
pub(crate) fn install(interpreter: &Interpreter) -> mlua::Result<()> {
    let lua = interpreter.lua();
    let build: Function =
        lua.load(include_str!("../../lua/kernel.lua")).set_name("=kernel.lua").into_function()?;
    let lookup = lua.create_function(|lua, tables: (Table, Table, Function)| {
        lookup(lua, &tables.0, &tables.1, &tables.2)
    })?;
    let kernel: Table = build.call(lookup)?;
    lua.set_app_data(Kernel {
        run: kernel.raw_get("run")?,
        fire: kernel.raw_get("fire")?,
        has_hook: kernel.raw_get("has_hook")?,
        flush: kernel.raw_get("flush")?,
        copy_hooks: kernel.raw_get("copy_hooks")?,
        plain_map: kernel.raw_get("plain_map")?,
        has_main_hooks: kernel.raw_get("has_main_hooks")?,
        waiting: kernel.raw_get("waiting")?,
    });
    Ok(())
}

fn function(lua: &Lua, pick: impl FnOnce(&Kernel) -> &Function) -> mlua::Result<Function> {
    let kernel = lua.app_data_ref::<Kernel>();
    let kernel = kernel.ok_or_else(|| mlua::Error::runtime("no map environment exists yet"))?;
    Ok(pick(&kernel).clone())
}

/// Runs a function in the map's environment, with the map as the current one.
pub(crate) fn run_in_environment(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    chunk: &Function,
) -> mlua::Result<Value> {
    let run = function(lua, |kernel| &kernel.run)?;
    host.ran_lua = true;
    let name = map.def.borrow().name.clone();
    host.with_current(map, |host| host.lend(|| run.call((MapRef(Rc::clone(map)), name, chunk))))
}

/// Fires a hook of the map.
pub(crate) fn fire_hook(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    hook: &str,
) -> mlua::Result<()> {
    let name = map.def.borrow().name.clone();
    // Few maps have any, and making a map the current one takes longer than asking.
    if !function(lua, |kernel| &kernel.has_hook)?.call::<bool>((name.as_str(), hook))? {
        return Ok(());
    }
    let fire = function(lua, |kernel| &kernel.fire)?;
    host.with_current(map, |host| host.lend(|| fire.call((MapRef(Rc::clone(map)), name, hook))))
}

/// Discards the environment of a name.
pub(crate) fn flush_environment(lua: &Lua, name: &str) {
    // Removing an entry of a table cannot fail.
    let _ = function(lua, |kernel| &kernel.flush).and_then(|flush| flush.call::<()>(name));
}

/// Appends the `post_place` hooks of a merged subvault to those of its parent.
pub(crate) fn copy_hooks(lua: &Lua, from: &str, parent: &Rc<MapCell>) -> mlua::Result<()> {
    let copy = function(lua, |kernel| &kernel.copy_hooks)?;
    let name = parent.def.borrow().name.clone();
    copy.call((from, MapRef(Rc::clone(parent)), name))
}

/// Returns the map of an environment whose grid and size no script has replaced.
pub(crate) fn plain_map(lua: &Lua, environment: &Table) -> mlua::Result<Option<MapRef>> {
    match function(lua, |kernel| &kernel.plain_map)?.call::<Value>(environment)? {
        map @ Value::UserData(_) => Ok(MapRef::from_lua(map, lua).ok()),
        _ => Ok(None),
    }
}

/// Returns whether a map, or all maps, have hooks that run before and after its epilogue, when its
/// level is left.
pub(crate) fn hooks_around_epilogue(lua: &Lua, name: &str) -> mlua::Result<(bool, bool)> {
    function(lua, |kernel| &kernel.waiting)?.call(name)
}

/// Returns whether hooks for all maps are registered that run before or after their main chunk.
pub(crate) fn has_main_hooks(lua: &Lua) -> bool {
    function(lua, |kernel| &kernel.has_main_hooks).and_then(|has| has.call(())).unwrap_or(false)
}
