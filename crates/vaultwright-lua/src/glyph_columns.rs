//! Functions that read and write the cells of a column of glyphs, `mapgrd[x][y]`: the interpreter's
//! own, since scripts look at more cells than they do anything else.
//!
//! What is not plain (a place outside, a key that is no number, a glyph that is no single
//! character) is left to another function, which knows the words of errors.

use std::ffi::{c_int, c_void};

use mlua::ffi::{self, lua_State};
use mlua::{AnyUserData, Function, Lua, Result, Table};

use crate::raw_tables::whole;

/// Glyphs by column and row.
pub trait Glyphs: 'static {
    /// Returns a glyph; `None` outside, or while it cannot be read.
    fn glyph(&self, x: i32, y: i32) -> Option<u8>;

    /// Sets a glyph; whether there is such a cell that can be written now.
    fn set_glyph(&self, x: i32, y: i32, glyph: u8) -> bool;
}

/// Returns the functions that read and write a column of a grid. The reader is called with anything
/// and a row, the writer with a glyph besides; `texts` are those of all glyphs from 1, and
/// `otherwise` are the functions that are asked for what is not plain: with the owner, the column,
/// the row and the glyph.
///
/// # Safety
/// The owner must keep the grid where it is for as long as it lives itself.
pub unsafe fn column_functions<G: Glyphs>(
    lua: &Lua,
    owner: &AnyUserData,
    grid: *const G,
    x: i32,
    texts: &Table,
    otherwise: (&Function, &Function),
) -> Result<(Function, Function)> {
    let grid = grid.cast_mut().cast::<c_void>();
    let (read_else, write_else) = otherwise;
    // SAFETY: the values are pushed in the order of the upvalues below.
    unsafe {
        lua.exec_raw((owner, texts, read_else, write_else), |state| {
            ffi::luaL_checkstack(state, 8, std::ptr::null());
            let functions: [(c_int, ffi::lua_CFunction); 2] = [(3, read::<G>), (4, write::<G>)];
            for (otherwise, function) in functions {
                ffi::lua_pushvalue(state, 1);
                ffi::lua_pushvalue(state, 2);
                ffi::lua_pushvalue(state, otherwise);
                ffi::lua_pushlightuserdata(state, grid);
                ffi::lua_pushnumber(state, x.into());
                ffi::lua_pushcclosure(state, function, 5);
            }
            ffi::lua_replace(state, 2);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 2);
        })
    }
}

/// The upvalues.
const OWNER: c_int = 1;
const TEXTS: c_int = 2;
const OTHERWISE: c_int = 3;
const GRID: c_int = 4;
const COLUMN: c_int = 5;

/// Arguments: anything, the row.
unsafe extern "C-unwind" fn read<G: Glyphs>(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with, and so the owner and its grid.
    unsafe {
        let glyph = row(state).and_then(|y| grid::<G>(state).glyph(column(state), y));
        match glyph {
            Some(glyph) => {
                let texts = ffi::lua_upvalueindex(TEXTS);
                ffi::lua_rawgeti_(state, texts, c_int::from(glyph) + 1);
                1
            }
            None => call_otherwise(state),
        }
    }
}

/// Arguments: anything, the row, the glyph.
unsafe extern "C-unwind" fn write<G: Glyphs>(state: *mut lua_State) -> c_int {
    // SAFETY: as above; the text lives as long as it is an argument.
    unsafe {
        if ffi::lua_type(state, 3) == ffi::LUA_TSTRING
            && let Some(y) = row(state)
        {
            let mut length = 0;
            let text = ffi::lua_tolstring(state, 3, &mut length);
            if length == 1 && grid::<G>(state).set_glyph(column(state), y, *text.cast()) {
                return 0;
            }
        }
        call_otherwise(state)
    }
}

/// The second argument, if it is a whole number.
unsafe fn row(state: *mut lua_State) -> Option<i32> {
    unsafe {
        if ffi::lua_type(state, 2) != ffi::LUA_TNUMBER {
            return None;
        }
        whole(ffi::lua_tonumber(state, 2))
    }
}

unsafe fn column(state: *mut lua_State) -> i32 {
    unsafe { ffi::lua_tonumber(state, ffi::lua_upvalueindex(COLUMN)) as i32 }
}

unsafe fn grid<'a, G>(state: *mut lua_State) -> &'a G {
    unsafe { &*ffi::lua_touserdata(state, ffi::lua_upvalueindex(GRID)).cast_const().cast() }
}

/// Calls the other function.
unsafe fn call_otherwise(state: *mut lua_State) -> c_int {
    unsafe {
        ffi::lua_settop(state, 3);
        for upvalue in [OTHERWISE, OWNER, COLUMN] {
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(upvalue));
        }
        ffi::lua_pushvalue(state, 2);
        ffi::lua_pushvalue(state, 3);
        ffi::lua_call(state, 4, 1);
        1
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::{Interpreter, Limits};

    struct Row(RefCell<[u8; 3]>);

    impl Glyphs for Row {
        fn glyph(&self, x: i32, y: i32) -> Option<u8> {
            let cell = usize::try_from(y).ok().filter(|_| x == 7)?;
            self.0.try_borrow().ok()?.get(cell).copied()
        }

        fn set_glyph(&self, x: i32, y: i32, glyph: u8) -> bool {
            let Ok(y) = usize::try_from(y) else { return false };
            let mut cells = self.0.borrow_mut();
            let cell = cells.get_mut(y).filter(|_| x == 7);
            cell.map(|cell| *cell = glyph).is_some()
        }
    }

    #[test]
    fn cells_are_read_and_written_and_the_rest_is_left_to_another_function() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let row = Rc::new(Row(RefCell::new(*b"a.c")));
        let owner = lua.create_any_userdata(Rc::clone(&row)).unwrap();
        let texts = (0..=255u8).map(|glyph| lua.create_string([glyph]).unwrap());
        let texts = lua.create_sequence_from(texts).unwrap();
        let otherwise = "return function(owner, ...)
            return table.concat({ 'else', type(owner), ... }, ' ')
        end";
        let otherwise = lua.load(otherwise).eval().unwrap();
        // SAFETY: the owner has a share of the row.
        let (read, write) = unsafe {
            let otherwise = (&otherwise, &otherwise);
            column_functions(lua, &owner, Rc::as_ptr(&row), 7, &texts, otherwise).unwrap()
        };
        let weak = Rc::downgrade(&row);
        lua.globals().set("read", read).unwrap();
        lua.globals().set("write", write).unwrap();
        drop((owner, row));
        let shown: String = lua
            .load(
                "collectgarbage() collectgarbage()
                write(nil, 1, '#')
                return table.concat({ read(nil, 0), read(nil, 1), read(nil, 3), read(nil, 1.5),
                    read(nil, 'y'), write(nil, 0, 'ab'), write(nil, 9, 'z'), write(nil, 0, 5) },
                    '|')",
            )
            .eval()
            .unwrap();
        let others = ["7 3", "7 1.5", "7 y", "7 0 ab", "7 9 z", "7 0 5"];
        let others = others.map(|arguments| format!("|else userdata {arguments}"));
        assert_eq!(shown, format!("a|#{}", others.concat()));
        assert_eq!(*weak.upgrade().expect("the functions keep it").0.borrow(), *b"a#c");
    }
}
