//! Writing a room of `hyper` into a plan: the interpreter's own, since a room may have thousands of
//! cells.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result};

use crate::fields::{set_field_of, set_flag, set_number, set_value};
use crate::layout::set_element;
use crate::meter::Meter;
use crate::names::{names, push_names};

/// Returns a function that writes the cells of a room into a plan: with the plan, the list of the
/// cells, one that [`crate::room_coords::read_coords`] reads, the room, the directions of sides,
/// the cell of the plan that it is joined to, where its first cell is, where its right and its
/// bottom are, column and row of each, how often it is turned against the clock, and how far it is
/// from the first room. It answers the list
/// of cells that other rooms can be dug from and that stand on floor. `write` writes a cell, as
/// [`crate::plan_functions`] has it.
pub fn room_settler(lua: &Lua, write: &Function) -> Result<Function> {
    // SAFETY: the only upvalue is on the stack.
    unsafe { lua.exec_raw(write, |state| ffi::lua_pushcclosure(state, settle, 1)) }
}

/// The only upvalue.
const WRITE: c_int = 1;

/// The arguments; of places the column, which the row follows.
const PLAN: c_int = 1;
const LIST: c_int = 2;
const ROOM: c_int = 3;
const NORMALS: c_int = 4;
/// The cell of the plan that the room is joined to.
const FROM: c_int = 5;
const BASE: c_int = 6;
const RIGHT: c_int = 8;
const DOWN: c_int = 10;
const TURNS: c_int = 12;
const DEPTH: c_int = 13;
names! { 14:
    ROOM_CELL = c"room_cell",
    GRID_USAGE = c"grid_usage",
    GRID_POS = c"grid_pos",
    ROOM_POS = c"room_pos",
    ROOM_COORD = c"room_coord",
    CELL_NAME = c"cell",
    X = c"x",
    Y = c"y",
    ANCHORS = c"anchors",
    NORMAL = c"normal",
    DIR = c"dir",
    POS = c"pos",
    CARVABLE = c"carvable",
    OPEN_AREA = c"open_area",
    SOLID = c"solid",
    DEPTH_NAME = c"depth",
    ROOM_NAME = c"room",
    ROOM_DIR = c"room_dir",
}
const ENTRANCES: c_int = ROOM_DIR + 1;
const ENTRY: c_int = ENTRANCES + 1;
const CELL: c_int = ENTRY + 1;
const USAGE: c_int = CELL + 1;
const AT: c_int = USAGE + 1;

/// What a cell costs, in instructions.
const COST: u64 = 30;

unsafe extern "C-unwind" fn settle(state: *mut lua_State) -> c_int {
    // SAFETY: there is room for what is pushed; nothing that has to be dropped is alive where the
    // interpreter may raise an error.
    unsafe {
        ffi::lua_settop(state, DEPTH);
        let tables = [PLAN, LIST, NORMALS, FROM].map(|index| ffi::lua_type(state, index));
        if tables != [ffi::LUA_TTABLE; 4] {
            return 0;
        }
        ffi::luaL_checkstack(state, 40, std::ptr::null());
        push_names(state, NAMES);
        ffi::lua_createtable(state, 0, 0);
        let count = ffi::lua_objlen(state, LIST) as c_int;
        Meter::of(state).charge(state, count as u64 * COST);
        for number in 1..=count {
            ffi::lua_rawgeti_(state, LIST, number);
            if ffi::lua_type(state, ENTRY) != ffi::LUA_TTABLE {
                break;
            }
            for name in [ROOM_CELL, GRID_USAGE, GRID_POS] {
                push_field(state, ENTRY, name);
            }
            let tables = [CELL, USAGE, AT].map(|index| ffi::lua_type(state, index));
            if tables == [ffi::LUA_TTABLE; 3] {
                settle_cell(state);
            }
            ffi::lua_settop(state, ENTRANCES);
        }
        ffi::lua_settop(state, ENTRANCES);
        1
    }
}

/// Pushes a field of a table.
///
/// # Safety
/// The stack must be as in [`settle`], with a table and a name at the indices.
unsafe fn push_field(state: *mut lua_State, table: c_int, name: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, name);
        ffi::lua_rawget(state, table);
    }
}

/// Whether a field of a table is true.
///
/// # Safety
/// The stack must be as in [`settle`], with a table and a name at the indices.
unsafe fn is_true(state: *mut lua_State, table: c_int, name: c_int) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        push_field(state, table, name);
        let is_true = ffi::lua_toboolean(state, -1) != 0;
        ffi::lua_pop(state, 1);
        is_true
    }
}

/// Writes the cell of the entry that is on the stack.
///
/// # Safety
/// The stack must be as in [`settle`], with an entry and its three tables on top.
unsafe fn settle_cell(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        push_field(state, CELL, ANCHORS);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            turn_anchors(state);
            ffi::lua_settop(state, AT);
        } else {
            ffi::lua_settop(state, AT);
            ffi::lua_pushvalue(state, CELL);
            ffi::lua_pushvalue(state, ANCHORS);
            ffi::lua_createtable(state, 0, 0);
            ffi::lua_rawset(state, -3);
        }
        ffi::lua_settop(state, AT);
        if is_true(state, CELL, CARVABLE) {
            if is_true(state, FROM, OPEN_AREA) || !is_true(state, FROM, SOLID) {
                ffi::lua_pushvalue(state, CELL);
                set_flag(state, OPEN_AREA, true);
                ffi::lua_settop(state, AT);
            }
            if !is_true(state, USAGE, SOLID) {
                add_entrance(state);
            }
        }
        ffi::lua_pushvalue(state, CELL);
        set_value(state, DEPTH_NAME, DEPTH);
        set_value(state, ROOM_NAME, ROOM);
        set_value(state, ROOM_DIR, TURNS);
        ffi::lua_settop(state, AT);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(WRITE));
        ffi::lua_pushvalue(state, PLAN);
        push_field(state, AT, X);
        push_field(state, AT, Y);
        ffi::lua_pushvalue(state, CELL);
        ffi::lua_call(state, 4, 0);
    }
}

