//! What the library writes into a plan where it builds a room of the Vaults: as wholes, with the
//! fields in the order of the library's own.
//!
//! As in [`crate::cells`], nothing that has to be dropped is made while the interpreter's functions
//! are called.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::fields::{set_number, set_value};
use crate::layout::{Shift, set_element, shift_elements};
use crate::names::{names, push_names};

/// What becomes of a cell of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewUse {
    /// It stays as it is.
    Kept,
    /// It may be used by others.
    Empty,
    /// It is part of the room.
    Vault,
    /// It is a wall between the room and the one it is built on.
    Door,
    /// It is a wall between the room and another.
    Cell,
    /// It is a wall.
    Wall,
    /// Other rooms can be built on it.
    Entrance {
        /// Whether these are built in rock.
        in_rock: bool,
        /// The number of the direction they are in, from 1.
        normal: u8,
    },
}

/// The lists of cells that doors can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorList {
    /// Those to open floor.
    Outer,
    /// Those to the room that it is built on.
    Inner,
    /// Those to others, by the room's side.
    Others(u8),
}

/// What becomes of a cell under a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltCell {
    /// Where it is in the plan.
    pub at: (i32, i32),
    /// What it is used for.
    pub usage: NewUse,
    /// The list it is on.
    pub door: Option<DoorList>,
}

/// The tables that lists of doors are.
pub struct Doors {
    /// Those to open floor.
    pub outer: Table,
    /// Those to the room that it is built on.
    pub inner: Table,
    /// Lists of those to others, by the room's side.
    pub others: Table,
}

const PLAN: c_int = 1;
const ROOM: c_int = 2;
const LIST: c_int = 3;
const NORMALS: c_int = 4;
names! { 5:
    USAGE = c"usage",
    EMPTY = c"empty",
    RESTRICTED = c"restricted",
    REASON = c"reason",
    ROOM_NAME = c"room",
    VAULT = c"vault",
    DOOR = c"door",
    /// The name of a field, and a reason.
    CELL = c"cell",
    WALL = c"wall",
    ELIGIBLE = c"eligible",
    ELIGIBLE_OPEN = c"eligible_open",
    NORMAL = c"normal",
    DEPTH = c"depth",
    MASK = c"mask",
    SPOT = c"spot",
    X = c"x",
    Y = c"y",
    INDEX = c"eligibles_index",
    ROOM_COORD = c"room_coord",
    GRID_POS = c"grid_pos",
    ROOM_POS = c"room_pos",
    ROOM_CELL = c"room_cell",
    ROOM_MASK = c"room_mask",
    GRID_USAGE = c"grid_usage",
    ELIGIBLES_NAME = c"eligibles",
}
const ELIGIBLES: c_int = ELIGIBLES_NAME + 1;
const OUTER: c_int = ELIGIBLES + 1;
const INNER: c_int = OUTER + 1;
const OTHERS: c_int = INNER + 1;
const ENTRY: c_int = OTHERS + 1;
const ENTRY_MASK: c_int = ENTRY + 1;
const ENTRY_CELL: c_int = ENTRY_MASK + 1;
const BEFORE: c_int = ENTRY_CELL + 1;

/// Writes a room into a plan: what becomes of each cell of `list`, in its order. The plan must have
/// a plain list of cells that rooms can be built on, those of its cells that are on it a number
/// there, `normals` the directions of sides, from 1.
pub fn build_room(
    lua: &Lua,
    plan: &Table,
    room: &Table,
    list: &Table,
    normals: &Table,
    depth: f64,
    cells: &[BuiltCell],
) -> Result<Doors> {
    // SAFETY: there is room for what is pushed, and every slot is given back.
    let (outer, inner, others) = unsafe {
        lua.exec_raw::<(Table, Table, Table)>((plan, room, list, normals), |state| {
            ffi::luaL_checkstack(state, 64, std::ptr::null());
            push_names(state, NAMES);
            ffi::lua_pushvalue(state, ELIGIBLES_NAME);
            ffi::lua_rawget(state, PLAN);
            for _ in [OUTER, INNER, OTHERS] {
                ffi::lua_createtable(state, 0, 0);
            }
            for (cell, number) in cells.iter().zip(1..) {
                push_entry(state, number);
                build_cell(state, cell, depth);
                if let Some(list) = cell.door {
                    add_door(state, list);
                }
                ffi::lua_settop(state, OTHERS);
            }
            for (result, list) in [OUTER, INNER, OTHERS].into_iter().zip(1..) {
                ffi::lua_pushvalue(state, result);
                ffi::lua_replace(state, list);
            }
            ffi::lua_settop(state, 3);
        })?
    };
    Ok(Doors { outer, inner, others })
}

