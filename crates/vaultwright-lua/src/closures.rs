//! What Lua functions hold: their upvalues, read and replaced.

use std::ffi::{CStr, c_int};

use mlua::ffi;
use mlua::{Function, Lua, Result, Value};

/// Returns the upvalues of a Lua function, by name; none for functions of the host.
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

/// Gives the upvalue of a number, from 1, another value; nothing happens where there is none.
pub fn set_upvalue(lua: &Lua, function: &Function, number: usize, value: &Function) -> Result<()> {
    let number = c_int::try_from(number).unwrap_or(c_int::MAX);
    // SAFETY: the function is the first argument; a number that it has not is refused.
    unsafe {
        lua.exec_raw((function, value), |state| {
            ffi::lua_setupvalue(state, 1, number);
            ffi::lua_settop(state, 0);
        })
    }
}

/// Gives an upvalue of a Lua function another value; the one it had, or none if it has no function
/// as an upvalue of this name.
pub fn replace_upvalue(
    lua: &Lua,
    function: &Function,
    name: &CStr,
    value: impl FnOnce(Function) -> Result<Function>,
) -> Result<bool> {
    let mut number = 0;
    // SAFETY: the index is that of an upvalue that has just been found.
    let old = unsafe {
        lua.exec_raw::<Option<Function>>(function, |state| {
            let mut index = 1;
            loop {
                let found = ffi::lua_getupvalue(state, 1, index);
                if found.is_null() {
                    ffi::lua_pushnil(state);
                    break;
                }
                if CStr::from_ptr(found) == name && ffi::lua_isfunction(state, -1) != 0 {
                    number = index as usize;
                    break;
                }
                ffi::lua_pop(state, 1);
                index += 1;
            }
            ffi::lua_remove(state, 1);
        })?
    };
    let Some(old) = old else { return Ok(false) };
    set_upvalue(lua, function, number, &value(old)?)?;
    Ok(true)
}
