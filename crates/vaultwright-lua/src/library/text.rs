//! The table `string`, but for what looks for patterns (`matching.rs`, `substitution.rs`).

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use super::call::{Buffer, bad_argument, fail, push, text, truncate, whole, whole_or};
use super::format::{BadFormat, Item, Spec};
use super::matching::{find, find_54, gmatch, gmatch_54, match_, match_54};
use super::substitution::{gsub, gsub_54};
use super::{Functions, meter};

pub(super) const FUNCTIONS: Functions = &[
    (c"byte", byte),
    (c"char", char),
    (c"find", find),
    (c"format", format),
    (c"gfind", gmatch),
    (c"gmatch", gmatch),
    (c"gsub", gsub),
    (c"len", len),
    (c"lower", lower),
    (c"match", match_),
    (c"rep", rep),
    (c"reverse", reverse),
    (c"sub", sub),
    (c"upper", upper),
];

/// Those that do something else in Lua 5.4.
pub(super) const FUNCTIONS_54: Functions = &[
    (c"find", find_54),
    (c"format", format_54),
    (c"gmatch", gmatch_54),
    (c"gsub", gsub_54),
    (c"match", match_54),
    (c"rep", rep_54),
];

/// How many bytes are copied for the price of an instruction.
pub(super) const BYTES: u64 = 16;

/// # Safety
/// The state must be that of the function that runs.
pub(super) unsafe fn charge_bytes(state: *mut lua_State, bytes: usize) {
    // SAFETY: upheld by the caller.
    unsafe { meter(state).charge(state, bytes as u64 / BYTES) }
}

/// A position in a text, from 1; negative ones count from its end.
pub(super) fn position(position: i64, length: usize) -> i64 {
    let position = if position < 0 { position + length as i64 + 1 } else { position };
    position.max(0)
}

unsafe extern "C-unwind" fn len(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let length = text(state, 1).len();
        ffi::lua_pushinteger(state, length as _);
        1
    }
}

unsafe extern "C-unwind" fn sub(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let all = text(state, 1);
        let from = position(whole(state, 2), all.len()).max(1) as usize;
        let to = position(whole_or(state, 3, -1), all.len()).min(all.len() as i64) as usize;
        let part = if from <= to { &all[from - 1..to] } else { b"" };
        charge_bytes(state, part.len());
        push(state, part);
        1
    }
}

unsafe extern "C-unwind" fn reverse(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let all = text(state, 1);
        charge_bytes(state, all.len());
        let mut buffer = Buffer::new(state);
        for &byte in all.iter().rev() {
            buffer.add_byte(byte);
        }
        buffer.push();
        1
    }
}

unsafe extern "C-unwind" fn lower(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { each_byte(state, |byte| byte.to_ascii_lowercase()) }
}

unsafe extern "C-unwind" fn upper(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { each_byte(state, |byte| byte.to_ascii_uppercase()) }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn each_byte(state: *mut lua_State, change: fn(&u8) -> u8) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        let all = text(state, 1);
        charge_bytes(state, all.len());
        let mut buffer = Buffer::new(state);
        for byte in all {
            buffer.add_byte(change(byte));
        }
        buffer.push();
        1
    }
}

unsafe extern "C-unwind" fn rep(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { repeat(state, b"") }
}

/// A third argument stands between the copies.
unsafe extern "C-unwind" fn rep_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let is_given = ffi::lua_isnoneornil(state, 3) == 0;
        let separator = if is_given { text(state, 3) } else { b"" };
        repeat(state, separator)
    }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn repeat(state: *mut lua_State, separator: &[u8]) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        let part = text(state, 1);
        // The reference's counts have 32 bits.
        let times = usize::try_from(whole(state, 2) as i32).unwrap_or(0);
        let between = separator.len().saturating_mul(times.saturating_sub(1));
        let length = part.len().saturating_mul(times).saturating_add(between);
        if length == 0 {
            push(state, b"");
            return 1;
        }
        let meter = meter(state);
        meter.make_room(state, length);
        meter.charge(state, length as u64 / BYTES);
        let mut buffer = Buffer::new(state);
        buffer.reserve(length);
        buffer.add(part);
        if separator.is_empty() {
            buffer.add_times(part, times - 1);
        } else {
            for _ in 1..times {
                buffer.add(separator);
                buffer.add(part);
            }
        }
        buffer.push();
        1
    }
}

