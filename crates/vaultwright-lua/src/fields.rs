//! Setting fields of the table on top of the stack, whose names lie elsewhere on it, counted from
//! below: to make a text takes longer than to set a field.
//!
//! For all functions here the state must be that of the function that runs, with room for three
//! values and a table on top.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

/// # Safety
/// See the head of this file.
pub(crate) unsafe fn set_flag(state: *mut lua_State, name: c_int, flag: bool) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, name);
        ffi::lua_pushboolean(state, flag.into());
        ffi::lua_rawset(state, -3);
    }
}

/// # Safety
/// See the head of this file.
pub(crate) unsafe fn set_number(state: *mut lua_State, name: c_int, number: f64) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, name);
        ffi::lua_pushnumber(state, number);
        ffi::lua_rawset(state, -3);
    }
}

/// Sets a field to a value elsewhere on the stack.
///
/// # Safety
/// See the head of this file.
pub(crate) unsafe fn set_value(state: *mut lua_State, name: c_int, value: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, name);
        ffi::lua_pushvalue(state, value);
        ffi::lua_rawset(state, -3);
    }
}

/// Sets a field to that of a table elsewhere on the stack.
///
/// # Safety
/// See the head of this file. There must be a table at the other index.
pub(crate) unsafe fn set_field_of(state: *mut lua_State, name: c_int, table: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, name);
        ffi::lua_pushvalue(state, name);
        ffi::lua_rawget(state, table);
        ffi::lua_rawset(state, -3);
    }
}
