//! The table `string`.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use super::call::{Buffer, bad_argument, fail, push, text, truncate, value_text, whole, whole_or};
use super::format::{BadFormat, Spec};
use super::pattern::{Anchor, Capture, Captures, Fault, Matcher};
use super::{Functions, meter};
use crate::meter::{Meter, Spent};

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
    (c"gmatch", gmatch_54),
    (c"gsub", gsub_54),
    (c"match", match_54),
    (c"rep", rep_54),
];

/// How many bytes are copied for the price of an instruction.
const BYTES: u64 = 16;

/// # Safety
/// The state must be that of the function that runs.
unsafe fn charge_bytes(state: *mut lua_State, bytes: usize) {
    unsafe { meter(state).charge(state, bytes as u64 / BYTES) }
}

/// A position in a text, from 1; negative ones count from its end.
fn position(position: i64, length: usize) -> i64 {
    let position = if position < 0 { position + length as i64 + 1 } else { position };
    position.max(0)
}

unsafe extern "C-unwind" fn len(state: *mut lua_State) -> c_int {
    unsafe {
        let length = text(state, 1).len();
        ffi::lua_pushinteger(state, length as _);
        1
    }
}

unsafe extern "C-unwind" fn sub(state: *mut lua_State) -> c_int {
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
    unsafe { each_byte(state, |byte| byte.to_ascii_lowercase()) }
}

