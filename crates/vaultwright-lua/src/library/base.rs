//! Functions that are globals, and the table `coroutine`.

use std::ffi::{CStr, c_int, c_void};
use std::{ptr, slice};

use mlua::ffi::{self, lua_State};

use super::call::{bad_argument, fail, push, value_text, whole, whole_or};
use super::host_error::seen;
use super::{Functions, WRAPPED, meter};
use crate::meter::{Meter, Spent};

pub(super) const FUNCTIONS: Functions = &[
    (c"pcall", pcall),
    (c"select", select),
    (c"setfenv", setfenv),
    (c"tostring", tostring),
    (c"unpack", unpack),
    (c"xpcall", xpcall),
];

/// Where the registry keeps the numbers that `tostring` has given to objects.
static NUMBERS: u8 = 0;
/// Where it keeps how many snapshots had been taken when a coroutine began.
static BEGINNINGS: u8 = 0;

/// How much a coroutine costs: each of them counts its instructions from the start.
const COROUTINE: u64 = 1000;

/// How much an error of a host function costs that a script catches: it knows where it happened.
const HOST_ERROR: u64 = 5000;

/// Sets up what is more than one function.
///
/// # Safety
/// The state must be a new one; its stack must be empty.
pub(super) unsafe fn install(state: *mut lua_State, meter: *mut c_void) {
    // SAFETY: upheld by the caller.
    unsafe {
        for key in [&raw const NUMBERS, &raw const BEGINNINGS] {
            weak_table(state);
            ffi::lua_rawsetp(state, ffi::LUA_REGISTRYINDEX, key.cast());
        }
        ffi::lua_getglobal(state, c"table".as_ptr());
        ffi::lua_getglobal(state, c"unpack".as_ptr());
        ffi::lua_setfield(state, -2, c"unpack".as_ptr());
        ffi::lua_getglobal(state, c"coroutine".as_ptr());
        let table = ffi::lua_gettop(state);
        let function = |name: &CStr, function: ffi::lua_CFunction, wrapped: &CStr| {
            ffi::lua_pushlightuserdata(state, meter);
            ffi::lua_getfield(state, table, wrapped.as_ptr());
            ffi::lua_pushcclosure(state, function, 2);
            ffi::lua_setfield(state, table, name.as_ptr());
        };
        // Before `create` is replaced, which it wraps.
        function(c"wrap", wrap, c"resume");
        function(c"create", create, c"create");
        function(c"resume", resume, c"resume");
        ffi::lua_settop(state, 0);
    }
}

/// Pushes a table whose keys are held by others.
///
/// # Safety
/// The state must be that of the function that runs, with room on its stack.
unsafe fn weak_table(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_createtable(state, 0, 0);
        ffi::lua_createtable(state, 0, 1);
        ffi::lua_pushstring(state, c"k".as_ptr());
        ffi::lua_setfield(state, -2, c"__mode".as_ptr());
        ffi::lua_setmetatable(state, -2);
    }
}

unsafe extern "C-unwind" fn unpack(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        let first = i64::from(whole_or(state, 2, 1) as i32);
        let last = match ffi::lua_isnoneornil(state, 3) {
            0 => i64::from(whole(state, 3) as i32),
            _ => ffi::lua_objlen(state, 1) as i64,
        };
        if first > last {
            return 0;
        }
        let count = last - first + 1;
        let room = c_int::try_from(count).ok().filter(|&n| ffi::lua_checkstack(state, n) != 0);
        let Some(count) = room else { fail(state, c"too many results to unpack") };
        meter(state).charge(state, count as u64 / 4);
        for number in first..=last {
            ffi::lua_rawgeti_(state, 1, number as c_int);
        }
        count
    }
}

unsafe extern "C-unwind" fn select(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let count = i64::from(ffi::lua_gettop(state));
        if ffi::lua_type(state, 1) == ffi::LUA_TSTRING && value_text(state, 1).starts_with(b"#") {
            ffi::lua_pushinteger(state, count as ffi::lua_Integer - 1);
            return 1;
        }
        let number = i64::from(whole(state, 1) as i32);
        let number = if number < 0 { count + number } else { number.min(count) };
        if number < 1 {
            bad_argument(state, 1, c"index out of range");
        }
        (count - number) as c_int
    }
}

