//! The tables in which the library keeps a plan for rooms, `hyper`'s usage grids: what becomes of
//! cells and lists is written as wholes, with the fields in the order of the library's own.
//!
//! As in [`crate::cells`], nothing that has to be dropped is made while the interpreter's functions
//! are called.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::fields::{set_flag, set_number};
use crate::layout::set_element;
use crate::names::{names, push_names};

/// What is written into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellChange {
    /// On which sides rooms can be joined to it, counted from north against the clock: it can then
    /// be dug into.
    pub doors: [bool; 4],
    /// Whether it is marked as a buffer.
    pub buffer: bool,
    /// Whether it is on the list of closed cells or on that of open ones, and its number there.
    pub listed: Option<(bool, usize)>,
}

/// An entry of a list that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListEntry {
    /// The entry of this number before, from 1.
    Before(usize),
    /// A cell of the plan.
    Cell {
        /// Its column.
        x: usize,
        /// Its row.
        y: usize,
    },
    /// An anchor of a cell.
    Anchor {
        /// The cell's column.
        x: usize,
        /// The cell's row.
        y: usize,
        /// Its number among those of the cell, from 1.
        number: usize,
    },
}

const GRID: c_int = 1;
const NORMALS: c_int = 2;
names! { 3:
    CARVABLE = c"carvable",
    BUFFER = c"buffer",
    SPOT = c"spot",
    WHICH = c"eligibles_which",
    OPEN = c"open",
    CLOSED = c"closed",
    INDEX = c"eligibles_index",
    ANCHORS = c"anchors",
    NORMAL = c"normal",
    POS = c"pos",
    GRID_POS = c"grid_pos",
    X = c"x",
    Y = c"y",
}

/// Writes what becomes of the cells of a plan, which are given row by row, column by column.
/// `normals` has the directions of sides, from 1. The cells must be tables, those with doors must
/// have a table of anchors.
pub fn write_changes(
    lua: &Lua,
    grid: &Table,
    normals: &Table,
    width: usize,
    changes: &[CellChange],
) -> Result<()> {
    // SAFETY: there is room for what is pushed, and every slot is given back.
    unsafe {
        lua.exec_raw::<()>((grid, normals), |state| {
            ffi::luaL_checkstack(state, 32, std::ptr::null());
            push_names(state, NAMES);
            let height = changes.len() / width.max(1);
            for x in 0..width {
                for y in 0..height {
                    let change = &changes[y * width + x];
                    if push_cell(state, x, y) {
                        write_change(state, change, x as f64, y as f64);
                    }
                    ffi::lua_settop(state, Y);
                }
            }
            ffi::lua_settop(state, 0);
        })
    }
}

/// Pushes a cell of the grid; whether it is a table.
///
/// # Safety
/// The stack must be as in [`write_changes`].
unsafe fn push_cell(state: *mut lua_State, x: usize, y: usize) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_rawgeti_(state, GRID, y as c_int);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            ffi::lua_rawgeti_(state, -1, x as c_int);
        }
        ffi::lua_type(state, -1) == ffi::LUA_TTABLE
    }
}

/// Writes into the cell on top of the stack.
///
/// # Safety
/// The stack must be as in [`write_changes`], with a cell on top.
unsafe fn write_change(state: *mut lua_State, change: &CellChange, x: f64, y: f64) {
    // SAFETY: upheld by the caller.
    unsafe {
        let cell = ffi::lua_gettop(state);
        if change.doors.contains(&true) {
            set_flag(state, CARVABLE, true);
            ffi::lua_pushvalue(state, ANCHORS);
            ffi::lua_rawget(state, cell);
            if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
                for side in (0..4).filter(|&side| change.doors[side]) {
                    // The direction that leads away from the floor.
                    add_anchor(state, ((side + 2) % 4 + 1) as c_int, x, y);
                }
            }
            ffi::lua_pop(state, 1);
        }
        if change.buffer {
            set_flag(state, BUFFER, true);
        }
        if let Some((closed, number)) = change.listed {
            ffi::lua_pushvalue(state, SPOT);
            push_point(state, x, y);
            ffi::lua_rawset(state, cell);
            ffi::lua_pushvalue(state, WHICH);
            ffi::lua_pushvalue(state, if closed { CLOSED } else { OPEN });
            ffi::lua_rawset(state, cell);
            ffi::lua_pushvalue(state, INDEX);
            ffi::lua_pushnumber(state, number as f64);
            ffi::lua_rawset(state, cell);
        }
    }
}

/// # Safety
/// The stack must be as in [`write_changes`].
unsafe fn push_point(state: *mut lua_State, x: f64, y: f64) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_createtable(state, 0, 2);
        set_number(state, X, x);
        set_number(state, Y, y);
    }
}

/// Adds an anchor to the list on top of the stack.
///
/// # Safety
/// The stack must be as in [`write_changes`], with a list on top.
unsafe fn add_anchor(state: *mut lua_State, normal: c_int, x: f64, y: f64) {
    // SAFETY: upheld by the caller.
    unsafe {
        let number = ffi::lua_objlen(state, -1) as c_int + 1;
        ffi::lua_createtable(state, 0, 3);
        ffi::lua_pushvalue(state, NORMAL);
        ffi::lua_rawgeti_(state, NORMALS, normal);
        ffi::lua_rawset(state, -3);
        ffi::lua_pushvalue(state, POS);
        push_point(state, 0.0, 0.0);
        ffi::lua_rawset(state, -3);
        ffi::lua_pushvalue(state, GRID_POS);
        push_point(state, x, y);
        ffi::lua_rawset(state, -3);
        set_element(state, -2, number);
    }
}

/// Writes all entries of a list of a plan, which must be a plain one.
pub fn write_list(lua: &Lua, grid: &Table, list: &Table, entries: &[ListEntry]) -> Result<()> {
    // SAFETY: there is room for what is pushed, and every slot is given back.
    unsafe {
        lua.exec_raw::<()>((grid, list), |state| {
            let (list, fresh) = (2, 3);
            ffi::luaL_checkstack(state, 16, std::ptr::null());
            ffi::lua_createtable(state, entries.len() as c_int, 0);
            for (entry, number) in entries.iter().zip(1..) {
                match *entry {
                    ListEntry::Before(index) => ffi::lua_rawgeti_(state, list, index as c_int),
                    ListEntry::Cell { x, y } => {
                        push_cell(state, x, y);
                    }
                    ListEntry::Anchor { x, y, number } => {
                        if push_cell(state, x, y) {
                            ffi::lua_pushstring(state, c"anchors".as_ptr());
                            ffi::lua_rawget(state, -2);
                        }
                        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
                            ffi::lua_rawgeti_(state, -1, number as c_int);
                        }
                    }
                }
                ffi::lua_rawseti_(state, fresh, number);
                ffi::lua_settop(state, fresh);
            }
            for number in 1..=entries.len() as c_int {
                ffi::lua_rawgeti_(state, fresh, number);
                set_element(state, list, number);
            }
            let mut last = ffi::lua_objlen(state, list) as c_int;
            while last > entries.len() as c_int {
                ffi::lua_pushnil(state);
                set_element(state, list, last);
                last -= 1;
            }
            ffi::lua_settop(state, 0);
        })
    }
}
