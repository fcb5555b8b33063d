//! Host functions that scripts call for every cell, or for every statement of a map: a fast path
//! for arguments that are plain numbers, or an object and a string, which avoids the handling of
//! other arguments.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result};

use crate::raw_tables::RawText;

/// The result of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// A number.
    Number(f64),
    /// Two numbers.
    Numbers(f64, f64),
    /// A boolean.
    Truth(bool),
}

/// What a function does with numbers; none for what it leaves to the usual one.
type Quick = dyn Fn(&[f64]) -> Option<Answer>;

/// What a function does with an object, which is told by its address, and a text; whether it does.
type QuickWithText = dyn Fn(*const c_void, &[u8]) -> bool;

/// More arguments than this are left to the usual function.
const MAX_ARGUMENTS: usize = 4;

/// The upvalues.
const OWNER: c_int = 1;
const QUICK: c_int = 2;
const USUAL: c_int = 3;

/// Returns a function that calls `quick` with plain numbers, and the usual function with everything
/// else.
pub fn with_quick_way(
    lua: &Lua,
    usual: &Function,
    quick: impl Fn(&[f64]) -> Option<Answer> + 'static,
) -> Result<Function> {
    let quick: Box<Quick> = Box::new(quick);
    closure(lua, usual, quick, call)
}

/// Returns a function that calls `quick`, which returns nothing, with an object of the host and a
/// string, and the usual function with everything else.
pub fn with_quick_text(
    lua: &Lua,
    usual: &Function,
    quick: impl Fn(*const c_void, &[u8]) -> bool + 'static,
) -> Result<Function> {
    let quick: Box<QuickWithText> = Box::new(quick);
    closure(lua, usual, quick, call_with_text)
}

/// Returns a function of the interpreter that finds its two ways in its upvalues.
fn closure<Q: 'static>(
    lua: &Lua,
    usual: &Function,
    quick: Q,
    call: ffi::lua_CFunction,
) -> Result<Function> {
    let quick = Rc::new(quick);
    let place = Rc::as_ptr(&quick);
    let owner = lua.create_any_userdata(quick)?;
    // SAFETY: the values are pushed in the order of the upvalues; the owner keeps what the place
    // points to.
    unsafe {
        lua.exec_raw((owner, usual), |state| {
            ffi::luaL_checkstack(state, 4, std::ptr::null());
            ffi::lua_pushlightuserdata(state, place.cast_mut().cast());
            ffi::lua_insert(state, OWNER + 1);
            ffi::lua_pushcclosure(state, call, USUAL);
        })
    }
}

unsafe extern "C-unwind" fn call(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with. Nothing that has to be dropped is
    // alive where the interpreter may raise an error.
    unsafe {
        match answer(state) {
            Some(Answer::Number(number)) => ffi::lua_pushnumber(state, number),
            Some(Answer::Truth(truth)) => ffi::lua_pushboolean(state, truth.into()),
            Some(Answer::Numbers(first, second)) => {
                ffi::lua_pushnumber(state, first);
                ffi::lua_pushnumber(state, second);
                return 2;
            }
            None => return call_usual(state),
        }
        1
    }
}

unsafe extern "C-unwind" fn call_with_text(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { if is_done(state) { 0 } else { call_usual(state) } }
}

/// Hands the arguments on, and what is answered.
///
/// # Safety
/// The state must be that of a function made here.
unsafe fn call_usual(state: *mut lua_State) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::luaL_checkstack(state, 1, std::ptr::null());
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(USUAL));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, ffi::lua_gettop(state) - 1, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

/// Whether the arguments are for the quick way, and it does what is asked.
///
/// # Safety
/// The state must be that of [`call_with_text`].
unsafe fn is_done(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_gettop(state) != 2 || ffi::lua_type(state, 1) != ffi::LUA_TUSERDATA {
            return false;
        }
        let Some(text) = RawText::on_stack(state, 2) else { return false };
        let object = ffi::lua_topointer(state, 1);
        let quick: *const Box<QuickWithText> =
            ffi::lua_touserdata(state, ffi::lua_upvalueindex(QUICK)).cast_const().cast();
        // A panic must not cross the interpreter's frames; the usual way says what it is about.
        catch_unwind(AssertUnwindSafe(|| (*quick)(object, text.bytes()))).unwrap_or(false)
    }
}