/// Pushes an entry of the list, and what it holds.
///
/// # Safety
/// The stack must be as in [`build_room`].
unsafe fn push_entry(state: *mut lua_State, number: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_rawgeti_(state, LIST, number);
        for name in [ROOM_MASK, ROOM_CELL, GRID_USAGE] {
            ffi::lua_pushvalue(state, name);
            ffi::lua_rawget(state, ENTRY);
        }
    }
}

/// # Safety
/// The stack must be as in [`build_room`], with an entry on top.
unsafe fn build_cell(state: *mut lua_State, cell: &BuiltCell, depth: f64) {
    // SAFETY: upheld by the caller.
    unsafe {
        let restricted = |reason| {
            ffi::lua_createtable(state, 0, 3);
            set_value(state, USAGE, RESTRICTED);
            set_value(state, ROOM_NAME, ROOM);
            set_value(state, REASON, reason);
        };
        match cell.usage {
            NewUse::Kept => return,
            NewUse::Empty => {
                ffi::lua_createtable(state, 0, 1);
                set_value(state, USAGE, EMPTY);
            }
            NewUse::Vault => restricted(VAULT),
            NewUse::Door => restricted(DOOR),
            NewUse::Cell => restricted(CELL),
            NewUse::Wall => {
                ffi::lua_createtable(state, 0, 6);
                set_value(state, USAGE, RESTRICTED);
                set_value(state, REASON, WALL);
                set_value(state, ROOM_NAME, ROOM);
                set_value(state, CELL, ENTRY_CELL);
                set_value(state, MASK, ENTRY_MASK);
                set_number(state, DEPTH, depth);
            }
            NewUse::Entrance { in_rock, normal } => {
                ffi::lua_createtable(state, 0, 6);
                set_value(state, USAGE, if in_rock { ELIGIBLE } else { ELIGIBLE_OPEN });
                set_value(state, ROOM_NAME, ROOM);
                ffi::lua_pushvalue(state, NORMAL);
                ffi::lua_rawgeti_(state, NORMALS, normal.into());
                ffi::lua_rawset(state, -3);
                set_number(state, DEPTH, depth);
                set_value(state, CELL, ENTRY_CELL);
                set_value(state, MASK, ENTRY_MASK);
            }
        }
        set_usage(state, cell);
    }
}

/// Puts the table on top into the plan, as the library's function for that does.
///
/// # Safety
/// The stack must be as in [`build_room`], with an entry and a table on top.
unsafe fn set_usage(state: *mut lua_State, cell: &BuiltCell) {
    let (x, y) = cell.at;
    // SAFETY: upheld by the caller.
    unsafe {
        let usage = ffi::lua_gettop(state);
        ffi::lua_rawgeti_(state, PLAN, y);
        if ffi::lua_type(state, -1) != ffi::LUA_TTABLE {
            return;
        }
        ffi::lua_rawgeti_(state, -1, x);
        if ffi::lua_type(state, -1) != ffi::LUA_TTABLE {
            return;
        }
        ffi::lua_pushvalue(state, INDEX);
        ffi::lua_rawget(state, -2);
        if ffi::lua_type(state, -1) == ffi::LUA_TNUMBER {
            remove(state, ELIGIBLES, ffi::lua_tonumber(state, -1) as i64);
        }
        ffi::lua_settop(state, usage + 1);
        if matches!(cell.usage, NewUse::Entrance { .. }) {
            ffi::lua_pushvalue(state, SPOT);
            ffi::lua_createtable(state, 0, 2);
            set_number(state, X, x.into());
            set_number(state, Y, y.into());
            ffi::lua_rawset(state, usage);
            let number = ffi::lua_objlen(state, ELIGIBLES) as c_int + 1;
            ffi::lua_pushvalue(state, usage);
            set_element(state, ELIGIBLES, number);
            ffi::lua_pushvalue(state, INDEX);
            ffi::lua_pushnumber(state, ffi::lua_objlen(state, ELIGIBLES) as f64);
            ffi::lua_rawset(state, usage);
        }
        ffi::lua_pushvalue(state, usage);
        set_element(state, usage + 1, x);
    }
}

