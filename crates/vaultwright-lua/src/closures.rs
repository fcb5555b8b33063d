//! Upvalues of Lua functions: reading and replacing them.

use std::ffi::{CStr, c_int};

use mlua::ffi;
use mlua::{Function, Lua, Result, Value};

/// Returns the upvalues of a Lua function, by name; empty for functions of the host.
pub fn upvalues(lua: &Lua, function: &Function) -> Result<Vec<(String, Value)>> {
    let mut upvalues = Vec::new();
    loop {
        let number = upvalues.len() as c_int + 1;
        let mut name: Option<&CStr> = None;
        // SAFETY: the function is the argument; names live as long as it does.
        let value = unsafe {
            lua.exec_raw::<Value>(function, |state| {
                let found = ffi::lua_getupvalue(state, 1, number);
                if found.is_null() {
                    ffi::lua_pushnil(state);
                } else {
                    name = Some(CStr::from_ptr(found));
                }
                ffi::lua_remove(state, 1);
            })?
        };
        match name.map(|name| name.to_string_lossy().into_owned()) {
            Some(name) if !name.is_empty() => upvalues.push((name, value)),
            _ => return Ok(upvalues),
        }
    }
}

/// Replaces the upvalue with an index, from 0. Does nothing if there is none.
pub fn set_upvalue(lua: &Lua, function: &Function, index: usize, value: &Function) -> Result<()> {
    let number = c_int::try_from(index).map_or(c_int::MAX, |index| index.saturating_add(1));
    // SAFETY: the function is the first argument; a number that it has not is refused.
    unsafe {
        lua.exec_raw((function, value), |state| {
            ffi::lua_setupvalue(state, 1, number);
            ffi::lua_settop(state, 0);
        })
    }
}

/// Replaces an upvalue of a Lua function. Returns the previous value; `None` if no upvalue with
/// this name is a function.
pub fn replace_upvalue(
    lua: &Lua,
    function: &Function,
    name: &str,
    value: impl FnOnce(Function) -> Result<Function>,
) -> Result<bool> {
    let mut held = upvalues(lua, function)?.into_iter().enumerate();
    let found = held.find_map(|(index, upvalue)| match upvalue {
        (known, Value::Function(old)) if known == name => Some((index, old)),
        _ => None,
    });
    let Some((index, old)) = found else { return Ok(false) };
    set_upvalue(lua, function, index, &value(old)?)?;
    Ok(true)
}
