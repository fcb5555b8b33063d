//! What the functions of the library need of the interpreter: arguments, errors, text that grows.
//!
//! Errors of the interpreter leave a function by a jump over its frame. So no function here, nor
//! any that calls these, may own anything that has to be dropped while it does: text under
//! construction lies in memory of the interpreter ([`Buffer`]), everything else is borrowed or
//! copied.

use std::ffi::{CStr, c_int};
use std::io::Write;
use std::mem::MaybeUninit;

use mlua::ffi::{self, lua_State};

use crate::meter::Meter;

/// An argument as text; numbers are.
///
/// # Safety
/// The state must be that of the function that runs. The text lives as long as the argument stays.
pub(crate) unsafe fn text<'a>(state: *mut lua_State, argument: c_int) -> &'a [u8] {
    // SAFETY: upheld by the caller.
    unsafe {
        let mut length = 0;
        let start = ffi::luaL_checklstring(state, argument, &mut length);
        std::slice::from_raw_parts(start.cast(), length)
    }
}

/// A value that is text or a number, as text.
///
/// # Safety
/// As [`text`]; the value must be text or a number.
pub(crate) unsafe fn value_text<'a>(state: *mut lua_State, index: c_int) -> &'a [u8] {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_type(state, index) == ffi::LUA_TNUMBER {
            spell(state, index);
        }
        let mut length = 0;
        let start = ffi::lua_tolstring(state, index, &mut length);
        std::slice::from_raw_parts(start.cast(), length)
    }
}

/// Makes a number a text where it stands, if it is a whole one of up to fourteen digits: those the
/// interpreter would write the same, by way of a format for fractions.
///
/// # Safety
/// As [`text`]; the value must be a number.
unsafe fn spell(state: *mut lua_State, index: c_int) {
    const MIN_LONG: u64 = 100_000_000_000_000;
    // SAFETY: upheld by the caller.
    unsafe {
        let number = ffi::lua_tonumber(state, index);
        let whole = number as i64;
        let is_negative_zero = whole == 0 && number.is_sign_negative();
        if whole as f64 != number || whole.unsigned_abs() >= MIN_LONG || is_negative_zero {
            return;
        }
        let mut digits = [0; 16];
        let mut free = &mut digits[..];
        // A sign and fourteen digits have room.
        let _ = write!(free, "{whole}");
        let length = 16 - free.len();
        let index = ffi::lua_absindex(state, index);
        ffi::lua_pushlstring(state, digits.as_ptr().cast(), length);
        ffi::lua_replace(state, index);
    }
}

/// An argument as a whole number, cut off as the reference's machine does it; in Lua 5.4 a fraction
/// is a mistake.
///
/// # Safety
/// The state must be that of the function that runs.
pub(crate) unsafe fn whole(state: *mut lua_State, argument: c_int) -> i64 {
    // SAFETY: upheld by the caller.
    unsafe {
        let number = ffi::luaL_checknumber(state, argument);
        if number.fract() != 0.0 && Meter::of(state).only_whole.get() {
            bad_argument(state, argument, c"number has no integer representation");
        }
        truncate(number)
    }
}

/// As [`whole`], with a value for an argument that is missing.
///
/// # Safety
/// The state must be that of the function that runs.
pub(crate) unsafe fn whole_or(state: *mut lua_State, argument: c_int, missing: i64) -> i64 {
    // SAFETY: upheld by the caller.
    unsafe {
        match ffi::lua_isnoneornil(state, argument) {
            0 => whole(state, argument),
            _ => missing,
        }
    }
}

/// A number without its fraction; one that does not fit is the least there is, as on x86.
pub(crate) fn truncate(number: f64) -> i64 {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    if (-TWO_TO_63..TWO_TO_63).contains(&number) { number as i64 } else { i64::MIN }
}

/// Raises an error with the position of the caller.
///
/// # Safety
/// The state must be that of the function that runs; nothing in its frames may need to be dropped.
pub(crate) unsafe fn fail(state: *mut lua_State, message: &CStr) -> ! {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::luaL_where(state, 1);
        ffi::lua_pushstring(state, message.as_ptr());
        ffi::lua_concat(state, 2);
        ffi::lua_error(state)
    }
}

