//! The table `table`.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use super::call::{Buffer, bad_argument, fail, value_text, whole, whole_or};
use super::{Functions, WRAPPED, meter};
use crate::layout::{Shift, set_element, shift_elements, touch};

pub(super) const FUNCTIONS: Functions = &[
    (c"concat", concat),
    (c"foreach", foreach),
    (c"foreachi", foreachi),
    (c"getn", getn),
    (c"insert", insert),
    (c"maxn", maxn),
    (c"remove", remove),
    (c"setn", setn),
    (c"sort", sort),
];

/// How many values are moved for the price of an instruction.
const MOVES: u64 = 4;

/// Pays for moving or looking at values.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn charge_moves(state: *mut lua_State, values: i64) {
    let values = u64::try_from(values).unwrap_or(0);
    // SAFETY: upheld by the caller.
    unsafe { meter(state).charge(state, values / MOVES) }
}

/// The length of the table that is the first argument.
///
/// # Safety
/// The state must be that of the function that runs, with a table as its first argument.
unsafe fn length(state: *mut lua_State) -> i64 {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::lua_objlen(state, 1) as i64
    }
}

/// A whole number as the library of C takes it: with 32 bits.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn short(state: *mut lua_State, argument: c_int) -> i64 {
    // SAFETY: upheld by the caller.
    unsafe { (whole(state, argument) as i32).into() }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn short_or(state: *mut lua_State, argument: c_int, missing: i64) -> i64 {
    // SAFETY: upheld by the caller.
    unsafe { (whole_or(state, argument, missing) as i32).into() }
}

/// Pushes the element of a number that fits into 32 bits.
///
/// # Safety
/// The state must be that of the function that runs, with a table as its first argument.
unsafe fn get(state: *mut lua_State, number: i64) {
    // SAFETY: upheld by the caller.
    unsafe { ffi::lua_rawgeti_(state, 1, number as c_int) }
}

/// Pops the element of a number that fits into 32 bits.
///
/// # Safety
/// The state must be that of the function that runs, with a table as its first argument.
unsafe fn set(state: *mut lua_State, number: i64) {
    // SAFETY: upheld by the caller.
    unsafe { set_element(state, 1, number as c_int) }
}

unsafe extern "C-unwind" fn getn(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let length = length(state);
        ffi::lua_pushinteger(state, length as ffi::lua_Integer);
        1
    }
}

unsafe extern "C-unwind" fn setn(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        length(state);
        fail(state, c"'setn' is obsolete")
    }
}

unsafe extern "C-unwind" fn insert(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let end = length(state) + 1;
        let at = match ffi::lua_gettop(state) {
            2 => end,
            3 => {
                let at = short(state, 2);
                let is_inside = at >= 1 && at <= end;
                if !is_inside && meter(state).only_whole.get() {
                    check_bounds(state, at, 1, end);
                }
                charge_moves(state, end - at);
                let table = ffi::lua_topointer(state, 1).cast_mut();
                if !shift_elements(table, at, end - 1, Shift::Up) {
                    for number in (at..end).rev() {
                        get(state, number);
                        set(state, number + 1);
                    }
                }
                at
            }
            _ => fail(state, c"wrong number of arguments to 'insert'"),
        };
        set(state, at);
        0
    }
}

unsafe extern "C-unwind" fn remove(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let end = length(state);
        let at = short_or(state, 2, end);
        if at < 1 || at > end {
            return if meter(state).only_whole.get() { remove_outside(state, at, end) } else { 0 };
        }
        charge_moves(state, end - at);
        get(state, at);
        let table = ffi::lua_topointer(state, 1).cast_mut();
        if !shift_elements(table, at + 1, end, Shift::Down) {
            for number in at..end {
                get(state, number + 1);
                set(state, number);
            }
        }
        ffi::lua_pushnil(state);
        set(state, end);
        1
    }
}

/// Removes what is not an element, as Lua 5.4 does: what is right behind the last one, or of no
/// element at all what has the number 0.
///
/// # Safety
/// The state must be that of the function that runs, with a table as its first argument.
unsafe fn remove_outside(state: *mut lua_State, at: i64, end: i64) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        get(state, 1);
        let is_empty = ffi::lua_type(state, -1) == ffi::LUA_TNIL;
        ffi::lua_pop(state, 1);
        check_bounds(state, at, i64::from(!is_empty), end + 1);
        if at < 0 || at > end + 1 {
            return 0;
        }
        get(state, at);
        ffi::lua_pushnil(state);
        set(state, at);
        1
    }
}

