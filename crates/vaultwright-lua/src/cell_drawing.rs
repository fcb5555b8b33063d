//! Drawing a rectangle of cells: a script's function returns the glyph for the value of each cell;
//! the host computes the values and draws.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result, Table, Value};

/// The target of the drawing.
pub trait Drawing {
    /// Returns the value of a cell; `None` if it is not known.
    fn value(&self, x: i32, y: i32) -> Option<f64>;
    /// Draws a glyph. Returns whether that is possible.
    fn draw(&self, x: i32, y: i32, glyph: u8) -> bool;
}

/// The upvalues behind the owner of what the first of them points to.
const DRAWING: c_int = 2;
const SIDES: [c_int; 4] = [3, 4, 5, 6];
const HOLDER: c_int = 7;
const NAME: c_int = 8;
const HELD: c_int = 9;

/// The only argument, and what the holder holds.
const ASK: c_int = 1;
const FIELD: c_int = 2;

/// Returns a function that draws a rectangle column by column. Its argument is a function that
/// returns the glyph for a value, x and y, or nil to draw nothing. The sides are left, top, right
/// and bottom, inclusive.
///
/// It returns nothing if everything was drawn. Otherwise it returns the cell at which it stopped,
/// and the answer that is not a glyph or cannot be drawn; nil if the function has not been called.
/// It also stops as soon as the holder has something else under the name than now: scripts draw on
/// what they find there.
pub fn drawing(
    lua: &Lua,
    sides: [i32; 4],
    (holder, name): (&Table, &str),
    drawing: impl Drawing + 'static,
) -> Result<Function> {
    let drawing: Rc<Box<dyn Drawing>> = Rc::new(Box::new(drawing));
    let place = Rc::as_ptr(&drawing);
    let owner = lua.create_any_userdata(drawing)?;
    let held: Value = holder.raw_get(name)?;
    // SAFETY: the values are put into the order of the upvalues; the owner keeps what the place
    // points to.
    unsafe {
        lua.exec_raw((owner, holder, name, held), |state| {
            ffi::luaL_checkstack(state, HELD, std::ptr::null());
            ffi::lua_pushlightuserdata(state, place.cast_mut().cast());
            ffi::lua_insert(state, DRAWING);
            for (side, upvalue) in sides.into_iter().zip(SIDES) {
                ffi::lua_pushnumber(state, side.into());
                ffi::lua_insert(state, upvalue);
            }
            ffi::lua_pushcclosure(state, draw, HELD);
        })
    }
}

unsafe extern "C-unwind" fn draw(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with. Nothing that has to be dropped is
    // alive where the interpreter may raise an error.
    unsafe {
        ffi::lua_settop(state, ASK);
        ffi::luaL_checkstack(state, 6, std::ptr::null());
        ffi::lua_pushnil(state);
        let drawing: *const Box<dyn Drawing> =
            ffi::lua_touserdata(state, ffi::lua_upvalueindex(DRAWING)).cast_const().cast();
        let [left, top, right, bottom] =
            SIDES.map(|side| ffi::lua_tonumber(state, ffi::lua_upvalueindex(side)) as i32);
        for x in left..=right {
            for y in top..=bottom {
                let Some(value) = quietly(|| (*drawing).value(x, y)) else {
                    ffi::lua_pushnil(state);
                    return stop(state, x, y);
                };
                ffi::lua_pushvalue(state, ASK);
                for number in [value, x.into(), y.into()] {
                    ffi::lua_pushnumber(state, number);
                }
                ffi::lua_call(state, 3, 1);
                ffi::lua_pushvalue(state, ffi::lua_upvalueindex(NAME));
                ffi::lua_rawget(state, ffi::lua_upvalueindex(HOLDER));
                ffi::lua_replace(state, FIELD);
                let is_held = ffi::lua_rawequal(state, FIELD, ffi::lua_upvalueindex(HELD)) == 1;
                let is_drawn = match glyph(state) {
                    Some(_) if !is_held => false,
                    Some(glyph) => quietly(|| Some((*drawing).draw(x, y, glyph))) == Some(true),
                    None => ffi::lua_type(state, -1) == ffi::LUA_TNIL,
                };
                if !is_drawn {
                    return stop(state, x, y);
                }
                ffi::lua_settop(state, FIELD);
            }
        }
        0
    }
}