/// What the quick way answers, if the arguments are for it.
///
/// # Safety
/// The state must be that of [`call`].
unsafe fn answer(state: *mut lua_State) -> Option<Answer> {
    // SAFETY: upheld by the caller.
    unsafe {
        let count = ffi::lua_gettop(state) as usize;
        let mut numbers = [0.0; MAX_ARGUMENTS];
        for (number, argument) in numbers.get_mut(..count)?.iter_mut().zip(1..) {
            if ffi::lua_type(state, argument) != ffi::LUA_TNUMBER {
                return None;
            }
            *number = ffi::lua_tonumber(state, argument);
        }
        let quick: *const Box<Quick> =
            ffi::lua_touserdata(state, ffi::lua_upvalueindex(QUICK)).cast_const().cast();
        // A panic must not cross the interpreter's frames; the usual way says what it is about.
        catch_unwind(AssertUnwindSafe(|| (*quick)(&numbers[..count]))).ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_a_text_goes_the_quick_way_and_the_rest_the_usual_one() -> Result<()> {
        let lua = Lua::new();
        let usual: Function =
            lua.load("return function(...) return 'usual', select('#', ...) end").eval()?;
        let object = lua.create_any_userdata(1)?;
        let address = object.to_pointer();
        let done = Rc::new(std::cell::RefCell::new(Vec::new()));
        let told = Rc::clone(&done);
        let quick = with_quick_text(&lua, &usual, move |object, text| {
            assert_ne!(text, b"panic");
            told.borrow_mut().extend_from_slice(text);
            object == address && text != b"no"
        })?;
        lua.globals().set("quick", quick)?;
        lua.globals().set("object", &object)?;
        lua.globals().set("other", lua.create_any_userdata(1)?)?;
        drop(usual);
        lua.gc_collect()?;
        let answers = |arguments: &str| -> Result<usize> {
            lua.load(format!("return select('#', quick({arguments}))")).eval()
        };
        assert_eq!(answers("object, 'a'")?, 0);
        for arguments in
            ["object, 'no'", "other, 'b'", "object, 'panic'", "object, 4", "object", "'a', 'b'"]
        {
            assert_eq!(answers(arguments)?, 2, "{arguments}");
        }
        assert_eq!(answers("object, 'a', 'b'")?, 2);
        assert_eq!(*done.borrow(), b"anob");
        Ok(())
    }

    #[test]
    fn numbers_go_the_quick_way_and_the_rest_the_usual_one() -> Result<()> {
        let lua = Lua::new();
        let usual: Function =
            lua.load("return function(...) return 'usual', select('#', ...), ... end").eval()?;
        let quick = with_quick_way(&lua, &usual, |numbers| match *numbers {
            [] => Some(Answer::Truth(true)),
            [a] if a > 9.0 => None,
            [a] => Some(Answer::Number(a * 2.0)),
            [a, b] => Some(Answer::Numbers(b, a)),
            _ => panic!("too many"),
        })?;
        lua.globals().set("quick", quick)?;
        drop(usual);
        lua.gc_collect()?;
        let shown = |arguments: &str| -> Result<String> {
            let text = format!(
                "local all = {{ quick({arguments}) }}
                for i = 1, #all do all[i] = tostring(all[i]) end
                return table.concat(all, ' ')"
            );
            lua.load(text).eval()
        };
        assert_eq!(shown("")?, "true");
        assert_eq!(shown("4")?, "8");
        assert_eq!(shown("1, 2.5")?, "2.5 1");
        assert_eq!(shown("10")?, "usual 1 10");
        assert_eq!(shown("'4'")?, "usual 1 4");
        assert_eq!(shown("1, nil")?, "usual 2 1");
        assert_eq!(shown("1, 2, 3, 4, 5")?, "usual 5 1 2 3 4 5");
        assert_eq!(shown("1, 2, 3")?, "usual 3 1 2 3", "a panic is the usual way's");
        Ok(())
    }
}