unsafe extern "C-unwind" fn byte(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let all = text(state, 1);
        let from = position(whole_or(state, 2, 1), all.len());
        let to = position(whole_or(state, 3, from), all.len()).min(all.len() as i64);
        let from = from.max(1);
        if from > to {
            return 0;
        }
        let part = &all[from as usize - 1..to as usize];
        let Some(count) = room_for(state, part.len()) else {
            fail(state, c"stack overflow (string slice too long)");
        };
        for &byte in part {
            ffi::lua_pushinteger(state, byte.into());
        }
        count
    }
}

/// The count as C has it, if there is room for as many values on the stack.
///
/// # Safety
/// The state must be that of the function that runs.
pub(super) unsafe fn room_for(state: *mut lua_State, count: usize) -> Option<c_int> {
    let count = c_int::try_from(count).ok()?;
    // SAFETY: upheld by the caller.
    unsafe { (ffi::lua_checkstack(state, count) != 0).then_some(count) }
}

unsafe extern "C-unwind" fn char(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let count = ffi::lua_gettop(state);
        let mut buffer = Buffer::new(state);
        for argument in 1..=count {
            let Ok(byte) = u8::try_from(whole(state, argument) as i32) else {
                bad_argument(state, argument, c"invalid value");
            };
            buffer.add_byte(byte);
        }
        buffer.push();
        1
    }
}

unsafe extern "C-unwind" fn format(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { formatted(state, false) }
}

/// Texts keep their bytes of 0, numbers may be hexadecimal, and marks without meaning are errors.
unsafe extern "C-unwind" fn format_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { formatted(state, true) }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn formatted(state: *mut lua_State, is_54: bool) -> c_int {
    // SAFETY: upheld by the caller; nothing has to be dropped where it may jump.
    unsafe {
        let top = ffi::lua_gettop(state);
        let pattern = text(state, 1);
        charge_bytes(state, pattern.len());
        let mut buffer = Buffer::new(state);
        let mut argument = 1;
        let mut at = 0;
        while let Some(&byte) = pattern.get(at) {
            at += 1;
            if byte != b'%' {
                buffer.add_byte(byte);
                continue;
            }
            if pattern.get(at) == Some(&b'%') {
                buffer.add_byte(b'%');
                at += 1;
                continue;
            }
            argument += 1;
            if argument > top {
                bad_argument(state, argument, c"no value");
            }
            let (spec, length) = spec_of(state, &pattern[at..], is_54);
            let letter = pattern.get(at + length).copied().unwrap_or(0);
            at += length + 1;
            meter(state).charge(state, 10);
            let conversion = Conversion { letter, spec, argument, is_54 };
            match letter {
                b'q' => quote(state, &mut buffer, argument, is_54),
                b's' => conversion.add_text(state, &mut buffer),
                _ => buffer.add(conversion.number(state).as_bytes()),
            }
        }
        buffer.push();
        1
    }
}

/// Returns the spec behind `%` and its length.
///
/// # Safety
/// The state must be that of the function that runs; nothing in its frames may need to be dropped.
unsafe fn spec_of(state: *mut lua_State, rest: &[u8], is_54: bool) -> (Spec, usize) {
    let read = if is_54 { Spec::read_54 } else { Spec::read };
    // SAFETY: upheld by the caller.
    read(rest).unwrap_or_else(|error| unsafe { refuse_spec(state, rest, error) })
}

/// # Safety
/// The state must be that of the function that runs; nothing in its frames may need to be dropped.
#[expect(clippy::unreachable, reason = "the interpreter's function jumps")]
unsafe fn refuse_spec(state: *mut lua_State, rest: &[u8], error: BadFormat) -> ! {
    // SAFETY: upheld by the caller.
    unsafe {
        let (message, length) = match error {
            BadFormat::RepeatedFlags => fail(state, c"invalid format (repeated flags)"),
            BadFormat::TooLong => {
                fail(state, c"invalid format (width or precision too long)");
            }
            BadFormat::Modified => fail(state, c"specifier '%q' cannot have modifiers"),
            BadFormat::Conversion(length) => (c"invalid conversion '%%%s' to 'format'", length),
            BadFormat::Specification(length) => {
                (c"invalid conversion specification: '%%%s'", length)
            }
        };
        push(state, &rest[..length]);
        let shown = ffi::lua_tostring(state, -1);
        ffi::luaL_error(state, message.as_ptr(), shown);
        unreachable!("luaL_error does not return")
    }
}