/// Refuses a place, the second argument, that is out of bounds whatever length a table with gaps
/// is said to have. That of a table with a metatable is not known here.
///
/// # Safety
/// The state must be that of the function that runs, with a table as its first argument.
unsafe fn check_bounds(state: *mut lua_State, at: i64, first: i64, last: i64) {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_getmetatable(state, 1) != 0 {
            ffi::lua_pop(state, 1);
        } else if at < first || at > last && greatest_key(state) <= last as f64 {
            bad_argument(state, 2, c"position out of bounds");
        }
    }
}

unsafe extern "C-unwind" fn maxn(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        let most = greatest_key(state);
        ffi::lua_pushnumber(state, most);
        1
    }
}

/// Returns the greatest number that is a key, 0 if there is none above.
///
/// # Safety
/// The state must be that of the function that runs, with a table as its first argument.
unsafe fn greatest_key(state: *mut lua_State) -> f64 {
    // SAFETY: upheld by the caller.
    unsafe {
        let mut most = 0.0;
        let mut pairs = 0;
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 1) != 0 {
            ffi::lua_pop(state, 1);
            pairs += 1;
            if ffi::lua_type(state, -1) == ffi::LUA_TNUMBER {
                most = f64::max(most, ffi::lua_tonumber(state, -1));
            }
        }
        charge_moves(state, pairs);
        most
    }
}

unsafe extern "C-unwind" fn foreach(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        ffi::luaL_checktype(state, 2, ffi::LUA_TFUNCTION);
        let meter = meter(state);
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 1) != 0 {
            meter.charge(state, 4);
            ffi::lua_pushvalue(state, 2);
            ffi::lua_pushvalue(state, -3);
            ffi::lua_pushvalue(state, -3);
            ffi::lua_call(state, 2, 1);
            if ffi::lua_type(state, -1) != ffi::LUA_TNIL {
                return 1;
            }
            ffi::lua_pop(state, 2);
        }
        0
    }
}

unsafe extern "C-unwind" fn foreachi(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let length = length(state);
        ffi::luaL_checktype(state, 2, ffi::LUA_TFUNCTION);
        let meter = meter(state);
        for number in 1..=length {
            meter.charge(state, 4);
            ffi::lua_pushvalue(state, 2);
            ffi::lua_pushinteger(state, number as ffi::lua_Integer);
            get(state, number);
            ffi::lua_call(state, 2, 1);
            if ffi::lua_type(state, -1) != ffi::LUA_TNIL {
                return 1;
            }
            ffi::lua_pop(state, 1);
        }
        0
    }
}

unsafe extern "C-unwind" fn concat(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let separator = match ffi::lua_isnoneornil(state, 2) {
            0 => super::call::text(state, 2),
            _ => b"",
        };
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        let first = short_or(state, 3, 1);
        let last = match ffi::lua_isnoneornil(state, 4) {
            0 => short(state, 4),
            _ => length(state),
        };
        let meter = meter(state);
        let mut buffer = Buffer::new(state);
        for number in first..=last {
            get(state, number);
            if ffi::lua_isstring(state, -1) == 0 {
                let kind = ffi::luaL_typename(state, -1);
                let format = c"invalid value (%s) at index %d in table for 'concat'".as_ptr();
                ffi::luaL_error(state, format, kind, number as c_int);
            }
            let part = value_text(state, -1);
            meter.charge(state, 1 + (part.len() + separator.len()) as u64 / 16);
            buffer.add(part);
            if number < last {
                buffer.add(separator);
            }
            ffi::lua_pop(state, 1);
        }
        buffer.push();
        1
    }
}

/// The interpreter's own sort, since the order of equal elements is its own, too; but each
/// comparison is paid for.
unsafe extern "C-unwind" fn sort(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        length(state);
        let by_function = ffi::lua_isnoneornil(state, 2) == 0;
        if by_function {
            ffi::luaL_checktype(state, 2, ffi::LUA_TFUNCTION);
        }
        ffi::lua_settop(state, 2);
        // What is wrapped sets elements by their number.
        touch(ffi::lua_topointer(state, 1));
        ffi::lua_pushvalue(state, WRAPPED);
        ffi::lua_insert(state, 1);
        ffi::lua_pushlightuserdata(state, meter(state).address());
        ffi::lua_insert(state, -2);
        ffi::lua_pushcclosure(state, if by_function { by_caller } else { less }, 2);
        ffi::lua_call(state, 2, 0);
        0
    }
}

unsafe extern "C-unwind" fn less(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        meter(state).charge(state, 2);
        let less = ffi::lua_lessthan(state, 1, 2);
        ffi::lua_pushboolean(state, less);
        1
    }
}

unsafe extern "C-unwind" fn by_caller(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        meter(state).charge(state, 4);
        ffi::lua_pushvalue(state, WRAPPED);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, 2, 1);
        1
    }
}
