//! The tables in which the library keeps what a room of the Vaults has on each cell, and where it
//! can be entered: written as wholes, with the fields in the order of the library's own.
//!
//! As in [`crate::cells`], nothing that has to be dropped is made while the interpreter's functions
//! are called.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::fields::{set_field_of, set_flag, set_number, set_value};
use crate::layout::{Slot, arguments};
use crate::names::{names, push_names};
use crate::shapes::Shape;

/// What a room has on a cell, or beside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomMask {
    /// Nothing.
    Space,
    /// What is within.
    Vault,
    /// Part of its wall.
    Wall,
    /// Part of its wall with floor behind it.
    Door {
        /// Which side, counted from north against the clock.
        side: u8,
        /// Whether one may enter there.
        open: bool,
    },
}

/// Where a cell of a room lies: in its own grid, and in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomPlace {
    /// Its column and row in the room.
    pub room: (i32, i32),
    /// Its column and row in the plan.
    pub plan: (i32, i32),
}

/// Returns the list that the library makes of the cells of a room where it fits: where each lies,
/// what the room has there, and the cell of the plan. Where the room's grid has nothing is rock.
pub fn list_room_cells(
    lua: &Lua,
    plan: &Table,
    grid: &Table,
    masks: &Table,
    places: &[RoomPlace],
) -> Result<Table> {
    const PLAN: c_int = 1;
    const GRID: c_int = 2;
    const MASKS: c_int = 3;
    const LIST: c_int = 4;
    names! { 5:
        ROOM_POS = c"room_pos",
        ROOM_CELL = c"room_cell",
        ROOM_MASK = c"room_mask",
        GRID_USAGE = c"grid_usage",
        GRID_POS = c"grid_pos",
        X = c"x",
        Y = c"y",
    }
    // In the order in which they are set.
    const ENTRY: [c_int; 5] = [ROOM_POS, ROOM_CELL, ROOM_MASK, GRID_USAGE, GRID_POS];
    // SAFETY: there is room for what is pushed, and every slot is given back.
    unsafe {
        lua.exec_raw::<Table>((plan, grid, masks), |state| {
            ffi::luaL_checkstack(state, 32, std::ptr::null());
            ffi::lua_createtable(state, 0, 0);
            push_names(state, NAMES);
            let shapes = Shape::push(state, 5, &ENTRY).zip(Shape::push(state, 2, &[X, Y]));
            if let Some((entry, point)) = shapes {
                let push_point = |(x, y): (i32, i32)| {
                    point.push_like(state, &[x, y].map(|side| Slot::of_number(side.into())));
                };
                let top = ffi::lua_gettop(state);
                for (place, number) in places.iter().zip(1..) {
                    let ((x, y), (px, py)) = (place.room, place.plan);
                    push_point(place.room);
                    push_cell(state, GRID, x, y);
                    if ffi::lua_type(state, -1) == ffi::LUA_TNIL {
                        ffi::lua_pop(state, 1);
                        push_rock(state);
                    }
                    push_cell(state, MASKS, x, y);
                    push_cell(state, PLAN, px, py);
                    push_point(place.plan);
                    // Copied, for the stack may move while the entry is made.
                    let fields = arguments(state).get(top as usize..).unwrap_or_default();
                    if let Ok(fields) = <[Slot; 5]>::try_from(fields) {
                        entry.push_like(state, &fields);
                        ffi::lua_rawseti_(state, LIST, number);
                    }
                    ffi::lua_settop(state, top);
                }
            }
            ffi::lua_settop(state, LIST);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 1);
        })
    }
}

/// Pushes what the library takes for a cell that a room does not have.
///
/// # Safety
/// The state must be that of the function that runs, with room for two values.
unsafe fn push_rock(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_createtable(state, 0, 4);
        for (name, flag) in [(c"space", 1), (c"solid", 1), (c"exit", 0)] {
            ffi::lua_pushboolean(state, flag);
            ffi::lua_setfield(state, -2, name.as_ptr());
        }
        ffi::lua_pushstring(state, c"permarock_wall".as_ptr());
        ffi::lua_setfield(state, -2, c"feature".as_ptr());
    }
}