unsafe extern "C-unwind" fn upper(state: *mut lua_State) -> c_int {
    unsafe { each_byte(state, |byte| byte.to_ascii_uppercase()) }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn each_byte(state: *mut lua_State, change: fn(&u8) -> u8) -> c_int {
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
    unsafe { repeat(state, b"") }
}

/// A third argument stands between the copies.
unsafe extern "C-unwind" fn rep_54(state: *mut lua_State) -> c_int {
    unsafe {
        let is_given = ffi::lua_isnoneornil(state, 3) == 0;
        let separator = if is_given { text(state, 3) } else { b"" };
        repeat(state, separator)
    }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn repeat(state: *mut lua_State, separator: &[u8]) -> c_int {
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
        for copy in 0..times {
            if copy > 0 {
                buffer.add(separator);
            }
            buffer.add(part);
        }
        buffer.push();
        1
    }
}

unsafe extern "C-unwind" fn byte(state: *mut lua_State) -> c_int {
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
unsafe fn room_for(state: *mut lua_State, count: usize) -> Option<c_int> {
    let count = c_int::try_from(count).ok()?;
    unsafe { (ffi::lua_checkstack(state, count) != 0).then_some(count) }
}

unsafe extern "C-unwind" fn char(state: *mut lua_State) -> c_int {
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

/// Runs the matcher on a text and a pattern, and pays for it.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn with_matcher<R: Copy>(
    state: *mut lua_State,
    meter: &Meter,
    all: &[u8],
    pattern: &[u8],
    run: impl Fn(&mut Matcher) -> Result<R, Fault>,
) -> R {
    let before = meter.left();
    let mut left = before;
    let result = {
        let mut scratch = meter.scratch.borrow_mut();
        run(&mut Matcher::new(all, pattern, &mut scratch, &mut left))
    };
    unsafe {
        match result {
            Ok(result) => {
                meter.charge(state, (before - left) / 2);
                result
            }
            Err(Fault::Spent) => {
                meter.end(Spent::Instructions);
                meter.charge(state, before);
                unreachable!("an account that is closed raises an error")
            }
            Err(fault) => fail(state, fault.message()),
        }
    }
}

/// What a search returns of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Where it begins and ends, then its captures.
    Place,
    /// Its captures, or all of it.
    Captures,
}

unsafe extern "C-unwind" fn find(state: *mut lua_State) -> c_int {
    unsafe { search(state, Wanted::Place, Beyond::AtEnd) }
}

unsafe extern "C-unwind" fn match_(state: *mut lua_State) -> c_int {
    unsafe { search(state, Wanted::Captures, Beyond::AtEnd) }
}

unsafe extern "C-unwind" fn find_54(state: *mut lua_State) -> c_int {
    unsafe { search(state, Wanted::Place, Beyond::Nowhere) }
}

unsafe extern "C-unwind" fn match_54(state: *mut lua_State) -> c_int {
    unsafe { search(state, Wanted::Captures, Beyond::Nowhere) }
}

/// Where a search begins that is to begin behind the end of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    AtEnd,
    /// It finds nothing.
    Nowhere,
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn search(state: *mut lua_State, wanted: Wanted, beyond: Beyond) -> c_int {
    let find = wanted == Wanted::Place;
    unsafe {
        let (all, pattern) = (text(state, 1), text(state, 2));
        let from = position(whole_or(state, 3, 1), all.len()) - 1;
        if beyond == Beyond::Nowhere && from > all.len() as i64 {
            ffi::lua_pushnil(state);
            return 1;
        }
        let from = from.clamp(0, all.len() as i64) as usize;
        if find && (ffi::lua_toboolean(state, 4) != 0 || is_plain(pattern)) {
            // Looking for a text costs at most a step for each pair of bytes.
            let found = plain_search(state, &all[from..], pattern);
            let Some(at) = found.map(|at| from + at) else {
                ffi::lua_pushnil(state);
                return 1;
            };
            ffi::lua_pushinteger(state, at as ffi::lua_Integer + 1);
            ffi::lua_pushinteger(state, (at + pattern.len()) as ffi::lua_Integer);
            return 2;
        }
        let (anchor, pattern) = Anchor::split(pattern);
        let found = with_matcher(state, meter(state), all, pattern, |matcher| {
            let found = matcher.search(from, anchor)?;
            Ok(found.map(|whole| (whole, *matcher.captures())))
        });
        let Some((whole, captures)) = found else {
            ffi::lua_pushnil(state);
            return 1;
        };
        if !find {
            return push_captures(state, all, &captures, whole);
        }
        ffi::lua_pushinteger(state, whole.0 as ffi::lua_Integer + 1);
        ffi::lua_pushinteger(state, whole.1 as ffi::lua_Integer);
        match captures.count() {
            0 => 2,
            _ => 2 + push_captures(state, all, &captures, whole),
        }
    }
}

/// Whether a pattern means itself. What is behind a zero is not looked at, as in C.
fn is_plain(pattern: &[u8]) -> bool {
    let end = pattern.iter().position(|&byte| byte == 0).unwrap_or(pattern.len());
    !pattern[..end].iter().any(|byte| b"^$*+?.([%-".contains(byte))
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn plain_search(state: *mut lua_State, all: &[u8], wanted: &[u8]) -> Option<usize> {
    let Some((&first, rest)) = wanted.split_first() else { return Some(0) };
    let mut at = 0;
    let mut paid = 0;
    let found = loop {
        let Some(next) = all[at..].iter().position(|&byte| byte == first) else {
            at = all.len();
            break None;
        };
        at += next + 1;
        if all[at..].starts_with(rest) {
            break Some(at - 1);
        }
        // A start that is right for long is dear.
        if rest.len() as u64 > BYTES {
            paid += rest.len();
            if paid > 1 << 16 {
                unsafe { charge_bytes(state, paid) };
                paid = 0;
            }
        }
    };
    unsafe { charge_bytes(state, paid + at) };
    found
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn push_capture(
    state: *mut lua_State,
    all: &[u8],
    captures: &Captures,
    number: usize,
    whole: (usize, usize),
) {
    unsafe {
        match captures.get(number, whole) {
            Ok(Capture::Text(from, to)) => push(state, &all[from..to]),
            Ok(Capture::Position(at)) => ffi::lua_pushinteger(state, at as ffi::lua_Integer + 1),
            Err(fault) => fail(state, fault.message()),
        }
    }
}

/// Pushes every capture, or the whole match if there is none; how many that were.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn push_captures(
    state: *mut lua_State,
    all: &[u8],
    captures: &Captures,
    whole: (usize, usize),
) -> c_int {
    unsafe {
        let Some(count) = room_for(state, captures.count().max(1)) else {
            fail(state, c"stack overflow (too many captures)");
        };
        for number in 0..count as usize {
            push_capture(state, all, captures, number, whole);
        }
        count
    }
}

unsafe extern "C-unwind" fn gmatch(state: *mut lua_State) -> c_int {
    unsafe { matches_from(state, 0, next_match) }
}

/// A third argument is where the search begins.
unsafe extern "C-unwind" fn gmatch_54(state: *mut lua_State) -> c_int {
    unsafe {
        let length = text(state, 1).len();
        let from = position(whole_or(state, 3, 1), length) - 1;
        matches_from(state, from.clamp(0, length as i64 + 1), next_match_54)
    }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn matches_from(state: *mut lua_State, from: i64, next: ffi::lua_CFunction) -> c_int {
    unsafe {
        text(state, 1);
        text(state, 2);
        ffi::lua_settop(state, 2);
        ffi::lua_pushlightuserdata(state, meter(state).address());
        ffi::lua_insert(state, 1);
        ffi::lua_pushinteger(state, from as ffi::lua_Integer);
        // Where the last match ended: nowhere yet.
        ffi::lua_pushinteger(state, -1);
        ffi::lua_pushcclosure(state, next, 5);
        1
    }
}

/// The iterator of `gmatch`: its text, its pattern, where it goes on and where the last match ended
/// are upvalues.
unsafe extern "C-unwind" fn next_match(state: *mut lua_State) -> c_int {
    unsafe { next_match_behind(state, None) }
}

unsafe extern "C-unwind" fn next_match_54(state: *mut lua_State) -> c_int {
    unsafe {
        let last = ffi::lua_tonumber(state, ffi::lua_upvalueindex(5)) as i64;
        next_match_behind(state, usize::try_from(last).ok())
    }
}

/// # Safety
/// The state must be that of the iterator that runs.
unsafe fn next_match_behind(state: *mut lua_State, last: Option<usize>) -> c_int {
    unsafe {
        let all = value_text(state, ffi::lua_upvalueindex(2));
        let pattern = value_text(state, ffi::lua_upvalueindex(3));
        let from = ffi::lua_tonumber(state, ffi::lua_upvalueindex(4)) as usize;
        if from > all.len() {
            return 0;
        }
        let found = with_matcher(state, meter(state), all, pattern, |matcher| {
            let found = search_behind(matcher, from, Anchor::None, last)?;
            Ok(found.map(|whole| (whole, *matcher.captures())))
        });
        let Some((whole, captures)) = found else { return 0 };
        // Behind a match of nothing the next one begins a byte farther.
        let next = if whole.0 == whole.1 { whole.1 + 1 } else { whole.1 };
        for (value, place) in [(next, 4), (whole.1, 5)] {
            ffi::lua_pushinteger(state, value as ffi::lua_Integer);
            ffi::lua_replace(state, ffi::lua_upvalueindex(place));
        }
        push_captures(state, all, &captures, whole)
    }
}

/// Finds the next match that is not one of nothing where the last one ended, if that is known.
fn search_behind(
    matcher: &mut Matcher,
    from: usize,
    anchor: Anchor,
    last: Option<usize>,
) -> Result<Option<(usize, usize)>, Fault> {
    let found = matcher.search(from, anchor)?;
    match found.filter(|whole| Some(whole.0) == last && Some(whole.1) == last) {
        Some(_) if from < matcher.length() && anchor == Anchor::None => {
            matcher.search(from + 1, anchor)
        }
        Some(_) => Ok(None),
        None => Ok(found),
    }
}

unsafe extern "C-unwind" fn gsub(state: *mut lua_State) -> c_int {
    unsafe { substitute(state, Strictness::Lua51) }
}

/// Nothing is replaced right behind a match, and `%` needs a meaning.
unsafe extern "C-unwind" fn gsub_54(state: *mut lua_State) -> c_int {
    unsafe { substitute(state, Strictness::Lua54) }
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
                check_replacement(state, kind);
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

unsafe extern "C-unwind" fn format(state: *mut lua_State) -> c_int {
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
            let spec = match Spec::read(&pattern[at..]) {
                Ok((spec, length)) => {
                    at += length;
                    spec
                }
                Err(BadFormat::RepeatedFlags) => {
                    fail(state, c"invalid format (repeated flags)");
                }
                Err(BadFormat::TooLong) => {
                    fail(state, c"invalid format (width or precision too long)");
                }
            };
            let letter = pattern.get(at).copied().unwrap_or(0);
            at += 1;
            meter(state).charge(state, 10);
            let item = match letter {
                b'c' => {
                    let number = truncate(ffi::luaL_checknumber(state, argument));
                    // One that does not fit into 32 bits has no low ones, as on x86.
                    spec.byte(i32::try_from(number).map_or(0, |number| number as u8))
                }
                b'd' | b'i' => spec.signed(whole(state, argument)),
                b'o' | b'u' | b'x' | b'X' => {
                    spec.unsigned(letter, unsigned(ffi::luaL_checknumber(state, argument)))
                }
                b'e' | b'E' | b'f' | b'g' | b'G' => {
                    spec.real(letter, ffi::luaL_checknumber(state, argument))
                }
                b'q' => {
                    quote(state, &mut buffer, argument);
                    continue;
                }
                b's' => {
                    let value = text(state, argument);
                    if spec.leaves(value.len()) {
                        charge_bytes(state, value.len());
                        buffer.add(value);
                        continue;
                    }
                    spec.text(value)
                }
                other => {
                    let format = c"invalid option '%%%c' to 'format'".as_ptr();
                    ffi::luaL_error(state, format, c_int::from(other));
                    unreachable!("luaL_error does not return")
                }
            };
            buffer.add(item.as_bytes());
        }
        buffer.push();
        1
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
unsafe fn quote(state: *mut lua_State, buffer: &mut Buffer, argument: c_int) {
    unsafe {
        let value = text(state, argument);
        charge_bytes(state, value.len() * 4);
        buffer.add_byte(b'"');
        for &byte in value {
            match byte {
                b'"' | b'\\' | b'\n' => buffer.add(&[b'\\', byte]),
                b'\r' => buffer.add(b"\\r"),
                0 => buffer.add(b"\\000"),
                _ => buffer.add_byte(byte),
            }
        }
        buffer.add_byte(b'"');
    }
}