/// The interpreter's own, which counts the functions that have called: it runs in this one's place.
unsafe extern "C-unwind" fn setfenv(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let meter = meter(state);
        let is_function = ffi::lua_type(state, 1) == ffi::LUA_TFUNCTION;
        if !is_function || meter.watches_environment(ffi::lua_topointer(state, 1)) {
            meter.environments_set.set(true);
        }
        match ffi::lua_tocfunction(state, WRAPPED) {
            Some(own) => own(state),
            None => 0,
        }
    }
}

unsafe extern "C-unwind" fn pcall(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checkany(state, 1);
        let arguments = ffi::lua_gettop(state) - 1;
        if ffi::lua_pcall(state, arguments, ffi::LUA_MULTRET, 0) != ffi::LUA_OK {
            if ffi::lua_type(state, -1) == ffi::LUA_TUSERDATA {
                // The wrapped function passes on what is no error, but a fault of ours.
                ffi::lua_pushvalue(state, WRAPPED);
                ffi::lua_pushcfunction(state, raise);
                ffi::lua_pushvalue(state, -3);
                ffi::lua_call(state, 2, 0);
            }
            return caught(state);
        }
        one_more(state);
        ffi::lua_pushboolean(state, 1);
        ffi::lua_insert(state, 1);
        ffi::lua_gettop(state)
    }
}

unsafe extern "C-unwind" fn raise(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { ffi::lua_error(state) }
}

/// With arguments behind the handler, as later versions of Lua have it; 5.1 drops them.
unsafe extern "C-unwind" fn xpcall(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checkany(state, 2);
        if !meter(state).only_whole.get() {
            ffi::lua_settop(state, 2);
        }
        let arguments = ffi::lua_gettop(state) - 2;
        one_more(state);
        // The handler with what it needs, in the place of the function and before it.
        ffi::lua_pushlightuserdata(state, meter(state).address());
        ffi::lua_pushvalue(state, 2);
        ffi::lua_pushcclosure(state, handle, 2);
        ffi::lua_replace(state, 2);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_insert(state, 3);
        if ffi::lua_pcall(state, arguments, ffi::LUA_MULTRET, 2) != ffi::LUA_OK {
            return caught(state);
        }
        one_more(state);
        ffi::lua_pushboolean(state, 1);
        ffi::lua_replace(state, 2);
        ffi::lua_gettop(state) - 1
    }
}

/// Makes room for a few more values behind as many as there were arguments or results.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn one_more(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_checkstack(state, 3) == 0 {
            fail(state, c"stack overflow");
        }
    }
}

/// What a script sees of an error: false and the message, which is on top; nothing if all is over.
///
/// # Safety
/// The state must be that of the function that runs, with the error on top.
unsafe fn caught(state: *mut lua_State) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        as_text(state);
        give_up_if_spent(state);
        ffi::lua_pushboolean(state, 0);
        ffi::lua_insert(state, -2);
        2
    }
}

/// The handler of `xpcall`, in the function's stead; it does not see the error that ends all.
unsafe extern "C-unwind" fn handle(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::lua_settop(state, 1);
        if meter(state).spent().is_some() {
            return 1;
        }
        as_text(state);
        if is_of_memory(state) {
            return 1;
        }
        ffi::lua_pushvalue(state, WRAPPED);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, 1, 1);
        1
    }
}

/// Makes text of an error on top that is neither text nor a table: those of host functions reach
/// scripts as text, as in the reference.
///
/// # Safety
/// The state must be that of the function that runs, with the error on top.
unsafe fn as_text(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let kind = ffi::lua_type(state, -1);
        if ![ffi::LUA_TSTRING, ffi::LUA_TTABLE, ffi::LUA_TNIL].contains(&kind) {
            ffi::luaL_checkstack(state, 10, ptr::null());
            push_tostring(state, ffi::lua_gettop(state));
            ffi::lua_remove(state, -2);
            if kind == ffi::LUA_TUSERDATA {
                meter(state).take(HOST_ERROR);
                told_to_scripts(state);
            }
        }
    }
}