/// Returns a cell and the value on top.
///
/// # Safety
/// The state must be that of [`draw`], with a value on top and room for another.
unsafe fn stop(state: *mut lua_State, x: i32, y: i32) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushnumber(state, x.into());
        ffi::lua_insert(state, -2);
        ffi::lua_pushnumber(state, y.into());
        ffi::lua_insert(state, -2);
    }
    3
}

/// The glyph on top; none for anything else.
///
/// # Safety
/// The state must be that of the function that runs, with a value on top.
unsafe fn glyph(state: *mut lua_State) -> Option<u8> {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_type(state, -1) != ffi::LUA_TSTRING {
            return None;
        }
        let mut length = 0;
        let text: *const u8 = ffi::lua_tolstring(state, -1, &mut length).cast();
        (length == 1).then(|| *text)
    }
}

/// What the host answers; a panic must not cross the interpreter's frames.
fn quietly<T>(answer: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(answer)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    struct Grid(Rc<RefCell<String>>);

    impl Drawing for Grid {
        fn value(&self, x: i32, y: i32) -> Option<f64> {
            (x < 9).then_some(f64::from(x) + f64::from(y) / 2.0)
        }

        fn draw(&self, x: i32, y: i32, glyph: u8) -> bool {
            self.0.borrow_mut().push_str(&format!("{x},{y}{} ", char::from(glyph)));
            glyph != b'!'
        }
    }

    /// What is drawn with this function, and what the drawing function returns.
    fn drawn(sides: [i32; 4], ask: &str) -> Result<(String, String)> {
        let lua = Lua::new();
        let grid = Rc::new(RefCell::new(String::new()));
        let globals = lua.globals();
        globals.set("grid", 1)?;
        let draw = drawing(&lua, sides, (&globals, "grid"), Grid(Rc::clone(&grid)))?;
        globals.set("draw", draw)?;
        drop(globals);
        lua.gc_collect()?;
        let text = format!(
            "local x, y, answer = draw(function(value, x, y) {ask} end)
            return tostring(x) .. ' ' .. tostring(y) .. ' ' .. tostring(answer)"
        );
        let returned = lua.load(text).eval()?;
        Ok((grid.take(), returned))
    }

    #[test]
    fn cells_are_drawn_column_by_column_with_what_is_answered() -> Result<()> {
        let (drawn, returned) = drawn(
            [1, 1, 2, 2],
            "if x == 2 and y == 1 then return nil end return value > 2 and 'b' or 'a'",
        )?;
        assert_eq!(drawn, "1,1a 1,2a 2,2b ");
        assert_eq!(returned, "nil nil nil");
        Ok(())
    }

    #[test]
    fn it_stops_at_what_is_no_glyph_or_cannot_be_drawn_or_has_no_value() -> Result<()> {
        assert_eq!(drawn([1, 1, 2, 2], "return y == 2 and 'ab' or 'a'")?.1, "1 2 ab");
        assert_eq!(drawn([1, 1, 2, 2], "return y == 2 and 7 or 'a'")?.1, "1 2 7");
        assert_eq!(drawn([1, 1, 2, 2], "return false")?.1, "1 1 false");
        assert_eq!(drawn([1, 1, 2, 2], "return x == 2 and '!' or 'a'")?.1, "2 1 !");
        assert_eq!(drawn([1, 1, 2, 2], "if x == 2 then grid = 2 end return 'a'")?.1, "2 1 a");
        assert_eq!(drawn([8, 1, 9, 1], "return 'a'")?, ("8,1a ".into(), "9 1 nil".into()));
        assert!(drawn([1, 1, 2, 2], "error('no more')").is_err());
        Ok(())
    }
}
