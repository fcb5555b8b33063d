//! Functions that read and write the cells of a column of glyphs, `mapgrd[x][y]`. They are native
//! functions, since scripts access cells more often than anything else.
//!
//! Special cases (a place outside, a key that is not a number, a glyph that is not a single
//! character) are passed to another function, which has the error messages.

use std::ffi::{c_int, c_void};

use mlua::ffi::{self, lua_State};
use mlua::{AnyUserData, Function, Lua, Result, Table};

use crate::raw_tables::whole;

/// Glyphs by column and row.
pub trait Glyphs: 'static {
    /// Returns a glyph; `None` outside, or while the glyphs cannot be read.
    fn glyph(&self, x: i32, y: i32) -> Option<u8>;

    /// Sets a glyph. Returns whether there is such a cell and it can be written now.
    fn set_glyph(&self, x: i32, y: i32, glyph: u8) -> bool;
}

/// Returns the function that creates the columns of a grid, for its `__index`. A column is a table
/// whose cells are read and written in place, and the grid stores it under its number. `texts`
/// contains the strings of all glyphs from 1. `otherwise` contains the functions for special cases:
/// to read a cell, to write one (with the owner, the column, the row and the glyph), and to create
/// a column.
///
/// # Safety
/// The owner must not move the glyphs during its lifetime.
pub unsafe fn column_maker<G: Glyphs>(
    lua: &Lua,
    owner: &AnyUserData,
    glyphs: *const G,
    texts: &Table,
    otherwise: [&Function; 3],
) -> Result<Function> {
    let glyphs = glyphs.cast_mut().cast::<c_void>();
    let [read, write, make] = otherwise;
    // SAFETY: the values are pushed in the order of the upvalues.
    unsafe {
        lua.exec_raw((owner, texts, read, write, make), |state| {
            ffi::luaL_checkstack(state, 1, std::ptr::null());
            ffi::lua_pushlightuserdata(state, glyphs);
            ffi::lua_insert(state, GLYPHS);
            ffi::lua_pushcclosure(state, make_column::<G>, MAKE_ELSE);
        })
    }
}

/// The upvalues of all three functions.
const OWNER: c_int = 1;
const TEXTS: c_int = 2;
const GLYPHS: c_int = 3;
/// Those of one that makes columns.
const READ_ELSE: c_int = 4;
const WRITE_ELSE: c_int = 5;
const MAKE_ELSE: c_int = 6;
/// Those of one that reads or writes.
const OTHERWISE: c_int = 4;
const COLUMN: c_int = 5;

/// Arguments: the grid, the number of the column.
unsafe extern "C-unwind" fn make_column<G: Glyphs>(state: *mut lua_State) -> c_int {
    const GRID: c_int = 1;
    const X: c_int = 2;
    const MADE: c_int = 3;
    const METATABLE: c_int = 4;
    // SAFETY: the closure has the upvalues that it was made with, and nothing that has to be
    // dropped is alive where the interpreter may raise an error.
    unsafe {
        ffi::lua_settop(state, X);
        ffi::luaL_checkstack(state, 8, std::ptr::null());
        if ffi::lua_type(state, GRID) != ffi::LUA_TTABLE || place(state).is_none() {
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(MAKE_ELSE));
            ffi::lua_insert(state, 1);
            ffi::lua_call(state, 2, 1);
            return 1;
        }
        ffi::lua_createtable(state, 0, 0);
        ffi::lua_createtable(state, 0, 2);
        let functions: [(_, _, ffi::lua_CFunction); 2] =
            [(c"__index", READ_ELSE, read::<G>), (c"__newindex", WRITE_ELSE, write::<G>)];
        for (name, otherwise, function) in functions {
            for upvalue in [OWNER, TEXTS, GLYPHS, otherwise] {
                ffi::lua_pushvalue(state, ffi::lua_upvalueindex(upvalue));
            }
            ffi::lua_pushvalue(state, X);
            ffi::lua_pushcclosure(state, function, COLUMN);
            ffi::lua_setfield(state, METATABLE, name.as_ptr());
        }
        ffi::lua_setmetatable(state, MADE);
        ffi::lua_pushvalue(state, X);
        ffi::lua_pushvalue(state, MADE);
        ffi::lua_rawset(state, GRID);
        1
    }
}

/// Arguments: anything, the row.
unsafe extern "C-unwind" fn read<G: Glyphs>(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with, and so the owner and its grid.
    unsafe {
        let glyph = place(state).and_then(|y| glyphs::<G>(state).glyph(column(state), y));
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
            && let Some(y) = place(state)
        {
            let mut length = 0;
            let text = ffi::lua_tolstring(state, 3, &mut length);
            if length == 1 && glyphs::<G>(state).set_glyph(column(state), y, *text.cast()) {
                return 0;
            }
        }
        call_otherwise(state)
    }
}

/// The second argument, if it is a whole number.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn place(state: *mut lua_State) -> Option<i32> {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_type(state, 2) != ffi::LUA_TNUMBER {
            return None;
        }
        whole(ffi::lua_tonumber(state, 2))
    }
}

/// # Safety
/// The state must be that of [`read`] or [`write`].
unsafe fn column(state: *mut lua_State) -> i32 {
    // SAFETY: upheld by the caller.
    unsafe { ffi::lua_tonumber(state, ffi::lua_upvalueindex(COLUMN)) as i32 }
}

/// # Safety
/// The state must be that of a function made here, for the same glyphs.
unsafe fn glyphs<'a, G>(state: *mut lua_State) -> &'a G {
    // SAFETY: upheld by the caller.
    unsafe { &*ffi::lua_touserdata(state, ffi::lua_upvalueindex(GLYPHS)).cast_const().cast() }
}

/// Calls the other function.
///
/// # Safety
/// The state must be that of [`read`] or [`write`].
unsafe fn call_otherwise(state: *mut lua_State) -> c_int {
    // SAFETY: upheld by the caller.
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
        let column = unsafe {
            let otherwise = [&otherwise, &otherwise, &otherwise];
            column_maker(lua, &owner, Rc::as_ptr(&row), &texts, otherwise).unwrap()
        };
        let weak = Rc::downgrade(&row);
        lua.globals().set("column", column).unwrap();
        drop((owner, row));
        let shown: String = lua
            .load(
                "local grid = {}
                local metatable = getmetatable(column(grid, 7))
                local read, write = metatable.__index, metatable.__newindex
                collectgarbage() collectgarbage()
                grid[7][1] = '#'
                return table.concat({ grid[7][0], grid[7][1], read(nil, 3), read(nil, 1.5),
                    read(nil, 'y'), write(nil, 0, 'ab'), write(nil, 9, 'z'), write(nil, 0, 5),
                    column(grid, 'x') }, '|')",
            )
            .eval()
            .unwrap();
        let others = ["7 3", "7 1.5", "7 y", "7 0 ab", "7 9 z", "7 0 5"];
        let others = others.map(|arguments| format!("|else userdata {arguments}"));
        assert_eq!(shown, format!("a|#{}|else table x", others.concat()));
        assert_eq!(*weak.upgrade().expect("the functions keep it").0.borrow(), *b"a#c");
    }
}
