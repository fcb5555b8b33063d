//! `v_rooms.lua`: the walls of a room of the Vaults, and where it can be entered (spec 06 §15.9,
//! step 3).
//!
//! The function that picks a room also gives it its walls. It is left to do that for a room of no
//! size, and what it has found out then makes way for what the real room has.

use vaultwright_lua::cells::{Found, Held, read_cells};
use vaultwright_lua::charge;
use vaultwright_lua::closures::{replace_upvalue, upvalues};
use vaultwright_lua::known_functions::KnownFunction;
use vaultwright_lua::mlua::{self, Function, IntoLuaMulti, Lua, Table, Value};
use vaultwright_lua::room_tables::{RoomMask, write_room_tables};
use vaultwright_native::{RoomCell, RoomPart, parts_of_room};

use super::v_rooms::{CELL, MAX_SIDE, is_true, plain, point};
use super::{LibraryFile, are_original, native_library, stands_for};

/// What the Lua calls that gives a room its walls.
const USED: &[&str] = &["ipairs", "table.insert"];

/// The function that picks a room, of the one that places rooms.
const PICKING: &str = "pick_room";
/// Those that make one, of that.
const MAKING: [&str; 2] = ["make_code_room", "make_tagged_room"];

/// Has rooms given their walls natively, once they are made.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let globals = lua.globals();
    let (Value::Function(rooms), Value::Function(layout)) =
        (globals.raw_get("place_vaults_rooms")?, globals.raw_get("vaults_get_layout")?)
    else {
        return Ok(());
    };
    let pick_room = upvalues(lua, &rooms)?.into_iter().find_map(|(name, value)| match value {
        Value::Function(function) if name == PICKING => Some(function),
        _ => None,
    });
    let Some(pick_room) = pick_room else { return Ok(()) };
    // What makes a room is called.
    let relied = &["dlua/v_paint.lua"];
    let Some(proof) = file.proof_but("pick_room alone", &pick_room, relied, &MAKING)? else {
        return Ok(());
    };
    let layout = KnownFunction::new(lua, "vaults_get_layout", layout)?;
    let prepare = lua.create_function(move |lua, (room, options): (Value, Value)| {
        let untouched = proof.holds(lua) && are_original(lua, USED) && layout.is_in(&lua.globals());
        let tables = match (untouched, plain(room), plain(options)) {
            (true, Some(room), Some(options)) => walls_of(lua, &room, &options)?,
            _ => None,
        };
        match tables {
            Some(tables) => tables.into_lua_multi(lua),
            None => Value::Nil.into_lua_multi(lua),
        }
    })?;
    let picking: Function = native_library(lua)?.raw_get("picking")?;
    let (maker, picker): (Function, Function) = picking.call(prepare)?;
    replace_upvalue(lua, &rooms, PICKING, |pick| {
        for make in MAKING {
            replace_upvalue(lua, &pick, make, |make| in_place_of(lua, &maker, make))?;
        }
        in_place_of(lua, &picker, pick)
    })?;
    Ok(())
}

/// What a function makes of one of the library's.
fn in_place_of(lua: &Lua, maker: &Function, interpreted: Function) -> mlua::Result<Function> {
    let made = maker.call(&interpreted)?;
    stands_for(lua, &made, &interpreted);
    Ok(made)
}

/// The tables of a room's walls and of what it has on each cell; none for what is not plain.
fn walls_of(lua: &Lua, room: &Table, options: &Table) -> mlua::Result<Option<(Table, Table)>> {
    let is_nothing = |value| matches!(value, Value::Nil | Value::Boolean(false));
    let (Some(size), Some(grid)) = (plain(room.raw_get("size")?), plain(room.raw_get("grid")?))
    else {
        return Ok(None);
    };
    let Some((width, height)) = point(&size)? else { return Ok(None) };
    let is_sane = |side: i32| (1..=MAX_SIDE).contains(&side);
    if !is_sane(width)
        || !is_sane(height)
        || !is_nothing(room.raw_get("has_orient")?)
        || !matches!(options.raw_get("veto_room_callback")?, Value::Nil)
    {
        return Ok(None);
    }
    let (columns, rows) = (width + 4, height + 4);
    let own = read_cells(lua, &grid, &[c"solid", c"space", c"exit"], &[], |cells| {
        let mut odd = false;
        let mut own = Vec::with_capacity((columns * rows) as usize);
        for (y, x) in (-2..=height + 1).flat_map(|y| (-2..=width + 1).map(move |x| (y, x))) {
            let mut held = [Held::Nil; 3];
            let found = cells.read(x, y, &mut held);
            odd |= found == Found::Odd;
            let [solid, space, exit] = held.map(is_true);
            own.push((found == Found::Cell).then_some(RoomCell { solid, space, exit }));
        }
        (!odd).then_some(own)
    })?;
    let Some(own) = own.flatten() else { return Ok(None) };
    let parts = parts_of_room(width, height, &mut |x, y| own[((y + 2) * columns + x + 2) as usize]);
    charge(lua, parts.len() as u64 * CELL)?;
    let masks = parts.into_iter().map(|part| match part {
        RoomPart::Space => RoomMask::Space,
        RoomPart::Vault => RoomMask::Vault,
        RoomPart::Wall => RoomMask::Wall,
        RoomPart::Door { side, open } => RoomMask::Door { side, open },
    });
    let masks: Vec<RoomMask> = masks.collect();
    write_room_tables(lua, &grid, width, height, &masks).map(Some)
}