/// From a cell of a wall to the floor behind it, by the wall's side.
const INWARDS: [(c_int, c_int); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

const GRID: c_int = 1;
names! { 2:
    VAULT = c"vault",
    WALL = c"wall",
    SPACE = c"space",
    DIR = c"dir",
    CELL = c"cell",
    EXIT_CELL = c"exit_cell",
    CONNECTED = c"connected",
    OPEN = c"open",
    SOLID = c"solid",
    EXIT = c"exit",
    FEATURE = c"feature",
    PERMAROCK = c"permarock_wall",
    POS = c"pos",
    X = c"x",
    Y = c"y",
    ELIGIBLE = c"eligible",
}
const MASKS: c_int = ELIGIBLE + 1;
const WALLS: c_int = MASKS + 1;

/// Returns the tables of a room, `walls` and `mask_grid`, from its grid and what it has on each
/// cell from (-1, -1) to (width, height), row by row. The cells of the grid must be plain tables;
/// those that doors lead through are marked as open or not.
pub fn write_room_tables(
    lua: &Lua,
    grid: &Table,
    width: i32,
    height: i32,
    masks: &[RoomMask],
) -> Result<(Table, Table)> {
    // SAFETY: there is room for what is pushed, and every slot is given back.
    unsafe {
        lua.exec_raw::<(Table, Table)>(grid, |state| {
            ffi::luaL_checkstack(state, 32, std::ptr::null());
            push_names(state, NAMES);
            ffi::lua_createtable(state, 0, 0);
            ffi::lua_createtable(state, 0, 0);
            let Some(shapes) = MaskShapes::push(state) else { return };
            let columns = (width + 2).max(1) as usize;
            let rows = (-1..=height).zip(masks.chunks_exact(columns));
            for (y, row) in rows.clone() {
                ffi::lua_createtable(state, 0, 0);
                ffi::lua_pushvalue(state, -1);
                ffi::lua_rawseti_(state, MASKS, y);
                for (x, &mask) in (-1..=width).zip(row) {
                    push_mask(state, &shapes, mask, x, y);
                    ffi::lua_rawseti_(state, -2, x);
                }
                ffi::lua_pop(state, 1);
            }
            for (y, row) in rows {
                for (x, &mask) in (-1..=width).zip(row) {
                    if let RoomMask::Door { side, open } = mask {
                        add_door(state, x, y, side, open);
                    }
                }
            }
            for side in 0..4 {
                ffi::lua_rawgeti_(state, WALLS, side);
                if ffi::lua_type(state, -1) == ffi::LUA_TNIL {
                    ffi::lua_createtable(state, 0, 1);
                    set_flag(state, ELIGIBLE, false);
                    ffi::lua_rawseti_(state, WALLS, side);
                }
                ffi::lua_pop(state, 1);
            }
            ffi::lua_pushvalue(state, MASKS);
            ffi::lua_replace(state, 2);
            ffi::lua_pushvalue(state, WALLS);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 2);
        })
    }
}

/// Pushes a cell of a table of rows, nil if there is none.
///
/// # Safety
/// The state must be that of the function that runs, with a table at the index and room for two
/// values.
unsafe fn push_cell(state: *mut lua_State, rows: c_int, x: c_int, y: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_rawgeti_(state, rows, y);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            ffi::lua_rawgeti_(state, -1, x);
            ffi::lua_remove(state, -2);
        } else {
            ffi::lua_pop(state, 1);
            ffi::lua_pushnil(state);
        }
    }
}

/// The tables of what a room has on cells that have no door.
struct MaskShapes {
    space: Shape,
    vault: Shape,
    wall: Shape,
}

impl MaskShapes {
    /// # Safety
    /// The stack must be as in [`write_room_tables`]: the names lie there.
    unsafe fn push(state: *mut lua_State) -> Option<MaskShapes> {
        // SAFETY: upheld by the caller.
        unsafe {
            Some(MaskShapes {
                space: Shape::push(state, 3, &[SPACE, WALL, VAULT])?,
                vault: Shape::push(state, 3, &[VAULT, WALL, SPACE])?,
                wall: Shape::push(state, 1, &[WALL])?,
            })
        }
    }
}