/// Makes of the text on top, an error of a host function, what a script sees of it.
///
/// # Safety
/// The state must be that of the function that runs, with room for ten values.
unsafe fn told_to_scripts(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let mut length = 0;
        let text = ffi::lua_tolstring(state, -1, &mut length);
        if text.is_null() {
            return;
        }
        // The text stays on the stack until what is made of it is there.
        let Ok(text) = str::from_utf8(slice::from_raw_parts(text.cast(), length)) else { return };
        let pieces = seen(text);
        for piece in pieces {
            push(state, piece.as_bytes());
        }
        ffi::lua_concat(state, pieces.len() as c_int);
        ffi::lua_replace(state, -2);
    }
}

/// Passes the error on top on if it may not be caught.
///
/// # Safety
/// The state must be that of the function that runs, with the error on top.
unsafe fn give_up_if_spent(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let meter = Meter::of(state);
        if is_of_memory(state) {
            meter.end(Spent::Memory);
        }
        if meter.spent().is_some() {
            meter.hurry(state);
            ffi::lua_error(state);
        }
    }
}

/// Whether the error on top says that there is no memory: that of the interpreter has no other mark
/// once a function of the host has passed it on.
///
/// # Safety
/// The state must be that of the function that runs, with the error on top.
unsafe fn is_of_memory(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_type(state, -1) != ffi::LUA_TSTRING {
            return false;
        }
        let (message, words) = (value_text(state, -1), Spent::Memory.message().as_bytes());
        message.len() < 10_000 && message.windows(words.len()).any(|window| window == words)
    }
}

unsafe extern "C-unwind" fn tostring(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        ffi::luaL_checkany(state, 1);
        push_tostring(state, 1);
        1
    }
}

/// Pushes a value as text. Objects are numbered in the order in which they are asked for: their
/// addresses differ from run to run, and are nobody's business.
///
/// # Safety
/// The state must be that of the function that runs, with a value at the index.
unsafe fn push_tostring(state: *mut lua_State, index: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::luaL_callmeta(state, index, c"__tostring".as_ptr()) != 0 {
            return;
        }
        match ffi::lua_type(state, index) {
            ffi::LUA_TSTRING => ffi::lua_pushvalue(state, index),
            ffi::LUA_TNUMBER => {
                ffi::lua_pushvalue(state, index);
                value_text(state, -1);
            }
            ffi::LUA_TBOOLEAN => {
                let yes = ffi::lua_toboolean(state, index) != 0;
                ffi::lua_pushstring(state, if yes { c"true" } else { c"false" }.as_ptr());
            }
            ffi::LUA_TNIL => {
                ffi::lua_pushstring(state, c"nil".as_ptr());
            }
            _ => {
                let kind = ffi::luaL_typename(state, index);
                let number = object_number(state, index);
                ffi::lua_pushfstring(state, c"%s: #%d".as_ptr(), kind, number);
            }
        }
    }
}

/// # Safety
/// The state must be that of the function that runs, with a value at the index.
unsafe fn object_number(state: *mut lua_State, index: c_int) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        let meter = Meter::of(state);
        ffi::lua_rawgetp(state, ffi::LUA_REGISTRYINDEX, (&raw const NUMBERS).cast());
        ffi::lua_pushvalue(state, index);
        ffi::lua_rawget_(state, -2);
        let mut number = ffi::lua_tonumber(state, -1) as c_int;
        ffi::lua_pop(state, 1);
        if number == 0 {
            number = meter.numbered.get() as c_int + 1;
            ffi::lua_pushvalue(state, index);
            ffi::lua_pushinteger(state, number as ffi::lua_Integer);
            ffi::lua_rawset(state, -3);
            meter.numbered.set(number as u32);
        }
        ffi::lua_pop(state, 1);
        number
    }
}