/// Adds the cell to those that can be entered.
///
/// # Safety
/// The stack must be as in [`settle`], with an entry and its three tables on top.
unsafe fn add_entrance(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let number = ffi::lua_objlen(state, ENTRANCES) as c_int + 1;
        ffi::lua_createtable(state, 0, 3);
        ffi::lua_pushvalue(state, ROOM_COORD);
        push_field(state, ENTRY, ROOM_POS);
        ffi::lua_rawset(state, -3);
        set_field_of(state, GRID_POS, ENTRY);
        set_value(state, CELL_NAME, CELL);
        set_element(state, ENTRANCES, number);
    }
}

/// Turns the anchors of the list on top of the stack, and places them in the plan.
///
/// # Safety
/// The stack must be as in [`settle`], with a list on top.
unsafe fn turn_anchors(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let list = ffi::lua_gettop(state);
        let anchor = list + 1;
        let (normal, pos) = (anchor + 1, anchor + 2);
        for number in 1.. {
            ffi::lua_rawgeti_(state, list, number);
            if ffi::lua_type(state, anchor) != ffi::LUA_TTABLE {
                return;
            }
            push_field(state, anchor, NORMAL);
            push_field(state, anchor, POS);
            if [normal, pos].map(|index| ffi::lua_type(state, index)) != [ffi::LUA_TTABLE; 2] {
                return;
            }
            push_field(state, normal, DIR);
            let side = (ffi::lua_tonumber(state, -1) + ffi::lua_tonumber(state, TURNS)) as c_int;
            ffi::lua_settop(state, pos);
            ffi::lua_pushvalue(state, anchor);
            ffi::lua_pushvalue(state, NORMAL);
            ffi::lua_rawgeti_(state, NORMALS, side.rem_euclid(4) + 1);
            ffi::lua_rawset(state, -3);
            ffi::lua_pushvalue(state, GRID_POS);
            push_placed(state, pos);
            ffi::lua_rawset(state, -3);
            ffi::lua_settop(state, list);
        }
    }
}

/// Pushes where a point of the room is in the plan.
///
/// # Safety
/// The stack must be as in [`settle`], with a table at the index.
unsafe fn push_placed(state: *mut lua_State, point: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        push_field(state, point, X);
        push_field(state, point, Y);
        let (x, y) = (ffi::lua_tonumber(state, -2), ffi::lua_tonumber(state, -1));
        ffi::lua_pop(state, 2);
        let number = |index| ffi::lua_tonumber(state, index);
        let placed =
            |axis| number(BASE + axis) + x * number(RIGHT + axis) + y * number(DOWN + axis);
        let (x, y) = (placed(0), placed(1));
        ffi::lua_createtable(state, 0, 2);
        set_number(state, X, x);
        set_number(state, Y, y);
    }
}

#[cfg(test)]
mod tests {
    use mlua::Table;

    use super::*;
    use crate::{Interpreter, Limits};

    #[test]
    fn cells_know_their_room_and_those_on_floor_can_be_entered() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let (write, plan, list, normals): (Function, Table, Table, Table) = lua
            .load(
                "told = {}
                local function write(plan, x, y, cell)
                    told[#told + 1] = plan.n .. x .. y .. cell.depth .. cell.room_dir
                        .. tostring(cell.open_area) .. #cell.anchors
                end
                local north = { dir = 3 }
                local anchor = { normal = north, pos = { x = 1, y = 0 } }
                local function entry(x, cell, usage)
                    return { room_pos = { n = x }, grid_pos = { x = x, y = 7 }, room_cell = cell,
                        grid_usage = usage }
                end
                list = {
                    entry(1, { anchors = { anchor } }, {}), entry(2, { carvable = true }, {}),
                    entry(3, { carvable = true }, { solid = true }),
                    entry(4, {}, { solid = true }),
                }
                return write, { n = 'p' }, list, { 'n', 'w', 's', 'e' }",
            )
            .eval()
            .unwrap();
        let settle = room_settler(lua, &write).unwrap();
        let room = lua.create_table().unwrap();
        let solid: Table = lua.load("return { solid = true }").eval().unwrap();
        let open: Table = lua.load("return { solid = true, open_area = true }").eval().unwrap();
        let settled = |from: &Table| -> Table {
            let tables = (&plan, &list, &room, &normals, from);
            let (plan, list, room, normals, from) = tables;
            settle.call((plan, list, room, normals, from, 5, 6, 0, -1, 1, 0, 2, 4)).unwrap()
        };
        settled(&solid);
        let entrances = settled(&open);
        let told: String = lua
            .load(
                "local entrances = ...
                local anchor = list[1].room_cell.anchors[1]
                told[#told + 1] = anchor.normal .. anchor.grid_pos.x .. anchor.grid_pos.y
                told[#told + 1] = #entrances .. entrances[1].room_coord.n
                    .. tostring(entrances[1].cell == list[2].room_cell) .. entrances[1].grid_pos.x
                return table.concat(told, ' ')",
            )
            .call(entrances)
            .unwrap();
        let first = "p1742nil1 p2742nil0 p3742nil0 p4742nil0";
        let second = "p1742nil1 p2742true0 p3742true0 p4742nil0";
        assert_eq!(told, format!("{first} {second} w55 12true2"));
    }
}
