//! Replacing what patterns find: `string.gsub`.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use super::call::{Buffer, bad_argument, fail, text, value_text, whole_or};
use super::matching::{
    push_capture, push_captures, search_behind, spell_out_visible, with_matcher,
};
use super::meter;
use super::pattern::{Anchor, Captures};
use super::text::charge_bytes;

pub(super) unsafe extern "C-unwind" fn gsub(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { substitute(state, Strictness::Lua51) }
}

/// Nothing is replaced right behind a match, and `%` needs a meaning.
pub(super) unsafe extern "C-unwind" fn gsub_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        spell_out_visible(state);
        substitute(state, Strictness::Lua54)
    }
}

/// What is replaced by `gsub`, and with what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Lua51,
    Lua54,
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn substitute(state: *mut lua_State, strictness: Strictness) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        let (all, pattern) = (text(state, 1), text(state, 2));
        let kind = ffi::lua_type(state, 3);
        let most = whole_or(state, 4, all.len() as i64 + 1) as i32;
        let (anchor, pattern) = Anchor::split(pattern);
        let kinds = [ffi::LUA_TNUMBER, ffi::LUA_TSTRING, ffi::LUA_TFUNCTION, ffi::LUA_TTABLE];
        if !kinds.contains(&kind) {
            bad_argument(state, 3, c"string/function/table expected");
        }
        let meter = meter(state);
        let mut buffer = Buffer::new(state);
        let mut count = 0;
        let mut at = 0;
        let mut last = None;
        while count < most && at <= all.len() {
            let found = with_matcher(state, meter, all, pattern, |matcher| {
                let found = search_behind(matcher, at, anchor, last)?;
                Ok(found.map(|whole| (whole, *matcher.captures())))
            });
            let Some((whole, captures)) = found else { break };
            count += 1;
            meter.charge(state, 10);
            buffer.add(&all[at..whole.0]);
            if strictness == Strictness::Lua54 {
                last = Some(whole.1);
                // Where nothing is replaced nothing is wrong.
                if count == 1 {
                    check_replacement(state, kind);
                }
            }
            replace(state, &mut buffer, kind, all, &captures, whole);
            at = whole.1;
            if whole.0 == whole.1 {
                // Behind a match of nothing the next one begins a byte farther.
                let Some(&byte) = all.get(at) else { break };
                buffer.add_byte(byte);
                at += 1;
            }
            if anchor == Anchor::Start {
                break;
            }
        }
        charge_bytes(state, all.len() - at);
        buffer.add(&all[at..]);
        buffer.push();
        ffi::lua_pushinteger(state, count as ffi::lua_Integer);
        2
    }
}

/// Refuses a replacement in which `%` stands before anything but a digit or `%`.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn check_replacement(state: *mut lua_State, kind: c_int) {
    if matches!(kind, ffi::LUA_TFUNCTION | ffi::LUA_TTABLE) {
        return;
    }
    // SAFETY: upheld by the caller.
    unsafe {
        let mut bytes = value_text(state, 3).iter();
        while bytes.any(|&byte| byte == b'%') {
            if !bytes.next().is_some_and(|&byte| byte == b'%' || byte.is_ascii_digit()) {
                fail(state, c"invalid use of '%' in replacement string");
            }
        }
    }
}

/// Adds what stands for a match: of text, a function or a table, the third argument.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn replace(
    state: *mut lua_State,
    buffer: &mut Buffer,
    kind: c_int,
    all: &[u8],
    captures: &Captures,
    whole: (usize, usize),
) {
    // SAFETY: upheld by the caller.
    unsafe {
        match kind {
            ffi::LUA_TFUNCTION => {
                ffi::lua_pushvalue(state, 3);
                let count = push_captures(state, all, captures, whole);
                ffi::lua_call(state, count, 1);
            }
            ffi::LUA_TTABLE => {
                push_capture(state, all, captures, 0, whole);
                ffi::lua_gettable(state, 3);
            }
            _ => return replace_by_text(state, buffer, all, captures, whole),
        }
        if ffi::lua_toboolean(state, -1) == 0 {
            buffer.add(&all[whole.0..whole.1]);
        } else if ffi::lua_isstring(state, -1) != 0 {
            let replacement = value_text(state, -1);
            charge_bytes(state, replacement.len());
            buffer.add(replacement);
        } else {
            let kind = ffi::luaL_typename(state, -1);
            ffi::luaL_error(state, c"invalid replacement value (a %s)".as_ptr(), kind);
        }
        ffi::lua_pop(state, 1);
    }
}

/// Adds the text that stands for a match, with `%1` and the like filled in.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn replace_by_text(
    state: *mut lua_State,
    buffer: &mut Buffer,
    all: &[u8],
    captures: &Captures,
    whole: (usize, usize),
) {
    // SAFETY: upheld by the caller.
    unsafe {
        let replacement = value_text(state, 3);
        charge_bytes(state, replacement.len());
        let mut bytes = replacement.iter();
        while let Some(&byte) = bytes.next() {
            if byte != b'%' {
                buffer.add_byte(byte);
                continue;
            }
            match bytes.next() {
                Some(b'0') => {
                    charge_bytes(state, whole.1 - whole.0);
                    buffer.add(&all[whole.0..whole.1]);
                }
                Some(&digit @ b'1'..=b'9') => {
                    push_capture(state, all, captures, usize::from(digit - b'1'), whole);
                    let capture = value_text(state, -1);
                    charge_bytes(state, capture.len());
                    buffer.add(capture);
                    ffi::lua_pop(state, 1);
                }
                Some(&other) => buffer.add_byte(other),
                // A text of C has a zero behind its end.
                None => buffer.add_byte(0),
            }
        }
    }
}