/// Raises the error of an argument.
///
/// # Safety
/// As [`fail`].
#[expect(clippy::unreachable, reason = "the interpreter's function jumps")]
pub(crate) unsafe fn bad_argument(state: *mut lua_State, argument: c_int, why: &CStr) -> ! {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::luaL_argerror(state, argument, why.as_ptr());
    }
    unreachable!("luaL_argerror does not return")
}

/// Pushes text.
///
/// # Safety
/// There must be room on the stack.
pub(crate) unsafe fn push(state: *mut lua_State, text: &[u8]) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushlstring(state, text.as_ptr().cast(), text.len());
    }
}

const FEW: usize = 512;

/// Text under construction. What is short stays in the frame; longer text is an object of the
/// interpreter in a slot of the stack, so that its limit of memory counts and an error frees it.
pub(crate) struct Buffer {
    state: *mut lua_State,
    slot: c_int,
    few: [MaybeUninit<u8>; FEW],
    many: *mut u8,
    room: usize,
    length: usize,
}

impl Buffer {
    /// An empty text, which takes one slot of the stack.
    ///
    /// # Safety
    /// There must be room on the stack, and the slot must stay where it is.
    pub(crate) unsafe fn new(state: *mut lua_State) -> Buffer {
        // SAFETY: upheld by the caller.
        unsafe { ffi::lua_pushnil(state) };
        Buffer {
            state,
            // SAFETY: upheld by the caller.
            slot: unsafe { ffi::lua_gettop(state) },
            few: [MaybeUninit::uninit(); FEW],
            many: std::ptr::null_mut(),
            room: FEW,
            length: 0,
        }
    }

    /// Adds bytes, which may not lie in this text.
    ///
    /// # Safety
    /// There must be room for two values on the stack.
    pub(crate) unsafe fn add(&mut self, bytes: &[u8]) {
        // SAFETY: upheld by the caller.
        unsafe {
            let at = self.reserve(bytes.len());
            at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        self.length += bytes.len();
    }

    /// Adds bytes, which may not lie in this text, so many times.
    ///
    /// # Safety
    /// As [`Buffer::add`].
    pub(crate) unsafe fn add_times(&mut self, bytes: &[u8], times: usize) {
        let all = bytes.len().saturating_mul(times);
        if all == 0 {
            return;
        }
        // SAFETY: upheld by the caller; there is room for all copies.
        unsafe {
            let at = self.reserve(all);
            at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            let mut done = bytes.len();
            while done < all {
                let next = done.min(all - done);
                at.add(done).copy_from_nonoverlapping(at, next);
                done += next;
            }
        }
        self.length += all;
    }

    /// Adds one byte.
    ///
    /// # Safety
    /// As [`Buffer::add`].
    pub(crate) unsafe fn add_byte(&mut self, byte: u8) {
        // SAFETY: upheld by the caller.
        unsafe { self.reserve(1).write(byte) };
        self.length += 1;
    }

    /// Room for more bytes behind those that are there.
    ///
    /// # Safety
    /// As [`Buffer::add`].
    pub(crate) unsafe fn reserve(&mut self, more: usize) -> *mut u8 {
        // SAFETY: upheld by the caller.
        unsafe {
            if self.room - self.length < more {
                let room = self.length.saturating_add(more).max(self.room * 2);
                Meter::of(self.state).make_room(self.state, room);
                let fresh: *mut u8 = ffi::lua_newuserdata(self.state, room).cast();
                fresh.copy_from_nonoverlapping(self.start(), self.length);
                ffi::lua_replace(self.state, self.slot);
                (self.many, self.room) = (fresh, room);
            }
            self.start().add(self.length)
        }
    }

    fn start(&mut self) -> *mut u8 {
        if self.many.is_null() { self.few.as_mut_ptr().cast() } else { self.many }
    }

    /// Pushes the text.
    ///
    /// # Safety
    /// As [`Buffer::add`].
    pub(crate) unsafe fn push(&mut self) {
        // SAFETY: upheld by the caller.
        unsafe {
            let (start, length) = (self.start(), self.length);
            ffi::lua_pushlstring(self.state, start.cast_const().cast(), length);
        }
    }
}