/// What is to be made of an argument.
struct Conversion {
    letter: u8,
    spec: Spec,
    argument: c_int,
    is_54: bool,
}

impl Conversion {
    /// Returns a number as the letter wants it.
    ///
    /// # Safety
    /// The state must be that of the function that runs; nothing in its frames may need to be
    /// dropped.
    #[expect(clippy::unreachable, reason = "the interpreter's function jumps")]
    unsafe fn number(&self, state: *mut lua_State) -> Item {
        let Conversion { letter, spec, argument, is_54 } = self;
        // SAFETY: upheld by the caller.
        unsafe {
            let number = || ffi::luaL_checknumber(state, *argument);
            match letter {
                b'c' => {
                    // One that does not fit into 32 bits has no low ones, as on x86.
                    let byte = i32::try_from(truncate(number())).map_or(0, |number| number as u8);
                    let item = spec.byte(byte);
                    if *is_54 { item } else { item.until_zero() }
                }
                b'd' | b'i' => spec.signed(whole(state, *argument)),
                b'o' | b'u' | b'x' | b'X' => spec.unsigned(*letter, unsigned(number())),
                b'e' | b'E' | b'f' | b'g' | b'G' => spec.real(*letter, number()),
                b'a' | b'A' if *is_54 => spec.real(*letter, number()),
                other => {
                    let format = c"invalid option '%%%c' to 'format'".as_ptr();
                    ffi::luaL_error(state, format, c_int::from(*other));
                    unreachable!("luaL_error does not return")
                }
            }
        }
    }

    /// Adds a text: as it is, if the spec changes nothing in it.
    ///
    /// # Safety
    /// The state must be that of the function that runs; nothing in its frames may need to be
    /// dropped.
    unsafe fn add_text(&self, state: *mut lua_State, buffer: &mut Buffer) {
        let Conversion { spec, argument, is_54, .. } = self;
        // SAFETY: upheld by the caller.
        unsafe {
            let value = text(state, *argument);
            let is_bare = *is_54 && *spec == Spec::default();
            if *is_54 && !is_bare && value.contains(&0) {
                bad_argument(state, *argument, c"string contains zeros");
            }
            if is_bare || spec.leaves(value.len()) {
                charge_bytes(state, value.len());
                buffer.add(value);
            } else {
                buffer.add(spec.text(value).as_bytes());
            }
        }
    }
}

/// A number as one without a sign, as on x86.
fn unsigned(number: f64) -> u64 {
    const HALF: f64 = 9_223_372_036_854_775_808.0;
    if number >= HALF {
        truncate(number - HALF) as u64 ^ (1 << 63)
    } else {
        truncate(number) as u64
    }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn quote(state: *mut lua_State, buffer: &mut Buffer, argument: c_int, is_54: bool) {
    // SAFETY: upheld by the caller.
    unsafe {
        let value = text(state, argument);
        charge_bytes(state, value.len() * 4);
        buffer.add_byte(b'"');
        for (at, &byte) in value.iter().enumerate() {
            match byte {
                b'"' | b'\\' | b'\n' => buffer.add(&[b'\\', byte]),
                _ if is_54 && byte.is_ascii_control() => {
                    let is_joined = value.get(at + 1).is_some_and(u8::is_ascii_digit);
                    let width = match byte {
                        _ if is_joined => 3,
                        0..10 => 1,
                        10..100 => 2,
                        _ => 3,
                    };
                    let digits = [byte / 100, byte / 10 % 10, byte % 10].map(|digit| digit + b'0');
                    buffer.add_byte(b'\\');
                    buffer.add(&digits[3 - width..]);
                }
                b'\r' => buffer.add(b"\\r"),
                0 => buffer.add(b"\\000"),
                _ => buffer.add_byte(byte),
            }
        }
        buffer.add_byte(b'"');
    }
}