/// Pushes what a room has on a cell.
///
/// # Safety
/// The stack must be as in [`write_room_tables`].
unsafe fn push_mask(
    state: *mut lua_State,
    shapes: &MaskShapes,
    mask: RoomMask,
    x: c_int,
    y: c_int,
) {
    let shape = match mask {
        RoomMask::Space => &shapes.space,
        RoomMask::Vault => &shapes.vault,
        RoomMask::Wall => &shapes.wall,
        // SAFETY: upheld by the caller.
        RoomMask::Door { side, .. } => return unsafe { push_door(state, side, x, y) },
    };
    // Of each the first field is true.
    // SAFETY: upheld by the caller.
    unsafe { shape.push_like(state, &[Slot::of_flag(true)]) }
}

/// # Safety
/// The stack must be as in [`write_room_tables`].
unsafe fn push_door(state: *mut lua_State, side: u8, x: c_int, y: c_int) {
    let (dx, dy) = INWARDS[usize::from(side % 4)];
    // SAFETY: upheld by the caller.
    unsafe {
        push_cell(state, GRID, x + dx, y + dy);
        let behind = ffi::lua_gettop(state);
        push_cell(state, GRID, x, y);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            set_flag(state, OPEN, true);
        } else {
            ffi::lua_pop(state, 1);
            ffi::lua_createtable(state, 0, 5);
            set_flag(state, OPEN, true);
            set_flag(state, SOLID, true);
            set_flag(state, EXIT, false);
            set_value(state, FEATURE, PERMAROCK);
            set_flag(state, SPACE, true);
        }
        ffi::lua_createtable(state, 0, 5);
        set_number(state, DIR, side.into());
        set_flag(state, WALL, true);
        set_value(state, CELL, behind + 1);
        set_value(state, EXIT_CELL, behind);
        set_flag(state, CONNECTED, true);
        ffi::lua_replace(state, behind);
        ffi::lua_settop(state, behind);
    }
}

/// Enters a door into its wall, or closes it.
///
/// # Safety
/// The stack must be as in [`write_room_tables`], with the masks of all cells.
unsafe fn add_door(state: *mut lua_State, x: c_int, y: c_int, side: u8, open: bool) {
    // SAFETY: upheld by the caller.
    unsafe {
        push_cell(state, MASKS, x, y);
        let mask = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, CELL);
        ffi::lua_rawget(state, mask);
        let cell = mask + 1;
        if !open {
            set_flag(state, OPEN, false);
            ffi::lua_settop(state, mask);
            set_flag(state, CONNECTED, false);
            ffi::lua_settop(state, mask - 1);
            return;
        }
        ffi::lua_pushvalue(state, EXIT_CELL);
        ffi::lua_rawget(state, mask);
        let behind = cell + 1;
        ffi::lua_rawgeti_(state, WALLS, side.into());
        let wall = behind + 1;
        if ffi::lua_type(state, wall) == ffi::LUA_TNIL {
            ffi::lua_pop(state, 1);
            ffi::lua_createtable(state, 0, 1);
            set_flag(state, ELIGIBLE, true);
            ffi::lua_pushvalue(state, wall);
            ffi::lua_rawseti_(state, WALLS, side.into());
        }
        ffi::lua_createtable(state, 0, 8);
        set_field_of(state, FEATURE, behind);
        set_field_of(state, EXIT, behind);
        set_number(state, DIR, side.into());
        set_value(state, EXIT_CELL, behind);
        set_value(state, CELL, cell);
        set_flag(state, OPEN, true);
        ffi::lua_pushvalue(state, POS);
        ffi::lua_createtable(state, 0, 2);
        set_number(state, X, x.into());
        set_number(state, Y, y.into());
        ffi::lua_rawset(state, -3);
        set_field_of(state, SPACE, behind);
        let number = ffi::lua_objlen(state, wall) as c_int + 1;
        ffi::lua_rawseti_(state, wall, number);
        ffi::lua_settop(state, mask - 1);
    }
}
