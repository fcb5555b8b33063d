//! Iterators over the cells of a rectangle. They are native, since those of the library make three
//! calls for each point.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result, Table};

/// The upvalues: where the iterator is, the sides, the metatable of points, and the names of their
/// fields.
const X: c_int = 1;
const Y: c_int = 2;
const LEFT: c_int = 3;
const RIGHT: c_int = 4;
const BOTTOM: c_int = 5;
const METATABLE: c_int = 6;
const X_NAME: c_int = 7;
const Y_NAME: c_int = 8;

/// Returns a function that returns the points of a rectangle, `{x, y}` with a metatable, row by row
/// from the top, then nil. The sides are left, top, right and bottom, inclusive.
pub fn rectangle(lua: &Lua, sides: [f64; 4], points: &Table) -> Result<Function> {
    let [left, top, right, bottom] = sides;
    // SAFETY: the values are pushed in the order of the upvalues.
    unsafe {
        lua.exec_raw(points, |state| {
            ffi::luaL_checkstack(state, Y_NAME, std::ptr::null());
            for number in [left - 1.0, top, left, right, bottom] {
                ffi::lua_pushnumber(state, number);
            }
            ffi::lua_pushvalue(state, 1);
            ffi::lua_pushstring(state, c"x".as_ptr());
            ffi::lua_pushstring(state, c"y".as_ptr());
            ffi::lua_pushcclosure(state, next, Y_NAME);
            ffi::lua_replace(state, 1);
        })
    }
}

unsafe extern "C-unwind" fn next(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with, and only it writes to them.
    // Nothing that has to be dropped is alive where the interpreter may raise an error.
    unsafe {
        let number = |upvalue| ffi::lua_tonumber(state, ffi::lua_upvalueindex(upvalue));
        let keep = |upvalue, number| {
            ffi::lua_pushnumber(state, number);
            ffi::lua_replace(state, ffi::lua_upvalueindex(upvalue));
        };
        ffi::lua_settop(state, 0);
        ffi::luaL_checkstack(state, 4, std::ptr::null());
        let (mut x, mut y) = (number(X), number(Y));
        // Where the corners are no whole numbers, the last cell of a row lies beyond the side.
        let row_ends = x >= number(RIGHT);
        if row_ends {
            (x, y) = (number(LEFT), y + 1.0);
            keep(Y, y);
        } else {
            x += 1.0;
        }
        keep(X, x);
        if row_ends && y > number(BOTTOM) {
            ffi::lua_pushnil(state);
            return 1;
        }
        ffi::lua_createtable(state, 0, 2);
        for (name, number) in [(X_NAME, x), (Y_NAME, y)] {
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(name));
            ffi::lua_pushnumber(state, number);
            ffi::lua_rawset(state, 1);
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(METATABLE));
        ffi::lua_setmetatable(state, 1);
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_row_by_row_with_the_metatable_of_points() -> Result<()> {
        let lua = Lua::new();
        let points = lua.create_table()?;
        lua.globals().set("cells", rectangle(&lua, [3.0, 1.0, 4.0, 2.0], &points)?)?;
        lua.globals().set("points", &points)?;
        drop(points);
        lua.gc_collect()?;
        let shown: String = lua
            .load(
                "local all = {}
                for p in cells do
                    all[#all + 1] = p.x .. ',' .. p.y .. tostring(getmetatable(p) == points)
                end
                return table.concat(all, ' ')",
            )
            .eval()?;
        assert_eq!(shown, "3,1true 4,1true 3,2true 4,2true");
        Ok(())
    }
}
