//! New plans for rooms, `hyper`'s usage grids: written as wholes, with the fields in the order of
//! the library's own.
//!
//! As in [`crate::cells`], nothing that has to be dropped is made while the interpreter's functions
//! are called.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::layout::{Slot, arguments, set_element};
use crate::names::{names, push_names};
use crate::shapes::Shape;

/// A cell of a new plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewCell {
    /// Rock of a plan that knows of no level.
    Space,
    /// What a cell of the level is.
    Level {
        /// The number of its feature.
        feature: i32,
        /// Whether it belongs to a vault.
        vault: bool,
        /// Whether it blocks the way.
        solid: bool,
        /// Whether it is a wall.
        wall: bool,
    },
}

names! { 1:
    FEATURE = c"feature",
    /// The name of the field of space, and what its feature is called.
    SPACE = c"space",
    VAULT = c"vault",
    CARVABLE = c"carvable",
    SOLID = c"solid",
    ANCHORS = c"anchors",
    WALL = c"wall",
    ELIGIBLES = c"eligibles",
    WIDTH = c"width",
    HEIGHT = c"height",
    OPEN = c"open",
    CLOSED = c"closed",
}
const GRID: c_int = CLOSED + 1;

/// Returns a new plan, with the cells that are given row by row.
pub fn write_new_plan(lua: &Lua, width: usize, cells: &[NewCell]) -> Result<Table> {
    let width = width.max(1);
    let height = cells.len() / width;
    // SAFETY: there is room for what is pushed, and every slot is given back.
    unsafe {
        lua.exec_raw::<Table>((), |state| {
            ffi::luaL_checkstack(state, 32, std::ptr::null());
            push_names(state, NAMES);
            push_grid(state, width, height);
            let Some(shapes) = CellShapes::push(state) else { return };
            for (row, y) in cells.chunks_exact(width).zip(0..) {
                ffi::lua_createtable(state, width as c_int - 1, 1);
                for (&cell, x) in row.iter().zip(0..) {
                    push_new_cell(state, &shapes, cell);
                    ffi::lua_rawseti_(state, -2, x);
                }
                set_element(state, GRID, y);
            }
            ffi::lua_settop(state, GRID);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 1);
        })
    }
}

/// Pushes a plan without rows.
///
/// # Safety
/// The stack must be as in [`write_new_plan`], with room for what is pushed.
unsafe fn push_grid(state: *mut lua_State, width: usize, height: usize) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_createtable(state, 0, 4);
        ffi::lua_pushvalue(state, ELIGIBLES);
        ffi::lua_createtable(state, 0, 2);
        for list in [OPEN, CLOSED] {
            ffi::lua_pushvalue(state, list);
            ffi::lua_createtable(state, 0, 0);
            ffi::lua_rawset(state, -3);
        }
        ffi::lua_rawset(state, GRID);
        set_anchors(state);
        for (name, side) in [(WIDTH, width), (HEIGHT, height)] {
            ffi::lua_pushvalue(state, name);
            ffi::lua_pushnumber(state, side as f64);
            ffi::lua_rawset(state, GRID);
        }
    }
}

/// The tables of cells.
struct CellShapes {
    space: Shape,
    level: Shape,
}

impl CellShapes {
    /// # Safety
    /// The stack must be as in [`write_new_plan`]: the names lie there.
    unsafe fn push(state: *mut lua_State) -> Option<CellShapes> {
        let space = [FEATURE, SOLID, SPACE, VAULT, CARVABLE, ANCHORS];
        let level = [FEATURE, VAULT, ANCHORS, WALL, SPACE, SOLID, CARVABLE];
        // SAFETY: upheld by the caller.
        unsafe {
            Some(CellShapes {
                space: Shape::push(state, 6, &space)?,
                level: Shape::push(state, 7, &level)?,
            })
        }
    }
}

/// # Safety
/// The stack must be as in [`write_new_plan`], with room for what is pushed.
unsafe fn push_new_cell(state: *mut lua_State, shapes: &CellShapes, cell: NewCell) {
    let flag = Slot::of_flag;
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_createtable(state, 0, 0);
        let (Some(&anchors), Some(&space)) =
            (arguments(state).last(), arguments(state).get(SPACE as usize - 1))
        else {
            return;
        };
        match cell {
            NewCell::Space => {
                let fields = [space, flag(true), flag(true), flag(false), flag(true), anchors];
                shapes.space.push_like(state, &fields);
            }
            NewCell::Level { feature, vault, solid, wall } => {
                let feature = Slot::of_number(feature.into());
                let fields = [feature, flag(vault), anchors, flag(wall), flag(false), flag(solid)];
                shapes.level.push_like(state, &fields);
            }
        }
        ffi::lua_remove(state, -2);
    }
}

/// Gives the table on top a list of anchors.
///
/// # Safety
/// The stack must be as in [`write_new_plan`], with room for what is pushed, and a table on top.
unsafe fn set_anchors(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, ANCHORS);
        ffi::lua_createtable(state, 0, 0);
        ffi::lua_rawset(state, -3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_rows_of_cells_and_empty_lists() -> Result<()> {
        let lua = Lua::new();
        let level = NewCell::Level { feature: 7, vault: true, solid: false, wall: true };
        let cells = [NewCell::Space, level, level, level, NewCell::Space, level];
        let plan = write_new_plan(&lua, 3, &cells)?;
        let told: String = lua
            .load(
                "local plan = ...
                local parts = { plan.width, plan.height, #plan.anchors, #plan.eligibles.open,
                    #plan.eligibles.closed }
                for y = 0, plan.height - 1 do
                    for x = 0, plan.width - 1 do
                        local cell, names = plan[y][x], {}
                        for name, value in pairs(cell) do
                            local list = type(value) == 'table' and #value or value
                            names[#names + 1] = name .. ' ' .. tostring(list)
                        end
                        table.sort(names)
                        parts[#parts + 1] = table.concat(names, ',')
                    end
                end
                return table.concat(parts, '|')",
            )
            .call(plan)?;
        let space = "anchors 0,carvable true,feature space,solid true,space true,vault false";
        let level =
            "anchors 0,carvable false,feature 7,solid false,space false,vault true,wall true";
        assert_eq!(told, format!("3|2|0|0|0|{space}|{level}|{level}|{level}|{space}|{level}"));
        Ok(())
    }
}
