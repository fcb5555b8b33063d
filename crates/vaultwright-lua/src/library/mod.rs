//! The library of Lua 5.1 as scripts see it: what takes counts, indexes or patterns, or could go on
//! when the account is empty, is done here instead of in the interpreter's C code.
//!
//! The functions replace the interpreter's own before any script runs, so that no script ever holds
//! one of those. They behave as those do, which the tests compare, but every one is bounded, and
//! its work is taken from the account of [`Meter`].

mod base;
mod call;
mod format;
mod host_error;
pub(crate) mod iteration_54;
mod lists;
mod matching;
mod pattern;
mod substitution;
mod table;
mod text;

use std::ffi::{CStr, c_int};

use mlua::Lua;
use mlua::ffi::{self, lua_CFunction, lua_State};

use crate::meter::Meter;

pub(crate) use base::forget_numbers;
pub(crate) use pattern::Scratch;

/// Replaces the functions of a state. To be called before any script runs.
pub(crate) fn install(lua: &Lua, meter: &Meter) -> mlua::Result<()> {
    let meter = meter.address();
    // SAFETY: the account lives as long as the state, and the functions keep to the rules of
    // `call`.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            for (table, functions) in [
                (c"_G", base::FUNCTIONS),
                (c"string", text::FUNCTIONS),
                (c"table", table::FUNCTIONS),
            ] {
                ffi::lua_getglobal(state, table.as_ptr());
                for &(name, function) in functions {
                    ffi::lua_pushlightuserdata(state, meter);
                    // What a function wraps is the second upvalue.
                    ffi::lua_getfield(state, -2, name.as_ptr());
                    ffi::lua_pushcclosure(state, function, 2);
                    ffi::lua_setfield(state, -2, name.as_ptr());
                }
                ffi::lua_settop(state, 0);
            }
            base::install(state, meter);
            lists::install(state);
        })
    }
}

/// Replaces functions by those of Lua 5.4. To be called behind [`install`], before any
/// script runs.
pub(crate) fn install_54(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: what is replaced is of this library, so that its first upvalue is the account.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            Meter::of(state).only_whole.set(true);
            ffi::lua_getglobal(state, c"string".as_ptr());
            for &(name, function) in text::FUNCTIONS_54 {
                ffi::lua_getfield(state, -1, name.as_ptr());
                if !ffi::lua_getupvalue(state, -1, 1).is_null() {
                    ffi::lua_insert(state, -2);
                    ffi::lua_pushcclosure(state, function, 2);
                    ffi::lua_setfield(state, -2, name.as_ptr());
                }
            }
            ffi::lua_settop(state, 0);
        })
    }
}

/// The functions of a table.
type Functions = &'static [(&'static CStr, lua_CFunction)];

/// The account of the function that runs.
///
/// # Safety
/// The function must be one of this library.
unsafe fn meter<'a>(state: *mut lua_State) -> &'a Meter {
    // SAFETY: upheld by the caller.
    unsafe { &*ffi::lua_touserdata(state, ffi::lua_upvalueindex(1)).cast_const().cast() }
}

/// The place of what a function of this library wraps.
const WRAPPED: c_int = ffi::lua_upvalueindex(2);
