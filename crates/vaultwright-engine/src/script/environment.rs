//! The environment of a map's chunks, and hooks (spec 01 §11, §12). The work is done in
//! `lua/kernel.lua`; here are its handles.

use std::fmt;
use std::rc::Rc;

use vaultwright_lua::Interpreter;
use vaultwright_lua::lookup::{Binding, holds, is_bound, lookup, with_room};
use vaultwright_lua::mlua::{self, AnyUserData, FromLua, Function, Lua, Table, Value};

use super::arguments::MapRef;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// The functions of the kernel, and its tables.
struct Kernel {
    /// run(map, name, function) → result of the chunk, in the environment of that name.
    run: Function,
    /// fire(map, name, hook)
    fire: Function,
    /// copy(from name, map, name)
    copy_hooks: Function,
    /// plain_map(environment) → its map or nil
    plain_map: Function,
    /// The environments, by their names.
    environments: Table,
    /// The hooks of all maps, by their kinds.
    global_hooks: Table,
}

/// A kind of hooks.
#[derive(Clone, Copy)]
pub(crate) struct Hook {
    name: &'static str,
    /// What an environment has its own under.
    own: &'static str,
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Hook {
    pub(crate) const PRE_MAIN: Hook = Hook { name: "pre_main", own: "HOOK_pre_main" };
    pub(crate) const POST_MAIN: Hook = Hook { name: "post_main", own: "HOOK_post_main" };
    pub(crate) const POST_PLACE: Hook = Hook { name: "post_place", own: "HOOK_post_place" };
    pub(crate) const PRE_EPILOGUE: Hook = Hook { name: "pre_epilogue", own: "HOOK_pre_epilogue" };
    pub(crate) const POST_EPILOGUE: Hook =
        Hook { name: "post_epilogue", own: "HOOK_post_epilogue" };
}

/// Loads the kernel over whatever the data root's own library has defined.
pub(crate) fn install(interpreter: &Interpreter) -> mlua::Result<()> {
    let lua = interpreter.lua();
    let build: Function =
        lua.load(include_str!("../../lua/kernel.lua")).set_name("=kernel.lua").into_function()?;
    let lookup = lua.create_function(|lua, parts: (Table, Table, Table, Function)| {
        let (first, second, binding, otherwise) = parts;
        let binding = Binding {
            bind: binding.raw_get("bind")?,
            object: binding.raw_get("object")?,
            bound: binding.raw_get("bound")?,
        };
        lookup(lua, &first, &second, &binding, &otherwise)
    })?;
    let is_bound = is_bound(lua, &["mapgrd", "wrapped_instance"])?;
    let kernel: Table = build.call((lookup, is_bound, with_room(lua)?))?;
    lua.set_app_data(Kernel {
        run: kernel.raw_get("run")?,
        fire: kernel.raw_get("fire")?,
        copy_hooks: kernel.raw_get("copy_hooks")?,
        plain_map: kernel.raw_get("plain_map")?,
        environments: kernel.raw_get("environments")?,
        global_hooks: kernel.raw_get("global_hooks")?,
    });
    Ok(())
}

fn function(lua: &Lua, pick: impl FnOnce(&Kernel) -> &Function) -> mlua::Result<Function> {
    let kernel = lua.app_data_ref::<Kernel>();
    let kernel = kernel.ok_or_else(|| mlua::Error::runtime("no map environment exists yet"))?;
    Ok(pick(&kernel).clone())
}

/// Returns what scripts have for the current map: one and the same in all that runs inside each
/// other, so that what an environment has bound to it stays.
pub(crate) fn current_object(lua: &Lua, host: &mut Host) -> mlua::Result<Option<AnyUserData>> {
    let Some(current) = &mut host.roll.current else { return Ok(None) };
    if current.object.is_none() {
        current.object = Some(lua.create_userdata(MapRef(Rc::clone(&current.map)))?);
    }
    Ok(current.object.clone())
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
    host.with_current(map, |host| {
        let object = current_object(lua, host)?;
        host.lend(|| run.call((object, name, chunk)))
    })
}

/// Fires a hook of the map.
pub(crate) fn fire_hook(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    hook: Hook,
) -> mlua::Result<()> {
    // Few maps have any.
    if !has_hook(lua, &map.def.borrow().name, hook) {
        return Ok(());
    }
    let fire = function(lua, |kernel| &kernel.fire)?;
    let name = map.def.borrow().name.clone();
    host.with_current(map, |host| {
        let object = current_object(lua, host)?;
        host.lend(|| fire.call((object, name, hook.name)))
    })
}

/// Returns whether firing a hook of a map runs anything, or fails.
pub(crate) fn has_hook(lua: &Lua, name: &str, hook: Hook) -> bool {
    lua.app_data_ref::<Kernel>().is_some_and(|kernel| {
        holds(&kernel.environments, &[name, hook.own]) || holds(&kernel.global_hooks, &[hook.name])
    })
}

/// Returns whether hooks for all maps are registered that run before or after their main chunk.
pub(crate) fn has_main_hooks(lua: &Lua) -> bool {
    lua.app_data_ref::<Kernel>().is_some_and(|kernel| {
        [Hook::PRE_MAIN, Hook::POST_MAIN].iter().any(|it| holds(&kernel.global_hooks, &[it.name]))
    })
}

/// Discards the environment of a name.
pub(crate) fn flush_environment(lua: &Lua, name: &str) {
    let Some(kernel) = lua.app_data_ref::<Kernel>() else { return };
    if holds(&kernel.environments, &[name]) {
        // Removing an entry of a table cannot fail.
        let _ = kernel.environments.raw_set(name, Value::Nil);
    }
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
