//! `ipairs`: scripts go through lists more often than they do anything else.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use crate::layout::{arguments, push};
use crate::raw_tables::{RawTable, whole};

/// Of `ipairs` the function that goes on; of that one the interpreter's own.
const OTHER: c_int = ffi::lua_upvalueindex(1);

/// Replaces `ipairs`.
///
/// # Safety
/// The state must be a new one; its stack must be empty.
pub(super) unsafe fn install(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_getglobal(state, c"ipairs".as_ptr());
        if !ffi::lua_getupvalue(state, 1, 1).is_null() {
            ffi::lua_pushcclosure(state, next, 1);
            ffi::lua_pushcclosure(state, ipairs, 1);
            ffi::lua_setglobal(state, c"ipairs".as_ptr());
        }
        ffi::lua_settop(state, 0);
    }
}

unsafe extern "C-unwind" fn ipairs(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::lua_pushvalue(state, OTHER);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_pushnumber(state, 0.0);
        3
    }
}

/// Arguments: the list and the number of an element. Returns the number and value of the next.
unsafe extern "C-unwind" fn next(state: *mut lua_State) -> c_int {
    // SAFETY: a function of the host has room for more values than are pushed; nothing runs that
    // could change the list.
    unsafe {
        if let [list, number, ..] = arguments(state)
            && list.kind() == ffi::LUA_TTABLE
            && number.kind() == ffi::LUA_TNUMBER
            && let Some(number) = whole(number.number()).and_then(|number| number.checked_add(1))
            && let Some(list) = RawTable::of(list.address())
        {
            let Some(value) = list.slot(number) else { return 0 };
            ffi::lua_pushnumber(state, number.into());
            push(state, *value);
            return 2;
        }
        // It knows what to say of anything else.
        match ffi::lua_tocfunction(state, OTHER) {
            Some(own) => own(state),
            None => 0,
        }
    }
}