/// Takes an element out of a list, if it has one of this number.
///
/// # Safety
/// The state must be one of an interpreter, with a table at the index and room on its stack.
pub(crate) unsafe fn remove(state: *mut lua_State, list: c_int, at: i64) {
    // SAFETY: upheld by the caller.
    unsafe {
        let end = ffi::lua_objlen(state, list) as i64;
        if at < 1 || at > end {
            return;
        }
        let table = ffi::lua_topointer(state, list).cast_mut();
        if !shift_elements(table, at + 1, end, Shift::Down) {
            for number in at..end {
                ffi::lua_rawgeti_(state, list, number as c_int + 1);
                set_element(state, list, number as c_int);
            }
        }
        ffi::lua_pushnil(state);
        set_element(state, list, end as c_int);
    }
}

/// Adds the entry to a list of doors.
///
/// # Safety
/// The stack must be as in [`build_room`], with an entry behind the lists.
unsafe fn add_door(state: *mut lua_State, list: DoorList) {
    // SAFETY: upheld by the caller.
    unsafe {
        let list = match list {
            DoorList::Outer => OUTER,
            DoorList::Inner => INNER,
            DoorList::Others(side) => {
                ffi::lua_rawgeti_(state, OTHERS, side.into());
                if ffi::lua_type(state, -1) == ffi::LUA_TNIL {
                    ffi::lua_pop(state, 1);
                    ffi::lua_createtable(state, 0, 0);
                    ffi::lua_pushvalue(state, -1);
                    set_element(state, OTHERS, side.into());
                }
                ffi::lua_gettop(state)
            }
        };
        ffi::lua_createtable(state, 0, 4);
        for (name, field) in [(ROOM_COORD, ROOM_POS), (GRID_POS, GRID_POS)] {
            ffi::lua_pushvalue(state, name);
            ffi::lua_pushvalue(state, field);
            ffi::lua_rawget(state, ENTRY);
            ffi::lua_rawset(state, -3);
        }
        set_value(state, USAGE, BEFORE);
        set_value(state, MASK, ENTRY_MASK);
        let number = ffi::lua_objlen(state, list) as c_int + 1;
        set_element(state, list, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_and_doors_listed() -> Result<()> {
        let lua = Lua::new();
        let (plan, list, normals): (Table, Table, Table) = lua
            .load(
                "local old = { usage = 'open', eligibles_index = 1 }
                local plan = { eligibles = { old }, [0] = { [0] = old, { usage = 'none' }, { n = 3 } } }
                local list = {}
                for x = 0, 2 do
                    list[x + 1] = {
                        room_pos = { x = x, y = 7 }, room_cell = { n = x }, room_mask = { n = x },
                        grid_usage = plan[0][x], grid_pos = { x = x, y = 0 },
                    }
                end
                return plan, list, { 'n', 'w', 's', 'e' }",
            )
            .eval()?;
        let room = lua.create_table()?;
        let entrance = NewUse::Entrance { in_rock: false, normal: 2 };
        let cells = [
            BuiltCell { at: (0, 0), usage: entrance, door: Some(DoorList::Outer) },
            BuiltCell { at: (1, 0), usage: NewUse::Vault, door: None },
            BuiltCell { at: (2, 0), usage: NewUse::Kept, door: Some(DoorList::Others(3)) },
        ];
        let doors = build_room(&lua, &plan, &room, &list, &normals, 2.0, &cells)?;
        let told: String = lua
            .load(
                "local plan, room, outer, others = ...
                local first, second = plan[0][0], plan[0][1]
                return table.concat({
                    #plan.eligibles, first.usage, first.normal, first.depth, first.spot.x,
                    first.eligibles_index, first.mask.n, second.usage, second.reason, plan[0][2].n,
                    #outer, outer[1].usage.usage, others[3][1].room_coord.x,
                    tostring(first.room == room and plan.eligibles[1] == first),
                }, ' ')",
            )
            .call((plan, room, doors.outer, doors.others))?;
        assert_eq!(told, "1 eligible_open w 2 0 1 0 restricted vault 3 1 open 2 true");
        assert_eq!(doors.inner.raw_len(), 0);
        Ok(())
    }
}
