//! `pairs` and `ipairs` of Lua 5.4, which ask metatables.

use std::ffi::{CStr, c_int};

use mlua::Function;
use mlua::ffi::{self, lua_CFunction, lua_State};
use mlua::{Lua, Result};

/// What goes on from one element to the next: the interpreter's own, as 5.1 has it.
const NEXT: c_int = ffi::lua_upvalueindex(1);
/// Of `ipairs` what goes on by `__index`.
const STEP: c_int = ffi::lua_upvalueindex(2);

/// Replaces both. `step` is given a list and the number of an element, and returns the number and
/// value of the next.
pub(crate) fn install(lua: &Lua, step: &Function) -> Result<()> {
    // SAFETY: a function that has no upvalue is left as it is.
    unsafe {
        lua.exec_raw::<()>(step, |state| {
            for (name, function) in
                [(c"pairs", pairs as lua_CFunction), (c"ipairs", ipairs as lua_CFunction)]
            {
                ffi::lua_getglobal(state, name.as_ptr());
                if !ffi::lua_getupvalue(state, -1, 1).is_null() {
                    ffi::lua_pushvalue(state, 1);
                    ffi::lua_pushcclosure(state, function, 2);
                    ffi::lua_setglobal(state, name.as_ptr());
                }
                ffi::lua_settop(state, 1);
            }
            ffi::lua_settop(state, 0);
        })
    }
}

unsafe extern "C-unwind" fn pairs(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        if ffi::luaL_getmetafield(state, 1, c"__pairs".as_ptr()) != 0 {
            ffi::lua_pushvalue(state, 1);
            ffi::lua_call(state, 1, 3);
            return 3;
        }
        if ffi::lua_type(state, 1) != ffi::LUA_TTABLE {
            return expects_a_table(state, c"pairs");
        }
        ffi::lua_pushvalue(state, NEXT);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_pushnil(state);
        3
    }
}

unsafe extern "C-unwind" fn ipairs(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let kind = ffi::lua_type(state, 1);
        let by_index = || ffi::luaL_getmetafield(state, 1, c"__index".as_ptr()) != 0;
        let next = match kind {
            ffi::LUA_TTABLE if by_index() => STEP,
            ffi::LUA_TTABLE => NEXT,
            kind if kind != ffi::LUA_TSTRING && by_index() => STEP,
            _ => return expects_a_table(state, c"ipairs"),
        };
        ffi::lua_pushvalue(state, next);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_pushnumber(state, 0.0);
        3
    }
}

/// Raises the error for the first argument, at the line of the caller.
///
/// # Safety
/// As [`fail`](super::call::fail).
unsafe fn expects_a_table(state: *mut lua_State, name: &CStr) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        let kind = ffi::lua_type(state, 1);
        let got = match kind {
            ffi::LUA_TNONE => c"no value".as_ptr(),
            kind => ffi::lua_typename(state, kind),
        };
        ffi::luaL_where(state, 1);
        for part in [c"bad argument #1 to '", name, c"' (table expected, got "] {
            ffi::lua_pushstring(state, part.as_ptr());
        }
        ffi::lua_pushstring(state, got);
        ffi::lua_pushstring(state, c")".as_ptr());
        ffi::lua_concat(state, 6);
        ffi::lua_error(state)
    }
}