/// Numbers objects from the start again.
///
/// # Safety
/// There must be room on the stack.
pub(crate) unsafe fn forget_numbers(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let meter = Meter::of(state);
        if meter.numbered.replace(0) > 0 {
            weak_table(state);
            ffi::lua_rawsetp(state, ffi::LUA_REGISTRYINDEX, (&raw const NUMBERS).cast());
        }
    }
}

unsafe extern "C-unwind" fn create(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        begin(state);
        1
    }
}

/// Leaves a new coroutine of the function that is the first argument on top.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn begin(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let meter = meter(state);
        meter.charge(state, COROUTINE);
        if ffi::lua_type(state, 1) != ffi::LUA_TFUNCTION || ffi::lua_iscfunction(state, 1) != 0 {
            bad_argument(state, 1, c"Lua function expected");
        }
        let thread = ffi::lua_newthread(state);
        meter.note_coroutine(thread);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_xmove(state, thread, 1);
        ffi::lua_rawgetp(state, ffi::LUA_REGISTRYINDEX, (&raw const BEGINNINGS).cast());
        ffi::lua_pushvalue(state, -2);
        ffi::lua_pushinteger(state, meter.snapshots.get() as ffi::lua_Integer + 1);
        ffi::lua_rawset(state, -3);
        ffi::lua_pop(state, 1);
    }
}

/// Refuses a coroutine that began before the last snapshot: where it stands cannot be put back, so
/// one map would change what the next one sees.
///
/// # Safety
/// The state must be that of the function that runs, with a value at the index.
unsafe fn is_older_than_snapshot(state: *mut lua_State, index: c_int) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, index);
        ffi::lua_rawgetp(state, ffi::LUA_REGISTRYINDEX, (&raw const BEGINNINGS).cast());
        ffi::lua_insert(state, -2);
        ffi::lua_rawget_(state, -2);
        let began = ffi::lua_tonumber(state, -1) as u32;
        ffi::lua_pop(state, 2);
        began != 0 && began <= meter(state).snapshots.get()
    }
}

const TOO_OLD: &CStr =
    c"cannot resume a coroutine of a prelude: maps would see how far others went";

unsafe extern "C-unwind" fn resume(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        if ffi::lua_type(state, 1) != ffi::LUA_TTHREAD {
            bad_argument(state, 1, c"coroutine expected");
        }
        if is_older_than_snapshot(state, 1) {
            ffi::lua_pushboolean(state, 0);
            ffi::lua_pushstring(state, TOO_OLD.as_ptr());
            return 2;
        }
        let arguments = ffi::lua_gettop(state);
        one_more(state);
        ffi::lua_pushvalue(state, WRAPPED);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, arguments, ffi::LUA_MULTRET);
        if ffi::lua_toboolean(state, 1) == 0 {
            return caught(state);
        }
        ffi::lua_gettop(state)
    }
}

unsafe extern "C-unwind" fn wrap(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        begin(state);
        // The account, the interpreter's own `resume`, the coroutine.
        ffi::lua_pushlightuserdata(state, meter(state).address());
        ffi::lua_insert(state, -2);
        ffi::lua_pushvalue(state, WRAPPED);
        ffi::lua_insert(state, -2);
        ffi::lua_pushcclosure(state, wrapped, 3);
        1
    }
}

unsafe extern "C-unwind" fn wrapped(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let coroutine = ffi::lua_upvalueindex(3);
        if is_older_than_snapshot(state, coroutine) {
            fail(state, TOO_OLD);
        }
        let arguments = ffi::lua_gettop(state) + 1;
        one_more(state);
        ffi::lua_pushvalue(state, coroutine);
        ffi::lua_insert(state, 1);
        ffi::lua_pushvalue(state, WRAPPED);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, arguments, ffi::LUA_MULTRET);
        if ffi::lua_toboolean(state, 1) != 0 {
            return ffi::lua_gettop(state) - 1;
        }
        // An error of a host function stays what it is: it knows where it happened.
        if ffi::lua_type(state, -1) == ffi::LUA_TSTRING {
            give_up_if_spent(state);
            ffi::luaL_where(state, 1);
            ffi::lua_insert(state, -2);
            ffi::lua_concat(state, 2);
        }
        ffi::lua_error(state)
    }
}
