//! Looking for patterns in texts: `string.find`, `match` and `gmatch`.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use super::call::{Buffer, fail, push, text, value_text, whole_or};
use super::meter;
use super::pattern::{Anchor, Capture, Captures, Fault, Matcher};
use super::text::{BYTES, charge_bytes, position, room_for};
use crate::meter::{Meter, Spent};

/// Runs the matcher on a text and a pattern, and pays for it.
///
/// # Safety
/// The state must be that of the function that runs.
#[expect(clippy::unreachable, reason = "an account that is closed raises an error")]
pub(super) unsafe fn with_matcher<R: Copy>(
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
    // SAFETY: upheld by the caller.
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

pub(super) unsafe extern "C-unwind" fn find(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { search(state, Wanted::Place, Beyond::AtEnd) }
}

pub(super) unsafe extern "C-unwind" fn match_(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { search(state, Wanted::Captures, Beyond::AtEnd) }
}

pub(super) unsafe extern "C-unwind" fn find_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        if ffi::lua_toboolean(state, 4) == 0 {
            spell_out_visible(state);
        }
        search(state, Wanted::Place, Beyond::Nowhere)
    }
}

pub(super) unsafe extern "C-unwind" fn match_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        spell_out_visible(state);
        search(state, Wanted::Captures, Beyond::Nowhere)
    }
}

/// Replaces `%g` and `%G` in the pattern, the second argument: what can be seen and what cannot, as
/// the bytes that it is. For 5.1 they are the letters.
///
/// # Safety
/// The state must be that of the function that runs, with all its arguments on the stack.
pub(super) unsafe fn spell_out_visible(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        text(state, 1);
        let pattern = text(state, 2);
        if !pattern.windows(2).any(|two| two == b"%g" || two == b"%G") {
            return;
        }
        let mut buffer = Buffer::new(state);
        let slot = ffi::lua_gettop(state);
        let mut rest = pattern;
        let mut in_set = false;
        loop {
            let (taken, written): (usize, &[u8]) = match rest {
                [] => break,
                [b'%', b'g', ..] => (2, if in_set { b"!-~" } else { b"[!-~]" }),
                [b'%', b'G', ..] if in_set => (2, b"%z\x01-\x20\x7f-\xff"),
                [b'%', b'G', ..] => (2, b"[^!-~]"),
                [b'%', b'b', _, _, ..] if !in_set => (4, &rest[..4]),
                [b'%', _, ..] => (2, &rest[..2]),
                // A bracket that closes is a member where it stands first.
                [b'[', b'^', b']', ..] if !in_set => (3, &rest[..3]),
                [b'[', b']', ..] if !in_set => (2, &rest[..2]),
                _ => (1, &rest[..1]),
            };
            match rest[0] {
                b'[' => in_set = true,
                b']' => in_set = false,
                _ => {}
            }
            buffer.add(written);
            rest = &rest[taken..];
        }
        buffer.push();
        ffi::lua_replace(state, 2);
        ffi::lua_remove(state, slot);
    }
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
    // SAFETY: upheld by the caller.
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
                // SAFETY: upheld by the caller.
                unsafe { charge_bytes(state, paid) };
                paid = 0;
            }
        }
    };
    // SAFETY: upheld by the caller.
    unsafe { charge_bytes(state, paid + at) };
    found
}

/// # Safety
/// The state must be that of the function that runs.
pub(super) unsafe fn push_capture(
    state: *mut lua_State,
    all: &[u8],
    captures: &Captures,
    number: usize,
    whole: (usize, usize),
) {
    // SAFETY: upheld by the caller.
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
pub(super) unsafe fn push_captures(
    state: *mut lua_State,
    all: &[u8],
    captures: &Captures,
    whole: (usize, usize),
) -> c_int {
    // SAFETY: upheld by the caller.
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

pub(super) unsafe extern "C-unwind" fn gmatch(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { matches_from(state, 0, next_match) }
}

/// A third argument is where the search begins.
pub(super) unsafe extern "C-unwind" fn gmatch_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        spell_out_visible(state);
        let length = text(state, 1).len();
        let from = position(whole_or(state, 3, 1), length) - 1;
        matches_from(state, from.clamp(0, length as i64 + 1), next_match_54)
    }
}

/// # Safety
/// The state must be that of the function that runs.
unsafe fn matches_from(state: *mut lua_State, from: i64, next: ffi::lua_CFunction) -> c_int {
    // SAFETY: upheld by the caller.
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
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe { next_match_behind(state, None) }
}

unsafe extern "C-unwind" fn next_match_54(state: *mut lua_State) -> c_int {
    // SAFETY: the interpreter calls it, and nothing has to be dropped where it may jump.
    unsafe {
        let last = ffi::lua_tonumber(state, ffi::lua_upvalueindex(5)) as i64;
        next_match_behind(state, usize::try_from(last).ok())
    }
}

/// # Safety
/// The state must be that of the iterator that runs.
unsafe fn next_match_behind(state: *mut lua_State, last: Option<usize>) -> c_int {
    // SAFETY: upheld by the caller.
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
pub(super) fn search_behind(
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
