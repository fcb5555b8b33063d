//! Filling rectangles of a plan for rooms, `hyper`'s usage grids: the interpreter's own, since a
//! layout that is painted has thousands of cells.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result};

use crate::layout::{Slot, arguments};
use crate::meter::Meter;
use crate::names::{names, push_names};
use crate::shapes::Shape;

/// Returns a function that fills a rectangle of a plan with new cells, column by column: with the
/// plan, the sides left, top, right and bottom, and of the cells the feature and whether they are
/// space, solid and walls. `write` writes a cell, as [`crate::plan_functions`] has it.
pub fn plan_filler(lua: &Lua, write: &Function) -> Result<Function> {
    // SAFETY: the values are pushed in the order of the upvalues below.
    unsafe {
        lua.exec_raw(write, |state| {
            ffi::luaL_checkstack(state, 8, std::ptr::null());
            push_names(state, NAMES);
            ffi::lua_pushcclosure(state, fill, 1 + NAMES.len() as c_int);
        })
    }
}

/// The upvalues.
const WRITE: c_int = 1;
names! { 2:
    SOLID_NAME = c"solid",
    OPEN_NAME = c"open",
    SPACE_NAME = c"space",
    FEATURE_NAME = c"feature",
    WALL_NAME = c"wall",
}

/// The arguments.
const PLAN: c_int = 1;
const LEFT: c_int = 2;
const TOP: c_int = 3;
const RIGHT: c_int = 4;
const BOTTOM: c_int = 5;
const FEATURE: c_int = 6;
const SPACE: c_int = 7;
const SOLID: c_int = 8;
const WALL: c_int = 9;

/// What a cell costs, in instructions.
const CELL: u64 = 24;

unsafe extern "C-unwind" fn fill(state: *mut lua_State) -> c_int {
    // SAFETY: there is room for what is pushed; nothing that has to be dropped is alive where the
    // interpreter may raise an error.
    unsafe {
        ffi::lua_settop(state, WALL);
        ffi::luaL_checkstack(state, 20, std::ptr::null());
        let side = |index| ffi::lua_tonumber(state, index);
        let (left, top, right, bottom) = (side(LEFT), side(TOP), side(RIGHT), side(BOTTOM));
        let slot = |index: c_int| arguments(state).get(index as usize - 1).copied();
        let (Some(solid), Some(space), Some(feature), Some(wall)) =
            (slot(SOLID), slot(SPACE), slot(FEATURE), slot(WALL))
        else {
            return 0;
        };
        let values = [solid, Slot::of_flag(false), space, feature, wall];
        for name in [SOLID_NAME, OPEN_NAME, SPACE_NAME, FEATURE_NAME, WALL_NAME] {
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(name));
        }
        let names: [c_int; 5] = std::array::from_fn(|number| WALL + 1 + number as c_int);
        let Some(shape) = Shape::push(state, 5, &names) else { return 0 };
        let mut x = left;
        while x <= right {
            Meter::of(state).charge(state, (bottom - top + 1.0) as u64 * CELL);
            let mut y = top;
            while y <= bottom {
                ffi::lua_pushvalue(state, ffi::lua_upvalueindex(WRITE));
                ffi::lua_pushvalue(state, PLAN);
                ffi::lua_pushnumber(state, x);
                ffi::lua_pushnumber(state, y);
                shape.push_like(state, &values);
                ffi::lua_call(state, 4, 0);
                y += 1.0;
            }
            x += 1.0;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Limits};

    #[test]
    fn cells_are_written_column_by_column() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let write = lua.load(
            "told = {}
            return function(plan, x, y, cell)
                local names = {}
                for name, value in pairs(cell) do names[#names + 1] = name .. tostring(value) end
                table.sort(names)
                told[#told + 1] = plan .. x .. y .. ' ' .. table.concat(names, ' ')
            end",
        );
        let fill = plan_filler(lua, &write.eval().unwrap()).unwrap();
        fill.call::<()>(("p", 1, 2, 2, 3, "floor", true, false, false)).unwrap();
        let told: String = lua.load("return table.concat(told, ',')").eval().unwrap();
        let cell = "featurefloor openfalse solidfalse spacetrue wallfalse";
        assert_eq!(told, ["p12", "p13", "p22", "p23"].map(|at| format!("{at} {cell}")).join(","));
        fill.call::<()>(("p", 1, 2, 0, 3, "floor", true, false, false)).unwrap();
        assert_eq!(lua.load("return #told").eval::<u32>().unwrap(), 4, "no column");
    }
}
